#include "story.h"
#include "words.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../exec/data.h"
#include "../../base/arena.h"

/* A run of the writer's block, up to its store. */
struct pursuit {
    const struct session *session;
    const struct owner *owner;
    int64_t *held; /* one a granule of shared memory: the token stored there last */
    size_t granules;
    bool in_tile; /* the lane last loaded what it stored from: */
    int array;
    int64_t offset;          /* bytes from the block's shared memory */
    const struct site *site; /* the store; NULL: not come to */
    bool stop;
};

static int64_t component_bytes(const struct access *access)
{
    return (int64_t)(access->site->lane_bytes / access->site->components);
}

static int64_t *held_at(struct pursuit *p, int64_t offset)
{
    int64_t granule = offset / (int64_t)p->session->scenario.program->granule;
    return offset < 0 || (uint64_t)granule >= p->granules ? NULL : &p->held[granule];
}

static void note_store(struct pursuit *p, const struct access *access)
{
    for (unsigned lane = 0; lane < LANES; lane++)
        for (unsigned c = 0; (access->mask >> lane & 1) && c < access->site->components; c++) {
            int64_t *held = held_at(p, access_offset(access, lane) + c * component_bytes(access));
            if (held)
                *held = data_at(&access->data[c], lane);
        }
}

static void note_load(struct pursuit *p, const struct access *access)
{
    unsigned lane = p->owner->lane;
    if (access->warp != p->owner->warp || !(access->mask >> lane & 1))
        return;
    for (unsigned c = 0; c < access->site->components; c++) {
        int64_t offset = access_offset(access, lane) + c * component_bytes(access);
        const int64_t *held = held_at(p, offset);
        if (!held || *held != p->owner->token)
            continue;
        p->in_tile = true;
        p->array = access->buffer;
        p->offset = offset;
    }
}

static void take_access(void *self, const struct access *access)
{
    struct pursuit *p = self;
    bool shared = access->site->kind->space == SPACE_SHARED;
    if (access->step == p->owner->step) {
        p->site = access->site;
        p->stop = true;
    } else if (shared && access->site->kind->writes && access->site->kind->op != ACCESS_ATOMIC) {
        note_store(p, access);
    } else if (shared) {
        note_load(p, access);
    }
}

static void pursue(struct pursuit *p)
{
    const struct scenario *s = &p->session->scenario;
    struct problem problem = {0};
    struct launch launch = s->launch;
    launch.budget = LANE_BUDGET;
    struct execution *execution = execution_new(s->program, &launch, true, &problem);
    struct sink sink = {.self = p, .access = take_access, .stop = &p->stop};
    p->granules = (size_t)(s->shared_bytes / s->program->granule) + 1; /* within a block's shared memory */
    p->held = memory_take(p->granules, sizeof *p->held);
    if (execution)
        (void)execution_run_block(execution, p->owner->block, &sink, &problem);
    execution_free(execution);
    free(p->held);
}

static void say_tile(struct words *w, const struct pursuit *p)
{
    const struct shared_array *array = &p->session->scenario.program->shared[p->array];
    int64_t index = (p->offset - (int64_t)array->offset) / (int64_t)type_size(&array->element);
    words_say(w, " <- %s", array->name);
    if (array->type.kind == TYPE_ARRAY && array->type.to->kind == TYPE_ARRAY) {
        int64_t cols = (int64_t)(type_size(array->type.to) / type_size(&array->element));
        words_say(w, "[%" PRId64 "]", index / cols);
        index %= cols;
    }
    words_say(w, "[%" PRId64 "]", index);
}

static void say_origin(struct words *w, const struct session *session, int64_t token)
{
    const struct scenario *s = &session->scenario;
    const struct origin origin = data_origin(token);
    if (origin.kind == ORIGIN_UNINITIALIZED) {
        words_say(w, " <- what nobody wrote");
    } else if (origin.kind == ORIGIN_COMPUTED) {
        words_say(w, " <- arithmetic");
    } else if (origin.kind == ORIGIN_CONSTANT) {
        words_say(w, " <- a constant");
    } else {
        int64_t index = origin.offset / (int64_t)s->elem_bytes;
        const char *name = s->program->parameters[origin.buffer].name;
        if ((int)origin.buffer == s->in && index >= 0)
            words_say(w, " <- %s(%" PRId64 ",%" PRId64 ")", name, index / s->cols, index % s->cols);
        else
            words_say(w, " <- %s[%" PRId64 "]", name, index);
    }
}

void story_tell(const struct session *session, int64_t row, int64_t col, const struct owner *owner,
                char out[STORY_SIZE])
{
    struct pursuit pursuit = {.session = session, .owner = owner};
    struct words w = words_in(out, STORY_SIZE);
    const struct owners_task task = scenario_task(&session->scenario);
    words_say(&w, "(%" PRId64 ",%" PRId64 ")", row, col);
    if (!owner->writes) {
        words_say(&w, ": nobody writes it");
        return;
    }
    pursue(&pursuit);
    words_say(&w, " <- block %u,%u warp %u lane %u", owner->block[0], owner->block[1], owner->warp,
              owner->lane);
    if (pursuit.site)
        words_say(&w, ", line %d", pursuit.site->line);
    if (pursuit.in_tile)
        say_tile(&w, &pursuit);
    say_origin(&w, session, owner->token);
    if (owner->writes > 1)
        words_say(&w, ", the last of %u writes", owner->writes);
    if (task.in < 0 || !cell_is_wrong(owner->state))
        return;
    int64_t index =
        task_expected(&task, (uint64_t)row * task_out_cols(&task) + (uint64_t)col) / (int64_t)task.elem_bytes;
    words_say(&w, ": WRONG, (%" PRId64 ",%" PRId64 ") belongs here", index / task.cols, index % task.cols);
}

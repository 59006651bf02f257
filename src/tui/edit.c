#include "edit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../sim/report/rung.h"
#include "history.h"
#include "motion.h"

/* A side's own text goes where nobody reads it any more; the other side may have been opened from it. */
static void release_text(struct state *state, struct side *side)
{
    for (int i = 0; i < state->sides; i++) {
        struct side *other = &state->side[i];
        if (other == side || !other->session || other->session->scenario.text.bytes != side->text)
            continue;
        free(other->text);
        other->text = side->text;
        side->text = NULL;
    }
    free(side->text);
    side->text = NULL;
}

/* Puts a new session in the place of a side's, at the same work if it has it. */
static void replace(struct state *state, struct side *side, struct session *fresh)
{
    const struct trace_access *access = side->session ? side_access(side) : NULL;
    struct problem ignored = {0};
    size_t index = 0;
    if (side->session) {
        const uint32_t *block = side->session->trace.block, *grid = fresh->scenario.launch.grid;
        if (block[0] < grid[0] && block[1] < grid[1] && block[2] < grid[2])
            (void)session_enter(fresh, block, &ignored);
    }
    if (access && !trace_match(&fresh->trace, access, &index))
        index = 0;
    int part = side->part;
    if (side->session)
        side_close(state, side);
    history_forget(state);
    state->found_line = 0;
    state->story.words[0] = '\0';
    side->session = fresh;
    if (side->text && fresh->scenario.text.bytes != side->text)
        release_text(state, side);
    side->at = index;
    side->part = part;
    access = side_access(side);
    if (!access || part >= (int)access_parts(access))
        side->part = PART_WHOLE;
    move_follow(state);
}

static bool open_kernel(struct state *state, const char *name, const struct source *text,
                        const struct scenario_options *options)
{
    struct problem problem = {0};
    struct session *fresh = session_open(name, text, options, &problem);
    if (!fresh) {
        state_say(state, true, problem.message);
        return false;
    }
    replace(state, state_side(state), fresh);
    state_say_grid(state, fresh);
    return true;
}

bool edit_text(struct state *state, const struct source *text, struct problem *problem)
{
    const struct session *session = state_side(state)->session;
    struct scenario_options options = session->scenario.options;
    const struct scenario_compiler *compiler = options.compiler;
    if (!session->scenario.compiled.compiler)
        options.compiler = NULL; /* a mistake in the text is told at once, and no compiler is asked for it */
    struct session *fresh = session_open(session->name, text, &options, problem);
    if (!fresh)
        return false;
    fresh->scenario.options.compiler = compiler;
    replace(state, state_side(state), fresh);
    return true;
}

bool edit_options(struct state *state, const struct scenario_options *options)
{
    const struct session *session = state_side(state)->session;
    struct source text = session->scenario.text;
    return open_kernel(state, session->name, &text, options);
}

/* What a pitch did to the access at hand, and where a person changes it in the file. */
static void say_pitch(struct state *state, const struct repitch *found, uint32_t pitch, unsigned before)
{
    const struct trace_access *access = side_access(state_side(state));
    char text[240];
    int used = snprintf(text, sizeof text, "pitch %" PRIu64 " to %u", found->pitch, pitch);
    if (access && access->access.site->kind->space == SPACE_SHARED && access->cost.units != before)
        used +=
            snprintf(text + used, sizeof text - (size_t)used, ": this access went from %u to %u wavefront%s",
                     before, access->cost.units, access->cost.units == 1 ? "" : "s");
    if (!found->by_option)
        (void)snprintf(text + used, sizeof text - (size_t)used,
                       ". In your file that is line %d: the last dimension of %s is %u there", found->line,
                       found->name, pitch);
    else if (found->line && state->file.size)
        (void)snprintf(text + used, sizeof text - (size_t)used, ". In your file that is line %d",
                       found->line);
    state_say(state, false, text);
}

void edit_pitch_to(struct state *state, uint32_t pitch)
{
    struct side *side = state_side(state);
    const struct session *session = side->session;
    const struct trace_access *access = side_access(side);
    struct problem problem = {0};
    struct repitch found;
    char *text;
    if (!repitch_find(session, access ? &access->access : NULL, &found) &&
        !repitch_find(session, NULL, &found)) {
        char why[200];
        bool tile = session->scenario.program->shared_count > 0;
        (void)snprintf(why, sizeof why,
                       tile ? "%.80s says the pitch of its tile in its indices: change it there"
                            : "%.80s has no PITCH: there is no tile to pad; ] goes to the next rung",
                       session->name);
        state_say(state, true, why);
        return;
    }
    if (pitch == 0 || found.pitch >= UINT32_MAX / 2) {
        state_say(state, true, "the pitch must be at least 1");
        return;
    }
    unsigned before = access ? access->cost.units : 0;
    char name[80]; /* the old session's goes with it */
    (void)snprintf(name, sizeof name, "%s", found.name ? found.name : "");
    struct session *fresh = repitch_open(session, &found, pitch, &text, &problem);
    if (!fresh) {
        state_say(state, true, problem.message);
        return;
    }
    replace(state, side, fresh);
    if (text) {
        release_text(state, side);
        side->text = text;
    }
    found.name = name;
    say_pitch(state, &found, pitch, before);
}

void edit_pitch(struct state *state, int by)
{
    const struct session *session = state_side(state)->session;
    const struct trace_access *access = side_access(state_side(state));
    struct repitch found;
    bool known =
        repitch_find(session, access ? &access->access : NULL, &found) || repitch_find(session, NULL, &found);
    edit_pitch_to(state, known ? (uint32_t)found.pitch + (uint32_t)by : 1);
}

/* The options for another kernel: pitch, block, grid, arguments and their kind were given for the kernel of
 * the start and go with it; the others say themselves how they are launched. */
static struct scenario_options options_for(const struct state *state, const struct source *text,
                                           const struct scenario_options *now)
{
    const struct scenario_options none = {0};
    const struct scenario_options *given = text->bytes == state->first_text ? &state->launch : &none;
    struct scenario_options options = *now;
    options.pitch = given->pitch >= options.tile ? given->pitch : 0; /* each kernel has its own */
    options.block = given->block;
    options.grid = given->grid;
    options.kernel = given->kernel;
    options.template_arguments = given->template_arguments;
    options.dynamic_shared = given->dynamic_shared;
    options.task = given->task;
    memcpy(options.arguments, given->arguments, sizeof options.arguments);
    options.argument_count = given->argument_count;
    memcpy(options.offsets, given->offsets, sizeof options.offsets);
    options.offset_count = given->offset_count;
    if (state->file.size && text->bytes == state->file.bytes) {
        options.tile = text_mentions(text, "TILE") ? options.tile : 0;
        options.block_rows = text_mentions(text, "BLOCK_ROWS") ? options.block_rows : 0;
        options.elem_bytes = text_mentions(text, "ELEM") ? options.elem_bytes : given->elem_bytes;
    }
    return options;
}

/* Rungs in their order, then the file if there is one. */
void edit_rung(struct state *state, int by)
{
    const struct session *session = state_side(state)->session;
    int count = (int)rung_count + (state->file.size != 0), at = (int)rung_count;
    for (int i = 0; i < (int)rung_count; i++)
        if (session->scenario.text.bytes == rungs[i].source.bytes)
            at = i;
    at = (at + by + count) % count;
    bool is_rung = at < (int)rung_count;
    const struct source *text = is_rung ? &rungs[at].source : &state->file;
    struct scenario_options options = options_for(state, text, &session->scenario.options);
    (void)open_kernel(state, is_rung ? rungs[at].name : text->name, text, &options);
}

/* What is worth setting beside the current configuration: the padded tile beside the plain one, the plain one
 * beside a padded one, the tiled kernel beside one without a tile. */
static struct session *open_counterpart(const struct state *state, const struct session *session,
                                        struct problem *problem)
{
    const struct rung *rung = rung_find("tiled");
    struct scenario_options options = session->scenario.options;
    if (session_mentions(session, "PITCH")) {
        bool plain = session->scenario.pitch == session->scenario.tile;
        options.pitch = (uint32_t)(plain ? session->scenario.pitch + 1 : session->scenario.tile);
        return session_open(session->name, &session->scenario.text, &options, problem);
    }
    options = options_for(state, &rung->source, &options);
    return session_open(rung->name, &rung->source, &options, problem);
}

void edit_compare(struct state *state)
{
    if (state->sides == 2) {
        struct side *other = &state->side[1 - state->active];
        history_forget(state);
        side_close(state, other);
        if (other->text)
            release_text(state, other);
        *other = (struct side){0};
        if (state->active == 1) {
            if (state->at_work.paused &&
                state->at_work.job != JOB_COUNT) /* which holds on to the session alone */
                side_forget_views(state, &state->side[1]);
            state->side[0] = state->side[1];
            state->side[1] = (struct side){0};
        }
        state->side[0].waiting = false;
        state->sides = 1;
        state->active = 0;
        return;
    }
    struct problem problem = {0};
    struct session *fresh = open_counterpart(state, state->side[0].session, &problem);
    if (!fresh) {
        state_say(state, true, problem.message);
        return;
    }
    state->side[1] = (struct side){.session = fresh, .part = PART_WHOLE};
    state->sides = 2;
    state->active = 0;
    move_follow(state);
    state_say(state, false, "side by side, moving in step; x changes the side that keys act on, c ends it");
}

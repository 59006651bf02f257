/* topic_kernel.c - who writes a cell of the output, and which lane is off and why: of launches of the ladder.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../../cuda/random.h"
#include "../../sim/report/rung.h"
#include "../../sim/session/lane.h"
#include "../../sim/session/ownership.h"
#include "../../sim/session/story.h"
#include "question.h"

struct case_launch {
    const struct rung *rung;
    struct scenario_options options;
};

static void choose_launch(struct case_launch *c, const char *const *names, unsigned count,
                          struct random *random)
{
    static const uint32_t shapes[][2] = {{32, 8}, {32, 4}, {16, 16}, {16, 8}, {16, 4}, {8, 8}, {8, 4}};
    const uint32_t *shape = shapes[between(random, 0, sizeof shapes / sizeof *shapes - 1)];
    c->rung = rung_find(names[between(random, 0, count - 1)]);
    c->options = (struct scenario_options){.tile = shape[0], .block_rows = shape[1]};
    c->options.rows = between(random, shape[0] + 1, 4 * shape[0]);
    c->options.cols = between(random, shape[0] + 1, 4 * shape[0]);
}

/* The kernel without the comment and the macros above it. */
static struct source kernel_of(const struct rung *rung)
{
    const char *begin = strstr(rung->source.bytes, "__global__");
    return begin ? (struct source){rung->source.name, begin,
                                   rung->source.size - (size_t)(begin - rung->source.bytes)}
                 : rung->source;
}

static void say_launch(const struct case_launch *c, const struct session *session, struct words *w)
{
    const struct scenario *s = &session->scenario;
    words_say(w,
              "%s.cu, TILE %" PRIu32 ", BLOCK_ROWS %" PRIu32 ", on a matrix of %" PRIu32 " rows and %" PRIu32
              " columns: %" PRIu32 " x %" PRIu32 " blocks of %" PRIu32 " x %" PRIu32 " threads. ",
              c->rung->name, c->options.tile, c->options.block_rows, s->rows, s->cols, s->launch.grid[0],
              s->launch.grid[1], s->launch.block[0], s->launch.block[1]);
}

static void say_command(const struct case_launch *c, const uint32_t block[3], uint32_t warp, uint64_t step,
                        struct question *q)
{
    struct words w = question_command(q);
    words_say(&w,
              "lanescope trace %s -m %" PRIu32 " -n %" PRIu32 " -t %" PRIu32 " -b %" PRIu32
              " --at-block %" PRIu32 ",%" PRIu32 " --at-warp %" PRIu32 " --at-step %" PRIu64,
              c->rung->name, c->options.rows, c->options.cols, c->options.tile, c->options.block_rows,
              block[0], block[1], warp, step);
}

/* Thread number to threadIdx. */
static void explain_thread(struct question *q, const struct session *session, uint32_t warp, uint32_t lane)
{
    const uint32_t *block = session->scenario.launch.block, id = warp * LANES + lane;
    struct words w = question_step(q);
    words_say(&w,
              "Threads are numbered row by row, 32 a warp: thread %" PRIu32 " * 32 + %" PRIu32 " = %" PRIu32
              " is threadIdx.x = %" PRIu32 " mod %" PRIu32 " = %" PRIu32 ", threadIdx.y = %" PRIu32
              " / %" PRIu32 " = %" PRIu32 ".",
              warp, lane, id, id, block[0], id % block[0], id, block[0], id / block[0]);
}

/* ---------------------------------------------------------------------------------------------------- owner
 */

static struct session *open_case(const struct case_launch *c, struct problem *problem)
{
    return session_open(c->rung->name, &c->rung->source, &c->options, problem);
}

static const struct trace_access *access_at(const struct session *session, uint64_t step)
{
    for (size_t i = 0; i < session->trace.count; i++)
        if (session->trace.at[i].access.step == step)
            return &session->trace.at[i];
    return NULL;
}

static bool explain_owner(struct question *q, struct session *session, const struct owner *owner,
                          uint64_t row, uint64_t col, struct problem *problem)
{
    char text[STORY_SIZE > LANE_SIZE ? STORY_SIZE : LANE_SIZE];
    struct lane_glass glass = {0};
    if (!session_enter(session, owner->block, problem))
        return false;
    const struct trace_access *at = access_at(session, owner->step);
    if (!at)
        return false;
    struct words w = question_step(q);
    words_say(&w, "A transposition moves in(%" PRIu64 ",%" PRIu64 ") to out(%" PRIu64 ",%" PRIu64 ").", col,
              row, row, col);
    w = question_step(q);
    lane_explain(&glass, session, at, owner->lane, text);
    lane_glass_free(&glass);
    words_say(&w, "The store in line %d, pass %" PRIu32 " of its loop, in block %" PRIu32 ",%" PRIu32 ": %s.",
              at->access.site->line, at->access.visit + 1, owner->block[0], owner->block[1], text);
    explain_thread(q, session, owner->warp, owner->lane);
    w = question_step(q);
    story_tell(session, (int64_t)row, (int64_t)col, owner, text);
    words_say(&w, "The way of the element: %s.", text);
    return true;
}

static bool find_owner(const struct session *session, uint64_t row, uint64_t col, struct owner *owner)
{
    struct ownership owners;
    ownership_init(&owners, session, (int64_t)row, (int64_t)col, 1, 1);
    while (ownership_advance(&owners, session, 64))
        ;
    bool found = !owners.failed && owners.map.cells[0].writes == 1;
    *owner = owners.map.cells[0];
    ownership_free(&owners);
    return found;
}

bool make_owner(struct question *q, struct random *random, struct problem *problem)
{
    static const char *const names[] = {"naive", "naive-swap", "tiled", "naive", "tiled"};
    struct case_launch c;
    struct owner owner;
    choose_launch(&c, names, sizeof names / sizeof *names, random);
    uint64_t row = random_below(random, c.options.cols), col = random_below(random, c.options.rows);
    struct session *session = open_case(&c, problem);
    if (!session)
        return false;
    bool fine = find_owner(session, row, col, &owner);
    /* in the first block, or the first warp, half of the answer would be zeros */
    fine = fine && (owner.block[0] || owner.block[1]) && owner.warp && owner.lane &&
           explain_owner(q, session, &owner, row, col, problem);
    if (fine) {
        struct words text = question_text(q);
        say_launch(&c, session, &text);
        words_say(&text,
                  "Which thread writes out(%" PRIu64 ",%" PRIu64 "), row %" PRIu64 ", column %" PRIu64
                  " of the output: which block (x and y), warp and lane?",
                  row, col, row, col);
        say_command(&c, owner.block, owner.warp, owner.step, q);
        q->kind = ANSWER_THREAD;
        q->code = kernel_of(c.rung);
        (void)snprintf(q->answer, sizeof q->answer, "%" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32,
                       owner.block[0], owner.block[1], owner.warp, owner.lane);
    }
    session_free(session);
    return fine;
}

/* ----------------------------------------------------------------------------------------------------- lane
 */

/* What lane_explain() says of each lane. */
struct lanes_said {
    char of[LANES][LANE_SIZE];
};

/* Which variable's guard keeps the lane out: 'x' or 'y' of "..., x < cols (70) is false: off"; 0: another. */
static char guard_of(const char *said)
{
    const char *end = strstr(said, " is false: off"), *at = end;
    while (at && at > said && at[-1] != ',')
        at--;
    at = at ? at + strspn(at, " ") : NULL;
    return at && (*at == 'x' || *at == 'y') && strncmp(at + 1, " < ", 3) == 0 ? *at : 0;
}

static const struct trace_access *choose_partial(const struct session *session, struct random *random)
{
    const struct trace_access *chosen = NULL;
    uint64_t seen = 0;
    for (size_t i = 0; i < session->trace.count; i++) {
        const struct trace_access *at = &session->trace.at[i];
        if (at->access.mask != UINT32_MAX && random_below(random, ++seen) == 0)
            chosen = at;
    }
    return chosen;
}

static void say_lanes(const struct session *session, const struct trace_access *at, struct lanes_said *said)
{
    struct lane_glass glass = {0};
    for (unsigned lane = 0; lane < LANES; lane++)
        lane_explain(&glass, session, at, lane, said->of[lane]);
    lane_glass_free(&glass);
}

/* A lane that is kept out by one coordinate alone: with the other one, some lane gets in. */
static bool has_one_reason(const struct session *session, uint32_t mask, unsigned lane, char guard)
{
    uint32_t wide = session->scenario.launch.block[0];
    for (unsigned i = 0; i < LANES; i++) {
        bool same_x = i % wide == lane % wide, same_y = i / wide == lane / wide;
        if ((mask >> i & 1) && ((guard == 'x' && same_y) || (guard == 'y' && same_x)))
            return true;
    }
    return false;
}

static void explain_lane(struct question *q, const struct session *session, const struct trace_access *at,
                         const struct lanes_said *said, unsigned lane)
{
    unsigned on = (unsigned)__builtin_ctz(at->access.mask);
    explain_thread(q, session, at->access.warp, lane);
    struct words w = question_step(q);
    words_say(&w, "Lane %u: %s.", lane, said->of[lane]);
    w = question_step(q);
    words_say(&w, "Lane %u, which takes part: %s.", on, said->of[on]);
    w = question_step(q);
    int64_t off[LANES];
    unsigned count = 0;
    for (unsigned i = 0; i < LANES; i++)
        if (!(at->access.mask >> i & 1))
            off[count++] = i;
    words_say(&w, "Lanes that are off: ");
    say_numbers(off, count, &w);
    words_say(&w, ".");
}

/* Lanes that are off for x and lanes that are off for y: then it is asked why, otherwise which. */
static bool ask_lane(struct question *q, const struct session *session, const struct trace_access *at,
                     struct random *random)
{
    struct lanes_said *said = malloc(sizeof *said);
    uint32_t off = ~at->access.mask, sole[2] = {0, 0};
    struct words text = {q->text, QUESTION_TEXT_SIZE, strlen(q->text)};
    if (!said)
        return false;
    say_lanes(session, at, said);
    bool known = true;
    for (unsigned lane = 0; lane < LANES; lane++) {
        char guard = guard_of(said->of[lane]);
        if (!(off >> lane & 1))
            continue;
        known = known && guard;
        if (guard && has_one_reason(session, at->access.mask, lane, guard))
            sole[guard == 'y'] |= UINT32_C(1) << lane;
    }
    unsigned lane = (unsigned)__builtin_ctz(off);
    if (known && sole[0] && sole[1]) {
        uint32_t from = sole[random_below(random, 2)];
        for (lane = (unsigned)random_below(random, LANES); !(from >> lane & 1);)
            lane = (lane + 1) % LANES;
        words_say(&text, "Lane %u takes no part. Which of its coordinates is too large, x or y?", lane);
        q->kind = ANSWER_AXIS;
        (void)snprintf(q->answer, sizeof q->answer, "%c", from == sole[1] ? 'y' : 'x');
    } else {
        words_say(&text, "Which is the lowest lane that takes no part?");
        q->kind = ANSWER_NUMBER;
        q->most = LANES - 1;
        (void)snprintf(q->answer, sizeof q->answer, "%u", lane);
    }
    if (known)
        explain_lane(q, session, at, said, lane);
    free(said);
    return known;
}

bool make_lane(struct question *q, struct random *random, struct problem *problem)
{
    static const char *const names[] = {"naive", "naive-swap", "copy", "naive", "naive-swap"};
    struct case_launch c;
    choose_launch(&c, names, sizeof names / sizeof *names, random);
    struct session *session = open_case(&c, problem);
    bool fine = false;
    if (!session)
        return false;
    const uint32_t *grid = session->scenario.launch.grid;
    uint32_t edge = between(random, 0, 2), x = between(random, 0, grid[0] - 1),
             y = between(random, 0, grid[1] - 1);
    const uint32_t block[3] = {edge ? grid[0] - 1 : x, edge == 1 ? y : grid[1] - 1, 0};
    const struct trace_access *at =
        session_enter(session, block, problem) ? choose_partial(session, random) : NULL;
    if (at) {
        struct words text = question_text(q);
        say_launch(&c, session, &text);
        words_say(&text,
                  "In block %" PRIu32 ",%" PRIu32 ", warp %" PRIu32 ", pass %" PRIu32
                  " of the loop, take the %s of the line with `in[`. ",
                  block[0], block[1], at->access.warp, at->access.visit + 1, at->access.site->kind->name);
        q->code = kernel_of(c.rung);
        say_command(&c, block, at->access.warp, at->access.step, q);
        fine = ask_lane(q, session, at, random);
    }
    session_free(session);
    return fine;
}

#include "motion.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static uint64_t block_index(const struct session *session)
{
    const uint32_t *grid = session->scenario.launch.grid, *block = session->trace.block;
    return block[0] + (uint64_t)grid[0] * (block[1] + (uint64_t)grid[1] * block[2]);
}

static bool enter(struct state *state, struct side *side, const uint32_t block[3])
{
    struct problem problem = {0};
    if (session_enter(side->session, block, &problem))
        return true;
    state_say(state, true, problem.message);
    return false;
}

/* Goes to the block `by` further on, if there is one. */
static bool enter_next(struct state *state, struct side *side, int by)
{
    uint32_t block[3];
    uint64_t index = block_index(side->session);
    if (by < 0 ? index == 0 : index + 1 >= side->session->blocks) {
        state_say(state, false, by < 0 ? "this is where the launch begins" : "this is where the launch ends");
        return false;
    }
    launch_block_at(&side->session->scenario.launch, by < 0 ? index - 1 : index + 1, block);
    return enter(state, side, block);
}

static size_t last_of(const struct side *side)
{
    size_t count = side->session->trace.count;
    return count ? count - 1 : 0;
}

static void place(struct side *side, size_t at, int part)
{
    const struct trace *trace = &side->session->trace;
    side->at = at < trace->count ? at : last_of(side);
    side->part = part;
    if (part != PART_WHOLE && (!trace->count || part >= (int)access_parts(&trace->at[side->at])))
        side->part = PART_WHOLE;
}

void move_follow(struct state *state)
{
    if (state->sides != 2)
        return;
    struct side *lead = state_side(state), *other = &state->side[1 - state->active];
    const uint32_t *block = lead->session->trace.block, *grid = other->session->scenario.launch.grid;
    lead->waiting = other->waiting = false;
    if (memcmp(block, other->session->trace.block, sizeof other->session->trace.block) != 0) {
        if (block[0] >= grid[0] || block[1] >= grid[1] || block[2] >= grid[2] ||
            !enter(state, other, block)) {
            other->waiting = true;
            return;
        }
        place(other, 0, PART_WHOLE);
    }
    const struct trace_access *access = side_access(lead);
    size_t index;
    if (access && trace_match(&other->session->trace, access, &index))
        place(other, index, lead->part);
    else
        other->waiting = true;
}

static bool step(struct state *state, int by)
{
    struct side *side = state_side(state);
    if (by > 0 && side->at + 1 < side->session->trace.count) {
        place(side, side->at + 1, PART_WHOLE);
        return true;
    }
    if (by < 0 && side->at > 0) {
        place(side, side->at - 1, PART_WHOLE);
        return true;
    }
    if (!enter_next(state, side, by))
        return false;
    place(side, by < 0 ? last_of(side) : 0, PART_WHOLE);
    return true;
}

void move_access(struct state *state, int by)
{
    (void)step(state, by);
    move_follow(state);
}

void move_part(struct state *state, int by)
{
    struct side *side = state_side(state);
    const struct trace_access *access = side_access(side);
    int parts = access ? (int)access_parts(access) : 0;
    if (by > 0 && side->part + 1 < parts) {
        side->part++;
    } else if (by < 0 && side->part > 0) {
        side->part--;
    } else if (step(state, by)) {
        access = side_access(side);
        side->part = !access || !access_parts(access) ? PART_WHOLE
                     : by > 0                         ? 0
                                                      : (int)access_parts(access) - 1;
    }
    move_follow(state);
}

/* The first access of the run of accesses that one warp makes in a row. */
static size_t run_begin(const struct trace *trace, size_t at)
{
    while (at > 0 && trace->at[at - 1].access.warp == trace->at[at].access.warp)
        at--;
    return at;
}

void move_warp(struct state *state, int by)
{
    struct side *side = state_side(state);
    const struct trace *trace = &side->session->trace;
    size_t at = side->at;
    if (trace->count && by > 0) {
        uint32_t warp = trace->at[at].access.warp;
        while (at < trace->count && trace->at[at].access.warp == warp)
            at++;
    } else if (trace->count) {
        at = run_begin(trace, at);
        at = at == side->at && at > 0 ? run_begin(trace, at - 1) : at;
    }
    if (trace->count && (by > 0 ? at < trace->count : at != side->at))
        place(side, at, PART_WHOLE);
    else if (enter_next(state, side, by))
        place(side, by > 0 || !trace->count ? 0 : run_begin(trace, last_of(side)), PART_WHOLE);
    move_follow(state);
}

void move_block(struct state *state, int by)
{
    struct side *side = state_side(state);
    const struct trace_access *access = side_access(side);
    struct trace_access kept = {0};
    size_t index = 0;
    if (access)
        kept = *access;
    if (!enter_next(state, side, by))
        return;
    if (!access || !trace_match(&side->session->trace, &kept, &index))
        index = 0;
    place(side, index, side->part);
    move_follow(state);
}

void move_reset(struct state *state)
{
    struct side *side = state_side(state);
    const uint32_t first[3] = {0, 0, 0};
    if (!enter(state, side, first))
        return;
    place(side, 0, PART_WHOLE);
    state->playing = false;
    move_follow(state);
}

void move_to_costliest(struct state *state)
{
    struct side *side = state_side(state);
    place(side, trace_costliest(&side->session->trace), PART_WHOLE);
    move_follow(state);
}

bool move_to(struct state *state, const uint32_t block[3], size_t at, int part)
{
    struct side *side = state_side(state);
    if (memcmp(block, side->session->trace.block, sizeof side->session->trace.block) != 0 &&
        !enter(state, side, block))
        return false;
    place(side, at, part);
    move_follow(state);
    return true;
}

void move_lane(struct state *state, int by)
{
    struct side *side = state_side(state);
    side->lane = (side->lane + LANES + (unsigned)by) % LANES;
}

void move_to_other_side(struct state *state)
{
    if (state->sides != 2) {
        state_say(state, false, "there is one side only; c sets another beside it");
        return;
    }
    state->active = 1 - state->active;
    state_side(state)->waiting = false;
    move_follow(state);
}

struct target { /* of a jump; -1: not said */
    int64_t block[3], warp, site, lane, cell[2];
};

/* A number at *text, which is moved past it. */
static bool take_number(const char **text, int64_t *value)
{
    while (**text == ' ')
        (*text)++;
    if (!isdigit((unsigned char)**text))
        return false;
    for (*value = 0; isdigit((unsigned char)**text); (*text)++)
        if ((*value = *value * 10 + (**text - '0')) > UINT32_MAX)
            return false;
    return true;
}

/* "block 1,2 warp 3 site 0 lane 7"; words may be cut to their first letter. */
static bool read_target(const char *text, struct target *target)
{
    bool any = false;
    *target = (struct target){{-1, 0, 0}, -1, -1, -1, {-1, -1}};
    for (;;) {
        while (*text == ' ')
            text++;
        if (!*text)
            return any;
        char what = *text;
        while (isalpha((unsigned char)*text))
            text++;
        int64_t *value = what == 'b'   ? target->block
                         : what == 'w' ? &target->warp
                         : what == 's' ? &target->site
                         : what == 'l' ? &target->lane
                         : what == 'c' ? target->cell
                                       : NULL;
        if (!value || !take_number(&text, value))
            return false;
        for (int i = 1; what == 'b' && i < 3 && *text == ','; i++) {
            text++;
            if (!take_number(&text, &target->block[i]))
                return false;
        }
        if (what == 'c' && (*text++ != ',' || !take_number(&text, &target->cell[1])))
            return false;
        any = true;
    }
}

static bool find(const struct trace *trace, const struct target *target, size_t *index)
{
    for (size_t i = 0; i < trace->count; i++) {
        const struct access *access = &trace->at[i].access;
        if ((target->warp < 0 || access->warp == target->warp) &&
            (target->site < 0 || access->site->id == target->site)) {
            *index = i;
            return true;
        }
    }
    return false;
}

static bool jump_block(struct state *state, struct side *side, const struct target *target)
{
    const uint32_t *grid = side->session->scenario.launch.grid;
    uint32_t block[3];
    for (int i = 0; i < 3; i++) {
        if (target->block[i] >= grid[i]) {
            char text[160];
            (void)snprintf(text, sizeof text,
                           "block %" PRId64 ",%" PRId64 ",%" PRId64 " lies outside the grid of %u x %u x %u",
                           target->block[0], target->block[1], target->block[2], grid[0], grid[1], grid[2]);
            state_say(state, true, text);
            return false;
        }
        block[i] = (uint32_t)target->block[i];
    }
    return enter(state, side, block);
}

/* Shows the owners around a cell of the output. */
static bool jump_to_cell(struct state *state, const int64_t cell[2])
{
    const struct owners_task task = scenario_task(&state_side(state)->session->scenario);
    if (cell[0] >= task_out_rows(&task) || cell[1] >= task_out_cols(&task)) {
        char text[120];
        (void)snprintf(text, sizeof text, "cell %" PRId64 ",%" PRId64 " lies outside the output of %u x %u",
                       cell[0], cell[1], task_out_rows(&task), task_out_cols(&task));
        state_say(state, true, text);
        return false;
    }
    state->cursor_row = cell[0];
    state->cursor_col = cell[1];
    state->view = VIEW_OWNERS;
    return true;
}

bool move_jump(struct state *state, const char *where)
{
    struct side *side = state_side(state);
    struct target target;
    uint32_t old[3];
    size_t index = 0;
    memcpy(old, side->session->trace.block, sizeof old);
    if (!read_target(where, &target)) {
        state_say(state, true,
                  "a jump reads: block X,Y  warp N  lane N  site N  (or b, w, l, s), or: cell R,C");
        return false;
    }
    if (target.cell[0] >= 0)
        return jump_to_cell(state, target.cell);
    if (target.lane >= LANES) {
        state_say(state, true, "a warp has lanes 0 to 31");
        return false;
    }
    if (target.block[0] >= 0 && !jump_block(state, side, &target))
        return false;
    if ((target.warp >= 0 || target.site >= 0) && !find(&side->session->trace, &target, &index)) {
        char text[120];
        (void)snprintf(
            text, sizeof text, "this block has no such access; it has %u warps and %u sites, from 0",
            launch_warps(&side->session->scenario.launch), side->session->scenario.program->site_count);
        (void)enter(state, side, old);
        state_say(state, true, text);
        return false;
    }
    if (target.lane >= 0)
        side->lane = (unsigned)target.lane;
    if (target.block[0] >= 0 || target.warp >= 0 || target.site >= 0)
        place(side, index, PART_WHOLE);
    move_follow(state);
    return true;
}

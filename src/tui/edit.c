/* edit.c - other configurations: another pitch, size or kernel, a second one beside the first, and the line
 * in which values are typed. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../sim/report/rung.h"
#include "../../base/parse_number.h"
#include "state.h"

const char *const field_names[FIELD_COUNT] = {"rows", "cols", "tile", "block rows", "pitch", "elem"};

uint64_t field_value(const struct session *session, enum field field)
{
    const struct scenario *s = &session->scenario;
    const uint64_t values[FIELD_COUNT] = {s->rows, s->cols, s->tile, s->block_rows, s->pitch, s->elem_bytes};
    return values[field];
}

bool field_applies(const struct session *session, enum field field)
{
    static const char *const words[FIELD_COUNT] = {NULL, NULL, "TILE", "BLOCK_ROWS", "PITCH", "ELEM"};
    return !words[field] || session_mentions(session, words[field]);
}

static struct side *here(struct state *state)
{
    return &state->side[state->active];
}

static void forget_views(struct side *side)
{
    if (side->has_heat)
        heatmap_free(&side->heat);
    if (side->has_owners)
        ownership_free(&side->owners);
    side->has_heat = side->has_owners = false;
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
    forget_views(side);
    session_free(side->session);
    side->session = fresh;
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
    replace(state, here(state), fresh);
    return true;
}

bool edit_options(struct state *state, const struct scenario_options *options)
{
    const struct session *session = here(state)->session;
    struct source text = session->scenario.text;
    return open_kernel(state, session->name, &text, options);
}

void edit_pitch(struct state *state, int by)
{
    const struct session *session = here(state)->session;
    struct scenario_options options = session->scenario.options;
    uint64_t pitch = session->scenario.pitch;
    if (!session_mentions(session, "PITCH") || pitch == 0) {
        char text[120];
        (void)snprintf(text, sizeof text, "%s has no PITCH: there is no tile to pad; ] goes to the next rung",
                       session->name);
        state_say(state, true, text);
        return;
    }
    options.pitch = (uint32_t)pitch + (uint32_t)by;
    if (pitch >= UINT32_MAX / 2 || options.pitch == 0) {
        state_say(state, true, "the pitch must be at least 1");
        return;
    }
    const struct trace_access *access = side_access(here(state));
    unsigned before = access ? access->cost.units : 0;
    if (!edit_options(state, &options))
        return;
    char text[120];
    int used = snprintf(text, sizeof text, "pitch %" PRIu64 " to %u", pitch, options.pitch);
    access = side_access(here(state));
    if (access && access->access.site->kind->space == SPACE_SHARED && access->cost.units != before)
        (void)snprintf(text + used, sizeof text - (size_t)used,
                       ": this access went from %u to %u wavefront%s", before, access->cost.units,
                       access->cost.units == 1 ? "" : "s");
    state_say(state, false, text);
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
    options.dynamic_shared = given->dynamic_shared;
    options.task = given->task;
    memcpy(options.arguments, given->arguments, sizeof options.arguments);
    options.argument_count = given->argument_count;
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
    const struct session *session = here(state)->session;
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
        forget_views(other);
        session_free(other->session);
        *other = (struct side){0};
        if (state->active == 1) {
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

void edit_begin(struct state *state, enum prompt prompt, const char *typed)
{
    state->prompt = prompt;
    state->playing = false;
    (void)snprintf(state->typed, sizeof state->typed, "%s", typed);
}

/* A wider tile keeps its padding: 32 with pitch 33 becomes 16 with pitch 17. */
static void set_field(struct scenario_options *options, const struct scenario *s, enum field field,
                      uint32_t value)
{
    switch (field) {
    case FIELD_ROWS:
        options->rows = value;
        break;
    case FIELD_COLS:
        options->cols = value;
        break;
    case FIELD_TILE:
        if (options->pitch && s->pitch >= s->tile && value <= UINT32_MAX / 2)
            options->pitch = (uint32_t)(value + s->pitch - s->tile);
        options->tile = value;
        break;
    case FIELD_BLOCK_ROWS:
        options->block_rows = value;
        break;
    case FIELD_PITCH:
        options->pitch = value;
        break;
    default:
        options->elem_bytes = value;
    }
}

/* A block or grid given as numbers does not follow the sizes. */
static void say_what_stays(struct state *state)
{
    const struct scenario *s = &here(state)->session->scenario;
    enum field field = state->field;
    bool is_size = field == FIELD_ROWS || field == FIELD_COLS;
    bool grid = s->options.grid.count && (is_size || field == FIELD_TILE);
    bool block = s->options.block.count && (field == FIELD_TILE || field == FIELD_BLOCK_ROWS);
    const uint32_t *g = s->launch.grid, *b = s->launch.block;
    char text[160];
    int used = snprintf(text, sizeof text, "%s is %" PRIu64, field_names[field],
                        field_value(here(state)->session, field));
    if (grid)
        used += snprintf(text + used, sizeof text - (size_t)used, "; the grid stays %u x %u x %u, as given",
                         g[0], g[1], g[2]);
    if (block)
        (void)snprintf(text + used, sizeof text - (size_t)used, "; the block stays %u x %u x %u, as given",
                       b[0], b[1], b[2]);
    if (grid || block)
        state_say(state, false, text);
}

static bool apply_field(struct state *state)
{
    const struct session *session = here(state)->session;
    struct scenario_options options = session->scenario.options;
    uint64_t value;
    char text[120];
    if (!parse_number(state->typed, 1, INT32_MAX, &value)) {
        (void)snprintf(text, sizeof text, "%s is a number from 1 to 2147483647, not '%.20s'",
                       field_names[state->field], state->typed);
        state_say(state, true, text);
        return false;
    }
    set_field(&options, &session->scenario, state->field, (uint32_t)value);
    if (!edit_options(state, &options))
        return false;
    say_what_stays(state);
    return true;
}

/* From the current field on, `by` further; fields that the text does not use are passed over. */
void edit_field(struct state *state, int by)
{
    const struct session *session = here(state)->session;
    char text[32];
    int field = ((int)state->field + by + FIELD_COUNT) % FIELD_COUNT, step = by ? by : 1;
    while (!field_applies(session, (enum field)field))
        field = (field + step + FIELD_COUNT) % FIELD_COUNT;
    state->field = (enum field)field;
    (void)snprintf(text, sizeof text, "%" PRIu64, field_value(session, state->field));
    edit_begin(state, PROMPT_FIELD, text);
}

static void apply(struct state *state)
{
    enum prompt prompt = state->prompt;
    bool done = true;
    if (prompt == PROMPT_FIELD)
        done = apply_field(state);
    else if (prompt == PROMPT_JUMP)
        done = move_jump(state, state->typed);
    else if (state->typed[0])
        (void)snprintf(state->save_path, sizeof state->save_path, "%s", state->typed);
    if (done) /* otherwise it stays open, to be mended */
        state->prompt = PROMPT_NONE;
}

void edit_press(struct state *state, int key)
{
    size_t length = strlen(state->typed);
    bool is_field = state->prompt == PROMPT_FIELD;
    if (key == PRESS_ESCAPE) {
        state->prompt = PROMPT_NONE;
    } else if (key == PRESS_ENTER) {
        apply(state);
    } else if (is_field && (key == PRESS_TAB || key == PRESS_RIGHT || key == PRESS_DOWN)) {
        edit_field(state, 1);
    } else if (is_field && (key == PRESS_BACK_TAB || key == PRESS_LEFT || key == PRESS_UP)) {
        edit_field(state, -1);
    } else if (key == PRESS_BACKSPACE) {
        if (length)
            state->typed[length - 1] = '\0';
    } else if (key == 0x15) { /* Ctrl-U */
        state->typed[0] = '\0';
    } else if (key >= ' ' && key < 0x7f && length + 1 < PROMPT_SIZE) {
        state->typed[length] = (char)key;
        state->typed[length + 1] = '\0';
    }
}

/* option_values.c - what the text after each option means: strict numbers, shapes, choices. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"

bool parse_shape(const char *text, uint32_t low, struct shape *shape)
{
    *shape = (struct shape){.size = {1, 1, 1}};
    for (unsigned i = 0; i < 3; i++) {
        char part[16];
        size_t length = strcspn(text, "x,");
        uint64_t value;
        if (length == 0 || length >= sizeof part)
            return false;
        memcpy(part, text, length);
        part[length] = '\0';
        if (!parse_number(part, low, UINT32_MAX, &value))
            return false;
        shape->size[i] = (uint32_t)value;
        shape->count = i + 1;
        text += length;
        if (!*text)
            return true;
        text++;
    }
    return false;
}

static bool parse_range(const char *text, struct range_filter *range)
{
    char first[32];
    const char *dash = strchr(text, '-');
    size_t length = dash ? (size_t)(dash - text) : strlen(text);
    if (length >= sizeof first)
        return false;
    memcpy(first, text, length);
    first[length] = '\0';
    range->given = true;
    return parse_number(first, 0, UINT64_MAX, &range->first) &&
           parse_number(dash ? dash + 1 : first, range->first, UINT64_MAX, &range->last);
}

static bool bad(struct problem *problem, enum option_id id, const char *text, const char *right)
{
    return problem_say(problem, "--%s takes %s, not '%s'", option_name(id), right, text);
}

static bool number32(struct problem *problem, enum option_id id, const char *text, uint32_t low,
                     uint32_t high, uint32_t *value)
{
    uint64_t number;
    char right[80];
    if (parse_number(text, low, high, &number)) {
        *value = (uint32_t)number;
        return true;
    }
    (void)snprintf(right, sizeof right, "a whole number from %u to %u", low, high);
    return bad(problem, id, text, right);
}

static bool number64(struct problem *problem, enum option_id id, const char *text, uint64_t high,
                     uint64_t *value)
{
    char right[80];
    if (parse_number(text, 0, high, value))
        return true;
    (void)snprintf(right, sizeof right, "a whole number from 0 to %" PRIu64, high);
    return bad(problem, id, text, right);
}

static bool width(struct problem *problem, enum option_id id, const char *text, unsigned *value)
{
    uint64_t number;
    if (!parse_number(text, 1, 16, &number) || (number & (number - 1)))
        return bad(problem, id, text, "1, 2, 4, 8 or 16");
    *value = (unsigned)number;
    return true;
}

static bool pitches(struct options *o, const char *text, struct problem *problem)
{
    o->pitch_count = 0;
    while (*text) {
        char part[16];
        size_t length = strcspn(text, ",");
        if (o->pitch_count == OPTION_PITCH_LIMIT || length >= sizeof part)
            return bad(problem, OPTION_PITCH, text, "at most 16 numbers with commas between them");
        memcpy(part, text, length);
        part[length] = '\0';
        if (!number32(problem, OPTION_PITCH, part, 1, 1 << 24, &o->pitches[o->pitch_count++]))
            return false;
        text += length;
        if (*text == ',' && !*++text)
            return bad(problem, OPTION_PITCH, ",", "a number after each comma");
    }
    if (!o->pitch_count)
        return bad(problem, OPTION_PITCH, text, "a number");
    o->scenario.pitch = o->pitches[0];
    return true;
}

static bool device(struct options *o, const char *text, struct problem *problem)
{
    char names[200] = "";
    o->scenario.device = device_find(text);
    if (o->scenario.device)
        return true;
    for (size_t i = 0; i < device_count; i++) {
        size_t used = strlen(names);
        (void)snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "one of ", devices[i].name);
    }
    return bad(problem, OPTION_DEVICE, text, names);
}

static bool choice(struct problem *problem, enum option_id id, const char *text, const char *const *words,
                   unsigned count, unsigned *index)
{
    for (*index = 0; *index < count; ++*index)
        if (strcmp(text, words[*index]) == 0)
            return true;
    return bad(problem, id, text, option_argument(id));
}

static bool signed_number(struct problem *problem, enum option_id id, const char *text, int64_t *value)
{
    uint64_t number;
    bool negative = *text == '-';
    if (!parse_number(text + negative, 0, UINT64_C(1) << 46, &number))
        return bad(problem, id, text, "a number of bytes");
    *value = negative ? -(int64_t)number : (int64_t)number;
    return true;
}

static bool shape_option(struct problem *problem, enum option_id id, const char *text, uint32_t low,
                         struct shape *shape)
{
    if (parse_shape(text, low, shape))
        return true;
    return bad(problem, id, text, "one to three numbers such as 32x8");
}

static bool add_text(struct problem *problem, enum option_id id, const char **list, unsigned *count,
                     const char *text)
{
    if (*count == SCENARIO_TEXT_LIMIT)
        return problem_say(problem, "--%s can be given at most %u times", option_name(id),
                           SCENARIO_TEXT_LIMIT);
    list[(*count)++] = text;
    return true;
}

static bool set_choice(struct options *o, enum option_id id, const char *text, struct problem *problem)
{
    static const char *const tasks[] = {"transpose", "copy"}, *const spaces[] = {"global", "shared"};
    static const char *const ops[] = {"load", "store"}, *const formats[] = {"text", "csv", "json"};
    static const char *const colors[] = {"auto", "always", "never"};
    unsigned i = 0;
    switch (id) {
    case OPTION_TASK:
        if (!choice(problem, id, text, tasks, 2, &i))
            return false;
        o->scenario.task = i ? TASK_COPY : TASK_TRANSPOSE;
        return true;
    case OPTION_SPACE:
        if (!choice(problem, id, text, spaces, 2, &i))
            return false;
        o->space = i ? SPACE_SHARED : SPACE_GLOBAL;
        return true;
    case OPTION_OP:
        if (!choice(problem, id, text, ops, 2, &i))
            return false;
        o->op = i ? ACCESS_STORE : ACCESS_LOAD;
        return true;
    case OPTION_FORMAT:
        if (!choice(problem, id, text, formats, 3, &i))
            return false;
        o->format = (enum format)i;
        return true;
    default:
        if (!choice(problem, id, text, colors, 3, &i))
            return false;
        if (i)
            o->color = i == 1;
        return true;
    }
}

bool option_set(struct options *o, enum option_id id, const char *text, struct problem *problem)
{
    struct scenario_options *s = &o->scenario;
    switch (id) {
    case OPTION_ROWS:
        o->rows_given = true;
        return number32(problem, id, text, 1, INT32_MAX, &s->rows);
    case OPTION_COLS:
        o->cols_given = true;
        return number32(problem, id, text, 1, INT32_MAX, &s->cols);
    case OPTION_TILE:
        return number32(problem, id, text, 1, 1024, &s->tile);
    case OPTION_BLOCK_ROWS:
        return number32(problem, id, text, 1, 1024, &s->block_rows);
    case OPTION_PITCH:
        return pitches(o, text, problem);
    case OPTION_ELEM:
        o->elem_given = true;
        return width(problem, id, text, &s->elem_bytes);
    case OPTION_IN_OFFSET:
        return number64(problem, id, text, UINT64_C(1) << 40, &s->in_offset);
    case OPTION_OUT_OFFSET:
        return number64(problem, id, text, UINT64_C(1) << 40, &s->out_offset);
    case OPTION_DEVICE:
        return device(o, text, problem);
    case OPTION_DEFINE:
        return add_text(problem, id, s->definitions, &s->definition_count, text);
    case OPTION_KERNEL:
        s->kernel = text;
        return true;
    case OPTION_IN:
        s->in = text;
        return true;
    case OPTION_OUT:
        s->out = text;
        return true;
    case OPTION_BLOCK:
        return shape_option(problem, id, text, 1, &s->block);
    case OPTION_GRID:
        return shape_option(problem, id, text, 1, &s->grid);
    case OPTION_ARG:
        return add_text(problem, id, s->arguments, &s->argument_count, text);
    case OPTION_SHARED:
        return number64(problem, id, text, UINT64_C(1) << 31, &s->dynamic_shared);
    case OPTION_REGISTERS:
        return number32(problem, id, text, 1, 255, &o->registers);
    case OPTION_BUDGET:
        return number64(problem, id, text, UINT64_C(1) << 50, &s->budget);
    case OPTION_TIME_LIMIT:
        return number32(problem, id, text, 0, 1000000, &o->patience.seconds);
    case OPTION_LANES:
        return o->lanes = true;
    case OPTION_METRICS:
        return o->metrics = true;
    case OPTION_AT_BLOCK:
        return shape_option(problem, id, text, 0, &o->at_block);
    case OPTION_AT_WARP:
        return parse_range(text, &o->at_warp) || bad(problem, id, text, "a number, or two with a dash");
    case OPTION_AT_SITE:
        return parse_range(text, &o->at_site) || bad(problem, id, text, "a number, or two with a dash");
    case OPTION_AT_STEP:
        return parse_range(text, &o->at_step) || bad(problem, id, text, "a number, or two with a dash");
    case OPTION_LIMIT:
        return number64(problem, id, text, UINT64_C(1) << 50, &o->limit);
    case OPTION_LANE_BYTES:
        return width(problem, id, text, &o->lane_bytes);
    case OPTION_INDEX_BYTES:
        return parse_number(text, 1, UINT64_C(1) << 32, &o->index_bytes) ||
               bad(problem, id, text, "a number of bytes from 1 to 4294967296");
    case OPTION_BASE:
        return signed_number(problem, id, text, &o->base);
    case OPTION_BLOCK_IDX:
        return shape_option(problem, id, text, 0, &o->block_idx);
    case OPTION_ACTIVE:
        o->active = text;
        return true;
    case OPTION_MODULUS:
        return number32(problem, id, text, 1, 128, &o->modulus);
    case OPTION_STRIDE:
        return number32(problem, id, text, 0, 1024, &o->stride);
    case OPTION_CONFIGS:
        o->confirm.configs = text;
        return true;
    case OPTION_RANDOM:
        return number64(problem, id, text, 1000000, &o->confirm.random);
    case OPTION_SEED:
        return number64(problem, id, text, UINT64_MAX, &o->confirm.seed);
    case OPTION_COUNTERS:
        return o->confirm.counters = true;
    case OPTION_RECORD:
        o->confirm.record = text;
        return true;
    case OPTION_RECORD_ACCESSES:
        o->confirm.record_accesses = text;
        return true;
    case OPTION_PATTERNS:
        o->confirm.patterns = text;
        return true;
    case OPTION_LAUNCH_ONLY:
        return o->confirm.launch_only = true;
    case OPTION_OUTPUT:
        o->output = text;
        return true;
    case OPTION_HELP:
        return o->help = true;
    default:
        return set_choice(o, id, text, problem);
    }
}

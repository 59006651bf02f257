#include "axes.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../../base/parse_number.h"
#include "../../sim/report/rung.h"

static const struct {
    const char *name;
    enum axis_kind kind;
} known[] = {{"TILE", AXIS_TILE},
             {"BLOCK_ROWS", AXIS_BLOCK_ROWS},
             {"PITCH", AXIS_PITCH},
             {"ELEM", AXIS_ELEM},
             {"RUNG", AXIS_RUNG}};

static enum axis_kind kind_of(const char *name)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].name, name) == 0)
            return known[i].kind;
    return AXIS_MACRO;
}

static bool is_name(const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    return *name && !(*name >= '0' && *name <= '9') && !name[strspn(name, letters)];
}

/* LO:HI or LO:HI:STEP. False: it is something else, or not a right one (*bad). */
static bool parse_range(const char *text, uint64_t range[3], bool *bad)
{
    char part[32];
    range[2] = 1;
    *bad = false;
    if (!strchr(text, ':') || text[strspn(text, "0123456789:")])
        return false;
    *bad = true;
    for (unsigned i = 0; i < 3; i++) {
        size_t length = strcspn(text, ":");
        if (!length || length >= sizeof part)
            return false;
        memcpy(part, text, length);
        part[length] = '\0';
        if (!parse_number(part, 0, UINT32_MAX, &range[i]))
            return false;
        text += length;
        if (!*text && i)
            break;
        if (!*text || i == 2)
            return false;
        text++;
    }
    *bad = range[1] < range[0] || !range[2];
    return !*bad;
}

static void add_value(struct sweep_axes *axes, struct sweep_axis *axis, const char *text)
{
    struct axis_value *value = &axis->values[axis->count++];
    value->text = arena_copy(&axes->arena, text, strlen(text));
    value->is_number = parse_number(text, 0, UINT64_MAX, &value->number);
}

/* How many values a part stands for; 0 after filling the problem. */
static uint64_t values_of(const struct sweep_axis *axis, const char *part, uint64_t range[3],
                          struct problem *problem)
{
    bool bad;
    uint64_t bytes;
    if (!*part) {
        problem_say(problem,
                    "--sweep %s has a value of no characters; a value stands before, between and "
                    "behind commas",
                    axis->name);
        return 0;
    }
    if (parse_range(part, range, &bad))
        return (range[1] - range[0]) / range[2] + 1;
    if (bad)
        problem_say(problem,
                    "--sweep %s: a range is LO:HI or LO:HI:STEP, LO at most HI and STEP at least 1, not "
                    "'%.60s'",
                    axis->name, part);
    else if (axis->kind == AXIS_RUNG && !rung_find(part))
        problem_say(problem, "--sweep RUNG: there is no rung %.60s; lanescope ladder shows them", part);
    else if (axis->kind == AXIS_ELEM && parse_number(part, 0, UINT64_MAX, &bytes) &&
             (!bytes || bytes > 16 || (bytes & (bytes - 1))))
        problem_say(problem, "--sweep ELEM: an element has 1, 2, 4, 8 or 16 bytes, not %.20s", part);
    else
        return 1;
    return 0;
}

/* The next part of a list, up to a comma outside parentheses; moves *text behind it. NULL: there is none. */
static const char *next_part(struct sweep_axes *axes, const char **text)
{
    const char *begin = *text, *at = begin;
    int depth = 0;
    if (!begin)
        return NULL;
    for (; *at && (*at != ',' || depth > 0); at++)
        depth += (*at == '(') - (*at == ')');
    *text = *at ? at + 1 : NULL;
    return arena_copy(&axes->arena, begin, (size_t)(at - begin));
}

static bool read_values(struct sweep_axes *axes, struct sweep_axis *axis, const char *text,
                        struct problem *problem)
{
    uint64_t total = 0, range[3];
    const char *part, *rest = text;
    while ((part = next_part(axes, &rest)) != NULL) {
        uint64_t count = values_of(axis, part, range, problem);
        if (!count)
            return false;
        total += count;
        if (total > CONFIGURATION_LIMIT)
            return problem_say(problem, "--sweep %s has more than %" PRIu64 " values", axis->name,
                               CONFIGURATION_LIMIT);
    }
    axis->values = arena_take(&axes->arena, (size_t)total * sizeof *axis->values);
    for (rest = text; (part = next_part(axes, &rest)) != NULL;) {
        bool bad;
        char number[24];
        if (!parse_range(part, range, &bad)) {
            add_value(axes, axis, part);
            continue;
        }
        for (uint64_t value = range[0]; value <= range[1]; value += range[2]) {
            (void)snprintf(number, sizeof number, "%" PRIu64, value);
            add_value(axes, axis, number);
        }
    }
    return true;
}

static bool read_axis(struct sweep_axes *axes, const char *text, struct problem *problem)
{
    const char *equals = strchr(text, '=');
    if (axes->count == AXIS_LIMIT)
        return problem_say(problem, "a sweep varies at most %u names", AXIS_LIMIT);
    struct sweep_axis *axis = &axes->list[axes->count];
    axis->name = arena_copy(&axes->arena, text, equals ? (size_t)(equals - text) : 0);
    if (!is_name(axis->name))
        return problem_say(problem,
                           "--sweep takes NAME=VALUES, such as PITCH=32:66 or TILE=8,16, not '%.60s'", text);
    for (unsigned i = 0; i < axes->count; i++)
        if (strcmp(axes->list[i].name, axis->name) == 0)
            return problem_say(problem, "%s is swept twice; give all its values in one --sweep", axis->name);
    axis->kind = kind_of(axis->name);
    axes->count++;
    if (!read_values(axes, axis, equals + 1, problem))
        return false;
    axes->configurations *= axis->count;
    if (axes->configurations > CONFIGURATION_LIMIT)
        return problem_say(problem, "these are more than %" PRIu64 " configurations", CONFIGURATION_LIMIT);
    return true;
}

bool axes_read(struct sweep_axes *axes, const char *const *texts, unsigned count, struct problem *problem)
{
    *axes = (struct sweep_axes){.configurations = 1};
    for (unsigned i = 0; i < count; i++)
        if (!read_axis(axes, texts[i], problem))
            return false;
    return true;
}

void axes_free(struct sweep_axes *axes)
{
    arena_free(&axes->arena);
}

const struct sweep_axis *axes_find(const struct sweep_axes *axes, enum axis_kind kind)
{
    for (unsigned i = 0; i < axes->count; i++)
        if (axes->list[i].kind == kind)
            return &axes->list[i];
    return NULL;
}

size_t axes_index(const struct sweep_axes *axes, unsigned axis, uint64_t configuration)
{
    for (unsigned i = axes->count; --i > axis;)
        configuration /= axes->list[i].count;
    return (size_t)(configuration % axes->list[axis].count);
}

static bool define(const struct sweep_axis *axis, const struct axis_value *value,
                   struct scenario_options *options, struct arena *arena)
{
    size_t name = strlen(axis->name), size = name + strlen(value->text) + 2;
    if (options->definition_count == SCENARIO_TEXT_LIMIT)
        return false;
    char *text = arena_take(arena, size);
    (void)snprintf(text, size, "%s=%s", axis->name, value->text);
    options->definitions[options->definition_count++] = text;
    return true;
}

bool axes_apply(const struct sweep_axes *axes, uint64_t configuration, uint32_t used, bool is_rung,
                struct scenario_options *options, struct arena *arena)
{
    for (unsigned i = 0; i < axes->count; i++) {
        const struct sweep_axis *axis = &axes->list[i];
        const struct axis_value *value = &axis->values[axes_index(axes, i, configuration)];
        bool fits = is_rung && value->is_number && value->number && value->number <= 1u << 24;
        if (axis->kind == AXIS_RUNG || !(used >> i & 1))
            continue;
        if (axis->kind == AXIS_ELEM && value->is_number)
            options->elem_bytes = (unsigned)value->number;
        else if (axis->kind == AXIS_TILE && fits)
            options->tile = (uint32_t)value->number;
        else if (axis->kind == AXIS_BLOCK_ROWS && fits)
            options->block_rows = (uint32_t)value->number;
        else if (axis->kind == AXIS_PITCH && fits)
            options->pitch = (uint32_t)value->number;
        else if (!define(axis, value, options, arena))
            return false;
    }
    return true;
}

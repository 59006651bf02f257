/* option_values.c - what the text after each option means: strict numbers, shapes, choices. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../base/parse_number.h"
#include "option_row.h"

static bool parse_shape(const char *text, uint32_t low, struct shape *shape)
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

static bool bad(struct problem *problem, const struct option_row *row, const char *text, const char *right)
{
    return problem_say(problem, "--%s takes %s, not '%s'", row->name, right, text);
}

static void *place_of(const struct option_row *row, struct options *options)
{
    return (char *)options + row->place;
}

/* Numbers are 4 or 8 bytes wide. */
static void store(const struct option_row *row, struct options *options, uint64_t number)
{
    uint32_t narrow = (uint32_t)number;
    if (row->width == sizeof number)
        memcpy(place_of(row, options), &number, sizeof number);
    else
        memcpy(place_of(row, options), &narrow, sizeof narrow);
}

static bool parse_in_range(const struct option_row *row, const char *text, uint64_t *number,
                           struct problem *problem)
{
    char right[80];
    if (parse_number(text, row->least, row->most, number))
        return true;
    (void)snprintf(right, sizeof right, "a whole number from %" PRIu64 " to %" PRIu64, row->least, row->most);
    return bad(problem, row, text, right);
}

bool read_number(const struct option_row *row, const char *text, struct options *options,
                 struct problem *problem)
{
    uint64_t number;
    if (!parse_in_range(row, text, &number, problem))
        return false;
    store(row, options, number);
    return true;
}

bool read_power(const struct option_row *row, const char *text, struct options *options,
                struct problem *problem)
{
    uint64_t number;
    if (!parse_number(text, 1, 16, &number) || (number & (number - 1)))
        return bad(problem, row, text, "1, 2, 4, 8 or 16");
    store(row, options, number);
    return true;
}

bool read_signed(const struct option_row *row, const char *text, struct options *options,
                 struct problem *problem)
{
    uint64_t number;
    bool negative = *text == '-';
    if (!parse_number(text + negative, 0, row->most, &number))
        return bad(problem, row, text, "a number of bytes");
    store(row, options, negative ? -number : number);
    return true;
}

bool read_shape(const struct option_row *row, const char *text, struct options *options,
                struct problem *problem)
{
    return parse_shape(text, (uint32_t)row->least, place_of(row, options)) ||
           bad(problem, row, text, "one to three numbers such as 32x8");
}

bool read_range(const struct option_row *row, const char *text, struct options *options,
                struct problem *problem)
{
    return parse_range(text, place_of(row, options)) ||
           bad(problem, row, text, "a number, or two with a dash");
}

/* Which of the words, with | between them, is it? -1: none. */
static int find_word(const char *words, const char *text)
{
    size_t length = strlen(text);
    for (int i = 0; *words; i++) {
        size_t word = strcspn(words, "|");
        if (word == length && memcmp(words, text, length) == 0)
            return i;
        words += word + (words[word] == '|');
    }
    return -1;
}

bool read_choice(const struct option_row *row, const char *text, struct options *options,
                 struct problem *problem)
{
    int word = find_word(row->argument, text);
    if (word < 0)
        return bad(problem, row, text, row->argument);
    store(row, options, (uint64_t)row->values[word]);
    return true;
}

bool read_color(const struct option_row *row, const char *text, struct options *options,
                struct problem *problem)
{
    enum { AUTO, ALWAYS, NEVER }; /* the argument's words */
    int word = find_word(row->argument, text);
    if (word < 0)
        return bad(problem, row, text, row->argument);
    if (word != AUTO)
        options->color = word == ALWAYS;
    return true;
}

bool read_flag(const struct option_row *row, const char *text, struct options *options,
               struct problem *problem)
{
    (void)text;
    (void)problem;
    return *(bool *)place_of(row, options) = true;
}

bool read_string(const struct option_row *row, const char *text, struct options *options,
                 struct problem *problem)
{
    (void)problem;
    *(const char **)place_of(row, options) = text;
    return true;
}

bool read_input_path(const struct option_row *row, const char *text, struct options *options,
                     struct problem *problem)
{
    return read_string(row, text, options, problem);
}

bool read_output_path(const struct option_row *row, const char *text, struct options *options,
                      struct problem *problem)
{
    return read_string(row, text, options, problem);
}

bool read_strings(const struct option_row *row, const char *text, struct options *options,
                  struct problem *problem)
{
    const char **list = place_of(row, options);
    unsigned *count = (unsigned *)(void *)((char *)options + row->count);
    if (*count == SCENARIO_TEXT_LIMIT)
        return problem_say(problem, "--%s can be given at most %u times", row->name, SCENARIO_TEXT_LIMIT);
    list[(*count)++] = text;
    return true;
}

bool read_pitches(const struct option_row *row, const char *text, struct options *options,
                  struct problem *problem)
{
    options->pitch_count = 0;
    while (*text) {
        char part[16];
        uint64_t number;
        size_t length = strcspn(text, ",");
        if (options->pitch_count == OPTION_PITCH_LIMIT || length >= sizeof part)
            return bad(problem, row, text, "at most 16 numbers with commas between them");
        memcpy(part, text, length);
        part[length] = '\0';
        if (!parse_in_range(row, part, &number, problem))
            return false;
        options->pitches[options->pitch_count++] = (uint32_t)number;
        text += length;
        if (*text == ',' && !*++text)
            return bad(problem, row, ",", "a number after each comma");
    }
    if (!options->pitch_count)
        return bad(problem, row, text, "a number");
    options->scenario.pitch = options->pitches[0];
    return true;
}

bool read_task(const struct option_row *row, const char *text, struct options *options,
               struct problem *problem)
{
    static const char batch[] = "batch:", map[] = "map:";
    struct scenario_options *s = &options->scenario;
    uint64_t count;
    if (strcmp(text, "transpose") == 0) {
        s->task = TASK_TRANSPOSE;
    } else if (strcmp(text, "copy") == 0) {
        s->task = TASK_COPY;
    } else if (strncmp(text, map, sizeof map - 1) == 0 && text[sizeof map - 1]) {
        s->map = text + sizeof map - 1;
    } else if (strncmp(text, batch, sizeof batch - 1) == 0 &&
               parse_number(text + sizeof batch - 1, 1, INT32_MAX, &count)) {
        s->batch = (uint32_t)count;
    } else {
        return bad(problem, row, text, "transpose, copy, batch:N or map:FORMULA");
    }
    return true;
}

bool read_axes(const struct option_row *row, const char *text, struct options *options,
               struct problem *problem)
{
    struct axes *axes = place_of(row, options);
    axes->count = 0;
    for (const char *at = text;; at++) {
        char part[16];
        uint64_t number;
        size_t length = strcspn(at, ",");
        (void)snprintf(part, sizeof part, "%.*s", (int)(length < sizeof part ? length : sizeof part - 1), at);
        if (axes->count == TASK_AXES || length >= sizeof part ||
            !parse_number(part, row->least, row->most, &number))
            return bad(problem, row, text, "1 to 5 numbers with commas between them");
        axes->at[axes->count++] = (uint32_t)number;
        at += length;
        if (!*at)
            return true;
    }
}

bool read_device(const struct option_row *row, const char *text, struct options *options,
                 struct problem *problem)
{
    char names[200] = "";
    options->scenario.device = device_find(text);
    if (options->scenario.device)
        return true;
    for (size_t i = 0; i < device_count; i++) {
        size_t used = strlen(names);
        (void)snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "one of ", devices[i].name);
    }
    return bad(problem, row, text, names);
}

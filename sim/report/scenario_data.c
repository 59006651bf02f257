/* scenario_data.c - what buffers of numbers hold: a formula, numbers drawn at random, a list, a file. */
#include "scenario_data.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../../base/csv.h"
#include "../../base/text.h"

enum { FILE_LIMIT = 64 << 20 };

static const char *data_name(const struct scenario *s)
{
    return s->options.data_name ? s->options.data_name : "data";
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static struct source trimmed(const char *name, const char *begin, const char *end)
{
    while (begin < end && is_blank(*begin))
        begin++;
    while (begin < end && is_blank(end[-1]))
        end--;
    return (struct source){name, begin, (size_t)(end - begin)};
}

bool scenario_find_data(struct scenario *s, struct problem *problem)
{
    for (unsigned i = 0; i < s->options.data_count; i++) {
        struct source text = scenario_text(s, data_name(s), s->options.data[i]);
        const char *equals = memchr(text.bytes, '=', text.size);
        struct source name = trimmed(text.name, text.bytes, equals ? equals : text.bytes);
        int index = -1;
        for (unsigned p = 0; p < s->program->parameter_count; p++) {
            const struct parameter *parameter = &s->program->parameters[p];
            if (parameter->type.kind == TYPE_POINTER && strlen(parameter->name) == name.size &&
                memcmp(parameter->name, name.bytes, name.size) == 0)
                index = (int)p;
        }
        if (!equals || index < 0)
            return problem_say(
                problem, "%s %.200s: this is NAME=CONTENTS, where NAME is a pointer parameter of the kernel",
                text.name, s->options.data[i]);
        if (!parameter_number(&s->program->parameters[index]))
            return problem_say(
                problem,
                "%s %.200s: %s is no buffer of numbers; other data has no number here and needs none",
                text.name, s->options.data[i], s->program->parameters[index].name);
        struct scenario_data *data =
            scenario_data_of(s, (unsigned)index); /* a later one replaces an earlier */
        if (!data) {
            if (!s->data)
                s->data = arena_take(&s->arena, s->program->parameter_count * sizeof *s->data);
            data = &s->data[s->data_count++];
        }
        *data = (struct scenario_data){
            .parameter = (unsigned)index,
            .name = s->program->parameters[index].name,
            .type = parameter_number(&s->program->parameters[index]),
            .text = trimmed(text.name, equals + 1, text.bytes + text.size),
        };
    }
    return true;
}

struct scenario_data *scenario_data_of(const struct scenario *s, unsigned parameter)
{
    for (unsigned i = 0; i < s->data_count; i++)
        if (s->data[i].parameter == parameter)
            return &s->data[i];
    return NULL;
}

void scenario_limits(const struct type *type, int64_t *low, int64_t *high)
{
    if (type->kind == TYPE_FLOAT) {
        *high = INT64_C(1) << (type->bytes == 8 ? 53 : type->bytes == 4 ? 24 : 8);
        *low = -*high;
        return;
    }
    unsigned bits = type->kind == TYPE_BOOL ? 1 : 8u * type->bytes;
    *low = type->kind != TYPE_BOOL && (type->is_signed || bits == 64)
               ? -1 - (int64_t)(UINT64_MAX >> (65 - bits))
               : 0;
    *high = (int64_t)(UINT64_MAX >> (bits == 64 ? 1 : 64 - bits + (*low != 0)));
}

static bool check_number(const struct scenario_data *data, int64_t index, int64_t value,
                         struct problem *problem)
{
    int64_t low, high;
    if (data->type->kind == TYPE_BOOL) /* all but 0 is true */
        return true;
    scenario_limits(data->type, &low, &high);
    return (value >= low && value <= high) ||
           problem_say(problem, "%s[%" PRId64 "] would be %" PRId64 ", and it holds %" PRId64 " to %" PRId64,
                       data->name, index, value, low, high);
}

static bool values_listed(const void *self, uint32_t mask, const int64_t index[32], int64_t value[32],
                          struct problem *problem)
{
    const struct scenario_data *data = self;
    (void)problem;
    for (; mask; mask &= mask - 1) {
        unsigned lane = (unsigned)__builtin_ctz(mask);
        value[lane] = data->values[index[lane]];
    }
    return true;
}

static bool values_of_formula(const void *self, uint32_t mask, const int64_t index[32], int64_t value[32],
                              struct problem *problem)
{
    const struct scenario_data *data = self;
    int64_t names[3][FORMULA_LANES] = {{0}}; /* i, row, col */
    for (unsigned lane = 0; lane < FORMULA_LANES; lane++) {
        int64_t i = data->each ? index[lane] % data->each : index[lane];
        names[0][lane] = i;
        names[1][lane] = i / data->cols;
        names[2][lane] = i % data->cols;
    }
    uint32_t bad = formula_values(&data->formula, mask, (const int64_t(*)[FORMULA_LANES])names, value);
    if (bad)
        return problem_say(problem,
                           "%s[%" PRId64 "] has no value: its formula divides by zero or overflows there",
                           data->name, index[__builtin_ctz(bad)]);
    for (; mask; mask &= mask - 1) {
        unsigned lane = (unsigned)__builtin_ctz(mask);
        if (!check_number(data, index[lane], value[lane], problem))
            return false;
    }
    return true;
}

/* splitmix64 (Steele, Lea, Flood 2014) of the cell's number: no cell depends on another. */
static bool values_at_random(const void *self, uint32_t mask, const int64_t index[32], int64_t value[32],
                             struct problem *problem)
{
    const struct scenario_data *data = self;
    (void)problem;
    for (; mask; mask &= mask - 1) {
        unsigned lane = (unsigned)__builtin_ctz(mask);
        uint64_t x = data->seed + ((uint64_t)index[lane] + 1) * 0x9e3779b97f4a7c15u;
        x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
        x = (x ^ x >> 27) * 0x94d049bb133111ebu;
        x ^= x >> 31;
        value[lane] = (int64_t)((uint64_t)data->low + (data->span ? x % data->span : x));
    }
    return true;
}

static bool add_value(struct scenario_data *data, int64_t value, struct problem *problem)
{
    if (!check_number(data, (int64_t)data->count, value, problem))
        return false;
    if (data->count == data->capacity) {
        data->capacity = data->capacity ? 2 * data->capacity : 64;
        data->values = memory_resize(data->values, data->capacity, sizeof *data->values);
    }
    data->values[data->count++] = value;
    return true;
}

const char *scenario_item_end(const char *at, const char *end)
{
    for (int depth = 0; at < end && (depth > 0 || *at != ','); at++)
        depth += (*at == '(') - (*at == ')');
    return at;
}

static bool take_list(struct scenario *s, struct scenario_data *data, struct problem *problem)
{
    const char *at = data->text.bytes, *end = at + data->text.size;
    while (at <= end) {
        const char *stop = scenario_item_end(at, end);
        struct source item = trimmed(data->text.name, at, stop);
        int64_t value;
        if (!item.size && stop == end && data->count) /* "8,": a list of one */
            return true;
        if (!scenario_evaluate(s, &item, &value, problem) || !add_value(data, value, problem))
            return false;
        at = stop + 1;
    }
    return true;
}

static bool take_random(struct scenario *s, struct scenario_data *data, struct problem *problem)
{
    const char *begin = data->text.bytes + strlen("random:"), *end = data->text.bytes + data->text.size;
    const char *dots = begin;
    while (dots + 1 < end && !(dots[0] == '.' && dots[1] == '.'))
        dots++;
    if (dots + 1 >= end)
        return problem_say(problem, "%s %s: random numbers are asked for as random:LO..HI, both included",
                           data->text.name, data->name);
    struct source low = trimmed(data->text.name, begin, dots), high = trimmed(data->text.name, dots + 2, end);
    int64_t from, to;
    if (!scenario_evaluate(s, &low, &from, problem) || !scenario_evaluate(s, &high, &to, problem) ||
        !check_number(data, 0, from, problem) || !check_number(data, 0, to, problem))
        return false;
    if (from > to)
        return problem_say(problem, "%s %s: random:LO..HI goes from the smaller number to the larger one",
                           data->text.name, data->name);
    data->low = from;
    data->span = (uint64_t)to - (uint64_t)from + 1;
    data->seed = s->options.seed;
    for (const char *c = data->name; *c; c++) /* buffers of one seed differ */
        data->seed = (data->seed ^ (unsigned char)*c) * 0x100000001b3u;
    data->contents.values = values_at_random;
    data->contents.is_endless = true;
    return true;
}

static bool take_field(struct scenario_data *data, const struct csv *csv, unsigned field,
                       struct problem *problem)
{
    char *end;
    const char *text = csv->fields[field];
    while (is_blank(*text))
        text++;
    const char *digits = text + (*text == '-' || *text == '+');
    long long value = strtoll(text, &end, 10);
    while (is_blank(*end))
        end++;
    if (*digits < '0' || *digits > '9' || *end)
        return problem_say(problem,
                           "%s, line %" PRIu64
                           ", field %u: '%.40s' is no whole number; the file holds integers "
                           "alone, row by row, lines that begin with # are passed over",
                           csv->name, csv->line, field + 1, csv->fields[field]);
    if ((value == INT64_MAX || value == INT64_MIN) && strlen(digits) > 19)
        return problem_say(problem, "%s, line %" PRIu64 ", field %u: %.40s does not fit 64 bits", csv->name,
                           csv->line, field + 1, csv->fields[field]);
    if (!add_value(data, value, problem)) {
        problem_within(problem, "%s, line %" PRIu64 ", field %u", csv->name, csv->line, field + 1);
        return false;
    }
    return true;
}

static bool take_rows(struct scenario_data *data, const struct source *source, struct problem *problem)
{
    struct csv csv;
    unsigned fields = 0;
    bool ok = true;
    csv_open(&csv, source);
    while (ok && csv_next(&csv, problem)) {
        if (fields && csv.count != fields)
            ok = problem_say(problem,
                             "%s, line %" PRIu64
                             ": this row has %u number%s, the first one %u; all rows have the "
                             "same",
                             csv.name, csv.line, csv.count, csv.count == 1 ? "" : "s", fields);
        fields = csv.count;
        for (unsigned i = 0; ok && i < csv.count; i++)
            ok = take_field(data, &csv, i, problem);
    }
    csv_close(&csv);
    if (ok && !problem->set && !data->count)
        problem_say(problem, "%s holds no numbers", source->name);
    return !problem->set;
}

static bool take_file(struct scenario *s, struct scenario_data *data, struct problem *problem)
{
    struct text text;
    const char *path = arena_copy(&s->arena, data->text.bytes + 1, data->text.size - 1);
    if (!text_read_file(&text, path, FILE_LIMIT, problem))
        return false;
    bool ok = take_rows(data, &text.source, problem);
    text_close(&text);
    return ok;
}

static bool take_contents(struct scenario *s, struct scenario_data *data, struct problem *problem)
{
    static const char *const names[] = {"i", "row", "col"};
    const struct binding bindings[] = {{"rows", s->rows}, {"cols", s->cols}};
    const char *text = data->text.bytes;
    size_t size = data->text.size;
    bool is_pointee = s->program->parameters[data->parameter].origin == ORIGIN_POINTEE;
    data->cols = s->cols;
    data->each = is_pointee ? (int64_t)(POINTEE_STRIDE / data->type->bytes) : 0;
    data->contents = (struct contents){.self = data, .values = values_listed};
    if (!size)
        return problem_say(
            problem,
            "%s %s: what it holds is missing: a formula of i, row and col, random:LO..HI, a list "
            "4,8,15 or @FILE.csv",
            data->text.name, data->name);
    if (is_pointee && (*text == '@' || scenario_item_end(text, text + size) < text + size))
        return problem_say(
            problem, "%s %s: it stands for several buffers, which a formula of i or random:LO..HI fills",
            data->text.name, data->name);
    if (*text == '@')
        return take_file(s, data, problem);
    if (size > strlen("random:") && memcmp(text, "random:", strlen("random:")) == 0)
        return take_random(s, data, problem);
    if (scenario_item_end(text, text + size) < text + size)
        return take_list(s, data, problem);
    data->contents.values = values_of_formula;
    data->contents.is_endless = true;
    return unit_formula(s->unit, &data->text, names, 3, bindings, 2, &data->formula, problem);
}

/* A list says how large its buffer is; a matrix is as large as it is; of others rows x cols is a guess. */
static bool set_size(struct scenario *s, struct scenario_data *data, struct problem *problem)
{
    enum parameter_origin origin = s->program->parameters[data->parameter].origin;
    bool is_matrix =
        (int)data->parameter == s->in || (int)data->parameter == s->out || origin == ORIGIN_VARIABLE;
    uint64_t *bytes = &s->launch.arguments[data->parameter].bytes, width = data->type->bytes;
    uint64_t element = type_size(s->program->parameters[data->parameter].type.to);
    uint64_t cells = (uint64_t)s->rows * s->cols; /* checked */
    if (origin == ORIGIN_POINTEE)
        return true;
    if (data->count && origin == ORIGIN_VARIABLE && data->count != *bytes / width)
        return problem_say(problem, "%s has %" PRIu64 " numbers; %" PRIu64 " are given", data->name,
                           *bytes / width, data->count);
    if (!data->count) {
        data->contents.is_endless = !is_matrix;
        if (!is_matrix && element && cells <= (UINT64_C(1) << 46) / element)
            *bytes = cells * element;
        return true;
    }
    if (is_matrix && data->count != *bytes / width)
        return problem_say(
            problem, "%s is a matrix of %u x %u here, which is %" PRIu64 " numbers; %" PRIu64 " are given",
            data->name, s->rows, s->cols, *bytes / width, data->count);
    *bytes = data->count * width;
    return true;
}

bool scenario_set_data(struct scenario *s, struct problem *problem)
{
    for (unsigned i = 0; i < s->data_count; i++) {
        struct scenario_data *data = &s->data[i];
        if (!take_contents(s, data, problem) || !set_size(s, data, problem))
            return false;
        s->launch.arguments[data->parameter].contents = &data->contents;
    }
    return true;
}

void scenario_free_data(struct scenario *s)
{
    for (unsigned i = 0; i < s->data_count; i++)
        free(s->data[i].values);
    s->data_count = 0;
}

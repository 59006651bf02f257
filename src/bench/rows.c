#include "rows.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../../base/arena.h"
#include "../../base/csv.h"
#include "../../base/parse_number.h"

/* Stable: the names of csv and json. */
static const struct column columns[] = {
    {"kind", NULL},
    {"name", NULL},
    {"rows", NULL},
    {"cols", NULL},
    {"elem_bytes", NULL},
    {"tile", NULL},
    {"block_rows", NULL},
    {"pitch", NULL},
    {"cache", NULL},
    {"repeats", NULL},
    {"median_ms", NULL},
    {"min_ms", NULL},
    {"max_ms", NULL},
    {"bytes", NULL},
    {"gb_per_s", NULL},
    {"percent_of_copy", NULL},
    {"checked", NULL},
    {"wrong", NULL},
    {"sectors", NULL},
    {"ideal_sectors", NULL},
    {"wavefronts", NULL},
    {"ideal_wavefronts", NULL},
    {"device", NULL},
    {"driver", NULL},
    {"cuda", NULL},
    {"processors", NULL},
    {"l2_bytes", NULL},
    {"core_mhz", NULL},
    {"core_mhz_end", NULL},
    {"memory_mhz", NULL},
    {"memory_mhz_end", NULL},
    {"l2_read_sectors", NULL},
    {"l2_written_sectors", NULL},
    {"dram_read_bytes", NULL},
    {"dram_written_bytes", NULL},
    {"partial_sectors", NULL},
    {"macros", NULL},
};

enum { COLUMNS = sizeof columns / sizeof *columns, ROW_LIMIT = 1 << 20 };

struct bench_row *bench_rows_add(struct bench_rows *rows)
{
    if (rows->count == rows->capacity) {
        rows->capacity = rows->capacity ? 2 * rows->capacity : 32;
        rows->list = memory_resize(rows->list, rows->capacity, sizeof *rows->list);
    }
    rows->list[rows->count] = (struct bench_row){0};
    return &rows->list[rows->count++];
}

void bench_rows_free(struct bench_rows *rows)
{
    free(rows->list);
    *rows = (struct bench_rows){0};
}

const struct bench_row *bench_copy_of(const struct bench_rows *rows, const struct bench_row *row)
{
    for (size_t i = 0; i < rows->count; i++) {
        const struct bench_row *r = &rows->list[i];
        if (r->kind == BENCH_COPY && r->rows == row->rows && r->cols == row->cols &&
            r->elem_bytes == row->elem_bytes && r->is_warm == row->is_warm && r->timing.repeats)
            return r;
    }
    return NULL;
}

const struct bench_row *bench_ceiling(const struct bench_rows *rows, const char *name)
{
    for (size_t i = 0; i < rows->count; i++)
        if (rows->list[i].kind == BENCH_CEILING && strcmp(rows->list[i].name, name) == 0)
            return &rows->list[i];
    return NULL;
}

static void add_size(struct table *table, uint64_t value)
{
    if (value)
        table_count(table, value);
    else
        table_absent(table);
}

static void add_times(struct table *table, const struct bench_rows *rows, const struct bench_row *r)
{
    const struct bench_row *copy = bench_copy_of(rows, r);
    if (!r->timing.repeats) {
        for (unsigned i = 0; i < 3; i++)
            table_absent(table);
    } else {
        table_real(table, r->timing.median, 6);
        table_real(table, r->timing.least, 6);
        table_real(table, r->timing.most, 6);
    }
    add_size(table, r->bytes);
    if (r->timing.repeats && r->bytes)
        table_real(table, timing_rate(&r->timing, r->bytes), 1);
    else
        table_absent(table);
    if (r->timing.repeats && r->bytes && copy && r->kind != BENCH_CEILING && r->kind != BENCH_STAGE)
        table_real(table, 100 * timing_rate(&r->timing, r->bytes) / timing_rate(&copy->timing, copy->bytes),
                   2);
    else
        table_absent(table);
}

static void add_row(struct table *table, const struct bench_rows *rows, const struct bench_row *r)
{
    const struct bench_machine *m = &rows->machine;
    table_text(table, bench_kind_name(r->kind));
    table_text(table, r->name);
    add_size(table, r->rows);
    add_size(table, r->cols);
    add_size(table, r->elem_bytes);
    add_size(table, r->tile);
    add_size(table, r->block_rows);
    add_size(table, r->pitch);
    table_text(table, r->is_warm ? "warm" : "cold");
    table_count(table, r->timing.repeats);
    add_times(table, rows, r);
    table_text(table, r->is_checked ? "yes" : "no");
    table_count(table, r->wrong);
    const uint64_t model[] = {r->sectors, r->ideal_sectors, r->wavefronts, r->ideal_wavefronts};
    for (unsigned i = 0; i < 4; i++)
        if (r->is_modelled)
            table_count(table, model[i]);
        else
            table_absent(table);
    table_text(table, m->device);
    table_text(table, m->driver);
    table_text(table, m->cuda);
    add_size(table, m->processors);
    add_size(table, m->l2_bytes);
    add_size(table, m->before.core);
    add_size(table, m->after.core);
    add_size(table, m->before.memory);
    add_size(table, m->after.memory);
    const uint64_t counts[] = {r->l2_read_sectors, r->l2_written_sectors, r->dram_read_bytes,
                               r->dram_written_bytes};
    for (unsigned i = 0; i < 4; i++)
        if (r->is_counted)
            table_count(table, counts[i]);
        else
            table_absent(table);
    if (r->is_modelled)
        table_count(table, r->partial_sectors);
    else
        table_absent(table);
    table_text(table, r->macros);
}

void bench_rows_write(const struct bench_rows *rows, enum format format, FILE *out)
{
    struct table *table = table_new(columns, COLUMNS);
    for (size_t i = 0; i < rows->count; i++)
        add_row(table, rows, &rows->list[i]);
    table_write(table, format, false, out);
    table_free(table);
}

/* Reading: a table's row, and the first thing that is wrong with it. */
struct reader {
    const struct csv *csv;
    const unsigned *place;
    struct problem *problem;
    bool ok;
};

static const char *text_at(const struct reader *r, const char *name)
{
    for (unsigned i = 0; i < COLUMNS; i++)
        if (strcmp(columns[i].name, name) == 0)
            return csv_field(r->csv, r->place[i]);
    return "";
}

static void refuse(struct reader *r, const char *name, const char *wanted)
{
    if (r->ok)
        (void)problem_say(r->problem, "%s:%" PRIu64 ": %s is `%.40s`, but should be %s", r->csv->name,
                          r->csv->line, name, text_at(r, name), wanted);
    r->ok = false;
}

/* "" is 0. */
static uint64_t number_at(struct reader *r, const char *name, uint64_t most)
{
    const char *text = text_at(r, name);
    uint64_t value = 0;
    if (*text && !parse_number(text, 0, most, &value))
        refuse(r, name, "a whole number that is not too large");
    return value;
}

static double real_at(struct reader *r, const char *name)
{
    const char *text = text_at(r, name);
    char *end;
    double value = *text ? strtod(text, &end) : 0;
    if (*text && (*end || !(value >= 0 && value < 1e12)))
        refuse(r, name, "a number of milliseconds");
    return value;
}

static void words_at(struct reader *r, const char *name, char *out, size_t size)
{
    (void)snprintf(out, size, "%.*s", (int)size - 1, text_at(r, name));
}

static void read_kind(struct reader *r, struct bench_row *row)
{
    const char *word = text_at(r, "kind");
    for (row->kind = 0; row->kind < BENCH_KINDS && strcmp(word, bench_kind_name(row->kind)) != 0;)
        row->kind++;
    if (row->kind == BENCH_KINDS) {
        row->kind = BENCH_KERNEL;
        refuse(r, "kind", "kernel, copy, peer, ceiling, stage or trial");
    }
}

static void read_row(struct reader *r, struct bench_row *row)
{
    read_kind(r, row);
    words_at(r, "name", row->name, sizeof row->name);
    words_at(r, "macros", row->macros, sizeof row->macros);
    row->rows = (uint32_t)number_at(r, "rows", INT32_MAX);
    row->cols = (uint32_t)number_at(r, "cols", INT32_MAX);
    row->elem_bytes = (unsigned)number_at(r, "elem_bytes", 16);
    row->tile = number_at(r, "tile", UINT64_MAX);
    row->block_rows = number_at(r, "block_rows", UINT64_MAX);
    row->pitch = number_at(r, "pitch", UINT64_MAX);
    row->is_warm = strcmp(text_at(r, "cache"), "warm") == 0;
    row->timing = (struct timing){.median = real_at(r, "median_ms"),
                                  .least = real_at(r, "min_ms"),
                                  .most = real_at(r, "max_ms"),
                                  .repeats = (unsigned)number_at(r, "repeats", TIMING_LIMIT)};
    row->bytes = number_at(r, "bytes", UINT64_MAX);
    row->is_checked = strcmp(text_at(r, "checked"), "yes") == 0;
    row->wrong = number_at(r, "wrong", UINT64_MAX);
    row->is_modelled = *text_at(r, "sectors") != '\0';
    row->sectors = number_at(r, "sectors", UINT64_MAX);
    row->ideal_sectors = number_at(r, "ideal_sectors", UINT64_MAX);
    row->wavefronts = number_at(r, "wavefronts", UINT64_MAX);
    row->ideal_wavefronts = number_at(r, "ideal_wavefronts", UINT64_MAX);
    row->partial_sectors = number_at(r, "partial_sectors", UINT64_MAX);
    row->is_counted = *text_at(r, "dram_read_bytes") != '\0';
    row->l2_read_sectors = number_at(r, "l2_read_sectors", UINT64_MAX);
    row->l2_written_sectors = number_at(r, "l2_written_sectors", UINT64_MAX);
    row->dram_read_bytes = number_at(r, "dram_read_bytes", UINT64_MAX);
    row->dram_written_bytes = number_at(r, "dram_written_bytes", UINT64_MAX);
    if (row->timing.repeats && !(row->timing.median > 0))
        refuse(r, "median_ms", "more than 0 where something was repeated");
}

static void read_machine(struct reader *r, struct bench_machine *m)
{
    words_at(r, "device", m->device, sizeof m->device);
    words_at(r, "driver", m->driver, sizeof m->driver);
    words_at(r, "cuda", m->cuda, sizeof m->cuda);
    m->processors = (unsigned)number_at(r, "processors", 1 << 20);
    m->l2_bytes = number_at(r, "l2_bytes", UINT64_MAX);
    m->before.core = (unsigned)number_at(r, "core_mhz", 1 << 20);
    m->after.core = (unsigned)number_at(r, "core_mhz_end", 1 << 20);
    m->before.memory = (unsigned)number_at(r, "memory_mhz", 1 << 20);
    m->after.memory = (unsigned)number_at(r, "memory_mhz_end", 1 << 20);
}

bool bench_rows_read(struct bench_rows *rows, const struct source *table, struct problem *problem)
{
    struct csv *csv = memory_take(1, sizeof *csv);
    unsigned place[COLUMNS];
    csv_open(csv, table);
    struct reader reader = {csv, place, problem, csv_header(csv, problem)};
    for (unsigned i = 0; reader.ok && i < COLUMNS; i++) {
        place[i] = csv_find(csv, columns[i].name);
        if (place[i] == CSV_FIELD_LIMIT)
            reader.ok = problem_say(problem, "%s has no column %s: it is no table of lanescope bench",
                                    table->name, columns[i].name);
    }
    while (reader.ok && rows->count < ROW_LIMIT && csv_next(csv, problem)) {
        read_row(&reader, bench_rows_add(rows));
        if (rows->count == 1)
            read_machine(&reader, &rows->machine);
    }
    reader.ok = reader.ok && !problem->set;
    if (reader.ok && !rows->count)
        reader.ok = problem_say(problem, "%s has no row", table->name);
    csv_close(csv);
    free(csv);
    return reader.ok;
}

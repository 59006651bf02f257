/* stages.c - what people read of a consumer of the transposed matrix: its steps, its chains, from which
 * use on converting pays. */
#include <inttypes.h>
#include <string.h>

#include "model.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

static const struct bench_row *stage(const struct bench_rows *rows, const char *name)
{
    for (size_t i = 0; i < rows->count; i++)
        if (rows->list[i].kind == BENCH_STAGE && strcmp(rows->list[i].name, name) == 0)
            return &rows->list[i];
    return NULL;
}

static const struct bench_row *chain(const struct bench_rows *rows, unsigned form, unsigned uses)
{
    char name[64];
    (void)snprintf(name, sizeof name, "%s x %u", bench_form_names[form], uses);
    return stage(rows, name);
}

static void steps_table(const struct bench_rows *rows, bool color, FILE *out)
{
    static const struct column columns[] = {
        {"", "step"}, {"", "ms, median"}, {"", "min"}, {"", "max"}, {"", "GB/s"}};
    struct table *table = table_new(columns, COUNT(columns));
    for (unsigned i = 0; i < BENCH_STEPS; i++) {
        const struct bench_row *row = stage(rows, bench_step_names[i]);
        table_text(table, row->name);
        table_real(table, row->timing.median, 4);
        table_real(table, row->timing.least, 4);
        table_real(table, row->timing.most, 4);
        if (row->bytes)
            table_real(table, bench_rate(row), 1);
        else
            table_absent(table);
    }
    table_write(table, FORMAT_TEXT, color, out);
    table_free(table);
}

/* The chains as they were measured; `first`: the first measured number of uses at which converting once was
 * no slower, 0: none. */
static void chains_table(const struct bench_rows *rows, unsigned *first, bool color, FILE *out)
{
    static const struct column columns[] = {
        {"", "uses"}, {"", "strided"}, {"", "converted once"}, {"", "converted and back each time"}};
    struct table *table = table_new(columns, COUNT(columns));
    *first = 0;
    for (unsigned u = 0; u < BENCH_USES; u++) {
        double ms[BENCH_FORMS];
        table_count(table, 1u << u);
        for (unsigned f = 0; f < BENCH_FORMS; f++) {
            const struct bench_row *row = chain(rows, f, 1u << u);
            ms[f] = row ? row->timing.median : 0;
            if (row)
                table_real(table, ms[f], 4);
            else
                table_absent(table);
        }
        if (!*first && ms[1] > 0 && ms[1] <= ms[0])
            *first = 1u << u;
    }
    table_write(table, FORMAT_TEXT, color, out);
    table_free(table);
}

static void break_even(const struct bench_rows *rows, unsigned first, FILE *out)
{
    double ms[BENCH_STEPS];
    for (unsigned i = 0; i < BENCH_STEPS; i++)
        ms[i] = stage(rows, bench_step_names[i])->timing.median;
    uint64_t even = timing_break_even(ms[0] + ms[1], ms[4], ms[3]);
    if (even)
        (void)fprintf(
            out, "by the steps, converting pays from use %" PRIu64 " on (%" PRIu64 " without the allocation)",
            even, timing_break_even(ms[1], ms[4], ms[3]));
    else
        (void)fputs("by the steps, converting never pays: the consumer is not slower on the original", out);
    if (first)
        (void)fprintf(out, "; of the chains, that with %u is the first in which it did\n", first);
    else
        (void)fputs("; in none of the chains did it\n", out);
}

void bench_stages(const struct bench_rows *rows, bool color, FILE *out)
{
    uint64_t differ = 0;
    unsigned first;
    for (unsigned i = 0; i < BENCH_STEPS; i++)
        if (!stage(rows, bench_step_names[i]))
            return;
    const struct bench_row *size = stage(rows, "convert");
    (void)fprintf(out, "\na consumer of the transposed matrix, %u x %u of 4 bytes, %s\n", size->rows,
                  size->cols, size->is_warm ? "warm" : "cold");
    steps_table(rows, color, out);
    (void)fputs(
        "\nms from the original to the last result, as a whole by the host's clock: launches are in it, "
        "and the\nconverted matrix's memory, which is taken before and given back after\n",
        out);
    chains_table(rows, &first, color, out);
    break_even(rows, first, out);
    for (size_t i = 0; i < rows->count; i++)
        if (rows->list[i].kind == BENCH_STAGE)
            differ += rows->list[i].wrong;
    if (differ)
        (void)fprintf(out, "%" PRIu64 " results differ between the forms: the times do not compare\n",
                      differ);
    else
        (void)fputs("all forms give the same results, bit by bit\n", out);
}

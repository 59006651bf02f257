/* report.c - what people read of times: tables, bars, and which resource the numbers point to. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../../base/arena.h"
#include "model.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

enum { BAR = 40 };

static double percent_of_copy(const struct bench_rows *rows, const struct bench_row *row)
{
    const struct bench_row *copy = bench_copy_of(rows, row);
    return copy && bench_rate(copy) > 0 ? 100 * bench_rate(row) / bench_rate(copy) : 0;
}

static void machine_lines(const struct bench_rows *rows, FILE *out)
{
    const struct bench_machine *m = &rows->machine;
    (void)fprintf(out, "device: %s", m->device[0] ? m->device : "not said");
    if (m->processors)
        (void)fprintf(out, ", %u SMs, L2 %" PRIu64 " MiB", m->processors, m->l2_bytes >> 20);
    (void)fprintf(out, "; driver %s, CUDA %s\n", m->driver[0] ? m->driver : "not said",
                  m->cuda[0] ? m->cuda : "not said");
    if (m->before.core)
        (void)fprintf(out, "clocks as found: SM %u MHz before and %u after, memory %u and %u MHz\n",
                      m->before.core, m->after.core, m->before.memory, m->after.memory);
    else
        (void)fputs("clocks: not known here\n", out);
}

static bool is_timed_here(const struct bench_row *row)
{
    return row->kind == BENCH_KERNEL || row->kind == BENCH_COPY || row->kind == BENCH_PEER;
}

static bool comes_first(const struct bench_rows *rows, size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (is_timed_here(&rows->list[i]) && bench_same_size(&rows->list[i], &rows->list[index]))
            return false;
    return true;
}

/* Is every other row that was timed of this size as well? */
static bool is_only_size(const struct bench_rows *rows, size_t first)
{
    for (size_t i = 0; i < rows->count; i++)
        if (is_timed_here(&rows->list[i]) && !bench_same_size(&rows->list[i], &rows->list[first]))
            return false;
    return true;
}

static void bar_of(double percent, char *out, size_t size)
{
    unsigned length = percent <= 0 ? 0 : percent >= 100 ? BAR : (unsigned)(percent * BAR / 100 + 0.5);
    if (length >= size)
        length = (unsigned)size - 1;
    memset(out, '#', length);
    out[length] = '\0';
}

static void time_cells(struct table *table, const struct bench_rows *rows, const struct bench_row *row)
{
    char bar[BAR + 1], name[200];
    (void)snprintf(name, sizeof name, "%s%s%s", row->name, row->macros[0] ? " " : "", row->macros);
    table_text(table, name);
    if (!row->timing.repeats) {
        for (unsigned i = 0; i < 5; i++)
            table_absent(table);
        table_text(table, "not timed: wrong");
        return;
    }
    table_real(table, row->timing.median, 4);
    table_real(table, row->timing.least, 4);
    table_real(table, row->timing.most, 4);
    table_real(table, bench_rate(row), 1);
    table_real(table, percent_of_copy(rows, row), 1);
    bar_of(percent_of_copy(rows, row), bar, sizeof bar);
    table_text(table, bar);
}

static void size_table(const struct bench_rows *rows, size_t first, bool color, FILE *out)
{
    static const struct column columns[] = {{"", "effective bandwidth"},
                                            {"", "ms, median"},
                                            {"", "min"},
                                            {"", "max"},
                                            {"", "GB/s"},
                                            {"", "% of copy"},
                                            {"", ""}};
    const struct bench_row *size = &rows->list[first];
    struct table *table = table_new(columns, COUNT(columns));
    uint64_t wrong = 0;
    (void)fprintf(
        out, "\n%u x %u matrix of %u-byte elements, %s, %u repeats; GB/s = 2 x %u x %u x %u bytes / time\n",
        size->rows, size->cols, size->elem_bytes,
        size->is_warm ? "warm: repeats follow each other, a small matrix stays in the L2"
                      : "cold: the L2 is flushed before each",
        size->timing.repeats, size->elem_bytes, size->rows, size->cols);
    for (size_t i = first; i < rows->count; i++) {
        const struct bench_row *row = &rows->list[i];
        if (!is_timed_here(row) || !bench_same_size(row, size))
            continue;
        time_cells(table, rows, row);
        wrong += row->wrong;
    }
    table_write(table, FORMAT_TEXT, color, out);
    table_free(table);
    for (size_t i = first; i < rows->count; i++) {
        const struct bench_row *row = &rows->list[i];
        if (is_timed_here(row) && bench_same_size(row, size) && row->wrong)
            (void)fprintf(out, "%s: %" PRIu64 " cells or guard bytes are wrong, so it is not timed\n",
                          row->name, row->wrong);
    }
    if (!wrong)
        (void)fputs("every cell of every output was checked before it was timed\n", out);
}

static double bound_ms(const struct bench_rows *rows, const struct bench_row *row)
{
    struct bench_bound bound;
    return bench_bound_of(rows, row, &bound) ? bound.ms[bound.largest] : 0;
}

/* Model beside measurement: a line a kernel of this size. */
static unsigned model_table(const struct bench_rows *rows, size_t first, bool color, FILE *out)
{
    static const struct column columns[] = {{"", "model beside time"}, {"", "sectors"},    {"", "ideal"},
                                            {"", "written in part"},   {"", "wavefronts"}, {"", "ideal"},
                                            {"", "DRAM ms"},           {"", "L2 ms"},      {"", "shared ms"},
                                            {"", "measured"},          {"", "points to"}};
    struct table *table = table_new(columns, COUNT(columns));
    unsigned count = 0;
    for (size_t i = first; i < rows->count; i++) {
        const struct bench_row *row = &rows->list[i];
        struct bench_bound bound;
        if (!bench_same_size(row, &rows->list[first]) || !bench_bound_of(rows, row, &bound))
            continue;
        count++;
        table_text(table, row->name);
        table_count(table, row->sectors);
        table_count(table, row->ideal_sectors);
        table_count(table, row->partial_sectors);
        table_count(table, row->wavefronts);
        table_count(table, row->ideal_wavefronts);
        for (unsigned k = 0; k < 3; k++)
            table_real(table, bound.ms[k], 4);
        table_real(table, row->timing.median, 4);
        table_text(table, row->timing.median > 2 * bound.ms[bound.largest]
                              ? "none of the three"
                              : bench_memory_title(bound.largest));
    }
    if (count) {
        (void)fputc('\n', out);
        table_write(table, FORMAT_TEXT, color, out);
        (void)fputs(
            "ms: what the counted traffic takes at the rate that each memory gave in this run; a kernel\n"
            "that takes more than twice the largest waits for something that is not counted here\n",
            out);
    }
    table_free(table);
    return count;
}

/* What the hardware counted behind the L1: a line a kernel of this size. */
static void counted_table(const struct bench_rows *rows, size_t first, bool color, FILE *out)
{
    static const struct column columns[] = {{"", "behind the L1"}, {"", "L2 sectors read"},
                                            {"", "written"},       {"", "DRAM MiB read"},
                                            {"", "written"},       {"", "ideal, each"}};
    struct table *table = table_new(columns, COUNT(columns));
    bool any = false;
    for (size_t i = first; i < rows->count; i++) {
        const struct bench_row *row = &rows->list[i];
        if (!bench_same_size(row, &rows->list[first]) || !row->is_counted)
            continue;
        any = true;
        table_text(table, row->name);
        table_count(table, row->l2_read_sectors);
        table_count(table, row->l2_written_sectors);
        table_real(table, (double)row->dram_read_bytes / 1048576, 1);
        table_real(table, (double)row->dram_written_bytes / 1048576, 1);
        table_real(table, (double)row->bytes / 2 / 1048576, 1);
    }
    if (any) {
        (void)fputc('\n', out);
        table_write(table, FORMAT_TEXT, color, out);
        (void)fputs(
            "counted by Nsight Compute in one launch with flushed caches; what is still in the L2 when the "
            "kernel ends has not been written to DRAM\n",
            out);
    }
    table_free(table);
}

/* Is a kernel ahead by count and behind by time? That is the lesson: the first such pair is said. */
static void order_line(const struct bench_rows *rows, size_t first, FILE *out)
{
    for (size_t i = first; i < rows->count; i++)
        for (size_t k = first; k < rows->count; k++) {
            const struct bench_row *a = &rows->list[i], *b = &rows->list[k];
            if (!bench_same_size(a, &rows->list[first]) || !bench_same_size(b, a))
                continue;
            double count_a = bound_ms(rows, a), count_b = bound_ms(rows, b);
            if (count_a > 0 && count_b > 0 && count_a <= count_b &&
                a->timing.median > 1.05 * b->timing.median) {
                (void)fprintf(
                    out,
                    "the order by time is not the order by count: %s asks no more of any memory than "
                    "%s and takes %.2f times as long; what differs is not counted here (loads in "
                    "flight, the order of blocks, caches)\n",
                    a->name, b->name, a->timing.median / b->timing.median);
                return;
            }
        }
    (void)fputs("the order by time is the order by count\n", out);
}

static void ceiling_line(const struct bench_rows *rows, FILE *out)
{
    bool any = false;
    for (unsigned i = 0; i < 3; i++) {
        if (!(bench_ceiling_rate(rows, i) > 0))
            continue;
        (void)fprintf(out, "%s%s %.0f GB/s", any ? ", " : "\nmeasured ceilings: ", bench_memory_title(i),
                      bench_ceiling_rate(rows, i));
        any = true;
    }
    if (any)
        (void)fputs(" (shared memory: wavefronts of 128 bytes)\n", out);
}

/* Several sizes: how the fastest kernel of each compares. */
static void sizes_table(const struct bench_rows *rows, bool color, FILE *out)
{
    static const struct column columns[] = {
        {"", "rows"}, {"", "cols"}, {"", "bytes"},     {"", "fastest"},
        {"", "ms"},   {"", "GB/s"}, {"", "% of copy"}, {"", "geam, % of copy"}};
    struct table *table = table_new(columns, COUNT(columns));
    unsigned sizes = 0;
    for (size_t i = 0; i < rows->count; i++) {
        const struct bench_row *first = &rows->list[i], *best = NULL, *peer = NULL;
        if (!is_timed_here(first) || !comes_first(rows, i))
            continue;
        for (size_t k = i; k < rows->count; k++) {
            const struct bench_row *row = &rows->list[k];
            if (!bench_same_size(row, first) || !row->timing.repeats)
                continue;
            if (row->kind == BENCH_KERNEL && (!best || row->timing.median < best->timing.median))
                best = row;
            if (row->kind == BENCH_PEER)
                peer = row;
        }
        if (!best)
            continue;
        sizes++;
        table_count(table, best->rows);
        table_count(table, best->cols);
        table_count(table, best->elem_bytes);
        table_text(table, best->name);
        table_real(table, best->timing.median, 4);
        table_real(table, bench_rate(best), 1);
        table_real(table, percent_of_copy(rows, best), 1);
        if (peer) {
            table_real(table, percent_of_copy(rows, peer), 1);
            table_judge(table, best->timing.median <= peer->timing.median);
        } else {
            table_absent(table);
        }
    }
    if (sizes > 1) {
        (void)fputc('\n', out);
        table_write(table, FORMAT_TEXT, color, out);
    }
    table_free(table);
}

static int faster(const void *a, const void *b)
{
    const struct bench_row *x = *(const struct bench_row *const *)a, *y = *(const struct bench_row *const *)b;
    double left = x->timing.repeats ? x->timing.median : 1e30,
           right = y->timing.repeats ? y->timing.median : 1e30;
    return (left > right) - (left < right);
}

/* The configurations that tuning tried for kernels of this size, the fastest first. */
static void trials_table(const struct bench_rows *rows, size_t first, bool color, FILE *out)
{
    enum { SHOWN = 12 };
    static const struct column columns[] = {
        {"", "tried"}, {"", ""}, {"", "ms, median"}, {"", "GB/s"}, {"", "% of copy"}};
    const struct bench_row **list = memory_take(rows->count + 1, sizeof *list);
    struct table *table = table_new(columns, COUNT(columns));
    size_t count = 0;
    for (size_t i = 0; i < rows->count; i++)
        if (rows->list[i].kind == BENCH_TRIAL && bench_same_size(&rows->list[i], &rows->list[first]))
            list[count++] = &rows->list[i];
    qsort(list, count, sizeof *list, faster);
    for (size_t i = 0; i < count && i < SHOWN; i++) {
        table_text(table, list[i]->name);
        table_text(table, list[i]->macros);
        table_real(table, list[i]->timing.median, 4);
        table_real(table, bench_rate(list[i]), 1);
        table_real(table, percent_of_copy(rows, list[i]), 1);
    }
    if (count) {
        (void)fputc('\n', out);
        table_write(table, FORMAT_TEXT, color, out);
    }
    if (count > SHOWN)
        (void)fprintf(out, "of %zu that were tried; csv and json have all\n", count);
    table_free(table);
    free(list);
}

void bench_report(const struct bench_rows *rows, bool color, FILE *out)
{
    machine_lines(rows, out);
    for (size_t i = 0; i < rows->count; i++) {
        if (!is_timed_here(&rows->list[i]) || !comes_first(rows, i))
            continue;
        size_table(rows, i, color, out);
        trials_table(rows, i, color, out);
        unsigned kernels = model_table(rows, i, color, out);
        if (kernels > 1)
            order_line(rows, i, out);
        if (kernels > 1 || is_only_size(rows, i))
            bench_roofline(rows, i, out);
        counted_table(rows, i, color, out);
    }
    sizes_table(rows, color, out);
    ceiling_line(rows, out);
    bench_stages(rows, color, out);
}

#include "model.h"

#include <string.h>

const char *bench_memory_title(enum bench_memory memory)
{
    static const char *const titles[BENCH_MEMORIES] = {"DRAM", "L2", "shared memory"};
    return titles[memory];
}

double bench_rate(const struct bench_row *row)
{
    return timing_rate(&row->timing, row->bytes);
}

bool bench_same_size(const struct bench_row *a, const struct bench_row *b)
{
    return a->rows == b->rows && a->cols == b->cols && a->elem_bytes == b->elem_bytes &&
           a->is_warm == b->is_warm;
}

double bench_ceiling_rate(const struct bench_rows *rows, enum bench_memory memory)
{
    static const char *const names[BENCH_MEMORIES] = {"dram", "l2", "shared"};
    const struct bench_row *row = bench_ceiling(rows, names[memory]);
    double most = row ? bench_rate(row) : 0;
    for (size_t i = 0; row && memory == BENCH_DRAM && i < rows->count; i++)
        if (rows->list[i].kind == BENCH_COPY && !rows->list[i].is_warm && rows->list[i].bytes >= row->bytes &&
            bench_rate(&rows->list[i]) > most)
            most = bench_rate(&rows->list[i]);
    return most;
}

bool bench_bound_of(const struct bench_rows *rows, const struct bench_row *row, struct bench_bound *bound)
{
    uint64_t sectors = row->is_counted ? row->l2_read_sectors + row->l2_written_sectors : row->sectors;
    *bound = (struct bench_bound){
        .bytes = {(double)row->bytes, 32.0 * (double)sectors, 128.0 * (double)row->wavefronts}};
    if (row->kind != BENCH_KERNEL || !row->is_modelled || !row->timing.repeats)
        return false;
    for (unsigned i = 0; i < BENCH_MEMORIES; i++) {
        if (!(bench_ceiling_rate(rows, i) > 0))
            return false;
        bound->ms[i] = bound->bytes[i] / bench_ceiling_rate(rows, i) / 1e6;
        if (bound->ms[i] > bound->ms[bound->largest])
            bound->largest = i;
    }
    return true;
}

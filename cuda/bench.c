#include "bench.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/arena.h"
#include "bench_item.h"
#include "bench_texts.h"
#include "buffers.h"
#include "payload.h"

const char *bench_kind_name(enum bench_kind kind)
{
    static const char *const names[BENCH_KINDS] = {"kernel", "copy", "peer", "ceiling", "stage", "trial"};
    return names[kind];
}

bool bench_open(struct bench *bench, unsigned repeats, unsigned warmups, bool is_warm,
                struct problem *problem)
{
    *bench = (struct bench){.repeats = repeats, .warmups = warmups, .is_warm = is_warm};
    if (!confirmer_open(&bench->confirmer, problem))
        return false;
    bench->flush_bytes = 2 * gpu_facts(bench->confirmer.gpu)->l2_bytes;
    bench->peer = peer_open();
    if ((is_warm || gpu_take(bench->confirmer.gpu, bench->flush_bytes, &bench->flush, problem)) &&
        bench_load(bench, bench_ceilings_text, "copy16", NULL, &bench->copy16, problem))
        return true;
    bench_close(bench);
    return false;
}

static void unload_cells(struct bench *bench)
{
    gpu_unload(bench->confirmer.gpu, &bench->fill);
    gpu_unload(bench->confirmer.gpu, &bench->poison);
    gpu_unload(bench->confirmer.gpu, &bench->check);
    bench->cell_bytes = 0;
}

void bench_close(struct bench *bench)
{
    if (bench->confirmer.gpu) {
        unload_cells(bench);
        gpu_unload(bench->confirmer.gpu, &bench->copy16);
        gpu_give(bench->confirmer.gpu, bench->flush);
    }
    peer_close(bench->peer);
    confirmer_close(&bench->confirmer);
    *bench = (struct bench){0};
}

bool bench_load_cells(struct bench *bench, unsigned bytes, struct problem *problem)
{
    char definition[32];
    if (bench->cell_bytes == bytes)
        return true;
    unload_cells(bench);
    (void)snprintf(definition, sizeof definition, "BYTES=%u", bytes);
    if (!bench_load(bench, bench_cells_text, "fill", definition, &bench->fill, problem) ||
        !bench_load(bench, bench_cells_text, "poison", definition, &bench->poison, problem) ||
        !bench_load(bench, bench_cells_text, "check", definition, &bench->check, problem))
        return false;
    bench->cell_bytes = bytes;
    return true;
}

/* How many passes until every digit of every index was there: the digits' bits are those of cells.cu. */
static unsigned passes(uint64_t cells, unsigned elem_bytes)
{
    unsigned digit = elem_bytes == 16 ? 64 : elem_bytes == 8 ? 52 : elem_bytes == 4 ? 23 : 8 * elem_bytes;
    unsigned bits = 1, count;
    while (bits < 64 && (cells - 1) >> bits)
        bits++;
    count = (bits + digit - 1) / digit;
    return count;
}

/* What the check found, added to *wrong: cells over all passes, the most of one. */
static bool check_pass(struct bench *bench, uint64_t out, uint64_t rows, uint64_t cols, int is_copy,
                       unsigned pass, uint64_t found, uint64_t *wrong, struct problem *problem)
{
    static const uint64_t nothing[2] = {0, UINT64_MAX};
    struct gpu *gpu = bench->confirmer.gpu;
    uint64_t result[2];
    void *arguments[] = {&out, &rows, &cols, &is_copy, &pass, &found};
    bool ok = gpu_write(gpu, found, nothing, sizeof nothing, problem) &&
              gpu_launch(gpu, &bench->check, &bench_everywhere, arguments, problem) &&
              gpu_read(gpu, result, found, sizeof result, problem);
    if (ok && result[0] > *wrong)
        *wrong = result[0];
    return ok;
}

/* A transposition (or copy) that an item makes of `in` to `out`, cell by cell. */
static bool check_item(struct bench *bench, const struct bench_item *item, uint64_t in, uint64_t out,
                       const struct bench_row *shape, int is_copy, uint64_t *wrong, struct problem *problem)
{
    struct gpu *gpu = bench->confirmer.gpu;
    uint64_t rows = shape->rows, cols = shape->cols, found = 0;
    bool ok = bench_load_cells(bench, shape->elem_bytes, problem) &&
              gpu_take(gpu, 2 * sizeof(uint64_t), &found, problem);
    *wrong = 0;
    for (unsigned pass = 0; ok && pass < passes(rows * cols, shape->elem_bytes); pass++) {
        void *fill[] = {&in, &rows, &cols, &is_copy, &pass},
             *poison[] = {&out, &rows, &cols, &is_copy, &pass};
        ok = gpu_launch(gpu, &bench->fill, &bench_everywhere, fill, problem) &&
             gpu_launch(gpu, &bench->poison, &bench_everywhere, poison, problem) &&
             item->begin(item->self, problem) && gpu_wait(gpu, problem) &&
             check_pass(bench, out, rows, cols, is_copy, pass, found, wrong, problem);
    }
    gpu_give(gpu, found);
    return ok;
}

bool bench_scenario(struct bench *bench, const struct scenario *s, const char *name, struct bench_row *row,
                    struct problem *problem)
{
    struct gpu *gpu = bench->confirmer.gpu;
    struct buffers buffers = {.gpu = gpu};
    bench_describe(row, BENCH_KERNEL, name, s->rows, s->cols, s->elem_bytes, bench->is_warm);
    row->tile = s->tile;
    row->block_rows = s->block_rows;
    row->pitch = s->pitch;
    if (s->in < 0 || s->out < 0 || s->in == s->out)
        return problem_say(problem,
                           "%s: bench checks what a kernel moves from one matrix to another; this one has no "
                           "two such parameters",
                           s->text.name);
    struct bench_kernel kernel = {gpu, &bench->confirmer.plain, &s->launch, buffers.arguments};
    struct bench_item item = {bench_begin_kernel, &kernel};
    uint64_t guard = 0;
    char first[200];
    bool ok = confirmer_compile_plain(&bench->confirmer, s, problem) &&
              buffers_open(&buffers, gpu, s->program, &s->launch, NULL, 0, problem) &&
              check_item(bench, &item, buffers.base[s->in], buffers.base[s->out], row, s->is_copy,
                         &row->wrong, problem) &&
              buffers_check_guards(&buffers, &guard, first, sizeof first, problem);
    row->wrong += guard;
    row->is_checked = ok;
    if (ok && !row->wrong)
        ok = bench_time(bench, &item, &row->timing, problem);
    buffers_close(&buffers);
    return ok;
}

struct copy_item {
    struct bench *bench;
    uint64_t in, out, bytes;
};

static bool begin_copy(void *self, struct problem *problem)
{
    struct copy_item *c = self;
    return gpu_copy(c->bench->confirmer.gpu, c->out, c->in, c->bytes, problem);
}

static bool begin_copy16(void *self, struct problem *problem)
{
    struct copy_item *c = self;
    uint64_t blocks = (c->bytes / 16 + 1023) / 1024;
    struct launch launch = {.grid = {blocks ? (uint32_t)blocks : 1, 1, 1}, .block = {256, 1, 1}};
    void *arguments[] = {&c->in, &c->out, &c->bytes};
    return gpu_enqueue(c->bench->confirmer.gpu, &c->bench->copy16, &launch, arguments, problem);
}

struct peer_item {
    struct peer *peer;
    uint64_t in, out;
    uint32_t rows, cols;
    unsigned elem_bytes;
};

static bool begin_peer(void *self, struct problem *problem)
{
    struct peer_item *p = self;
    return peer_transpose(p->peer, p->in, p->out, p->rows, p->cols, p->elem_bytes, problem);
}

static bool measure(struct bench *bench, const struct bench_item *item, uint64_t in, uint64_t out,
                    int is_copy, struct bench_row *row, struct problem *problem)
{
    if (!check_item(bench, item, in, out, row, is_copy, &row->wrong, problem))
        return false;
    row->is_checked = true;
    return row->wrong || bench_time(bench, item, &row->timing, problem);
}

bool bench_peers(struct bench *bench, uint32_t rows, uint32_t cols, unsigned elem_bytes,
                 struct bench_row row[3], unsigned *count, struct problem *problem)
{
    struct gpu *gpu = bench->confirmer.gpu;
    struct copy_item copy = {.bench = bench, .bytes = (uint64_t)rows * cols * elem_bytes};
    uint64_t available;
    *count = 0;
    if (!gpu_available(gpu, &available, problem))
        return false;
    if (copy.bytes > available / 2)
        return problem_say(problem,
                           "the copy's two buffers need %" PRIu64 " MiB of device memory and %" PRIu64
                           " MiB are free: take a smaller matrix",
                           copy.bytes >> 19, available >> 20);
    bool ok = gpu_take(gpu, copy.bytes, &copy.in, problem) && gpu_take(gpu, copy.bytes, &copy.out, problem);
    if (ok) {
        struct bench_item item = {begin_copy, &copy};
        bench_describe(&row[*count], BENCH_COPY, "cuMemcpyDtoD", rows, cols, elem_bytes, bench->is_warm);
        ok = measure(bench, &item, copy.in, copy.out, 1, &row[(*count)++], problem);
    }
    if (ok) {
        struct bench_item item = {begin_copy16, &copy};
        bench_describe(&row[*count], BENCH_COPY, "copy, 16 bytes", rows, cols, elem_bytes, bench->is_warm);
        ok = measure(bench, &item, copy.in, copy.out, 1, &row[(*count)++], problem);
    }
    if (ok && bench->peer && peer_takes(bench->peer, rows, cols, elem_bytes)) {
        struct peer_item peer = {bench->peer, copy.in, copy.out, rows, cols, elem_bytes};
        struct bench_item item = {begin_peer, &peer};
        bench_describe(&row[*count], BENCH_PEER, "cuBLAS geam", rows, cols, elem_bytes, bench->is_warm);
        ok = measure(bench, &item, copy.in, copy.out, 0, &row[(*count)++], problem);
    }
    gpu_give(gpu, copy.in);
    gpu_give(gpu, copy.out);
    return ok;
}

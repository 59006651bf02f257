/* bench.h - how long kernels take on the device, beside copies of the same size in the same run.
 *
 * A kernel is checked before it is timed: the input's cells carry their indices, the output is poisoned, and
 * every cell of the output and every guard byte is looked at afterwards (cuda/bench/cells.cu). A kernel that
 * is wrong is not timed. Then warm-up launches, then repeats, each between two events of its own.
 *
 * Cold: before each repeat a buffer twice as large as the L2 is written, so that neither matrix lies there.
 * Warm: repeats follow each other, and a small matrix stays in the L2. Times are those of the device alone:
 * the launch's way to it is not in them.
 *
 * Memory: everything that a measurement takes is counted before anything is taken.
 */
#ifndef LANESCOPE_CUDA_BENCH_H
#define LANESCOPE_CUDA_BENCH_H

#include "confirm.h"
#include "peer.h"
#include "timing.h"

enum bench_kind {
    BENCH_KERNEL,
    BENCH_COPY,    /* of as many bytes: the same traffic and no transposition */
    BENCH_PEER,    /* a library's transposition */
    BENCH_CEILING, /* what a memory of the device gives at most */
    BENCH_STAGE,   /* of the pipeline */
    BENCH_TRIAL,   /* a kernel in one of the configurations that tuning tried */
    BENCH_KINDS
};
const char *bench_kind_name(enum bench_kind kind);

struct bench_row {
    enum bench_kind kind;
    char name[64];
    char macros[120];    /* "BAND=16 SPAN=3": those that were given; "": none */
    uint32_t rows, cols; /* of the input; 0: no matrix */
    unsigned elem_bytes;
    uint64_t tile, block_rows, pitch; /* 0: the kernel has none */
    bool is_warm;
    struct timing timing;
    uint64_t bytes; /* moved: those that must be read and those that must be written; 0: none */
    bool is_checked;
    uint64_t wrong;   /* cells, and guard bytes that were written */
    bool is_modelled; /* the rest is known: the simulator's count */
    uint64_t sectors, ideal_sectors, wavefronts, ideal_wavefronts;
    uint64_t partial_sectors; /* of the stores: written in part */
    bool is_counted;          /* the rest is known: the hardware's count, of one launch with flushed caches */
    uint64_t l2_read_sectors, l2_written_sectors, dram_read_bytes, dram_written_bytes;
};

struct bench {
    struct confirmer confirmer;
    struct peer *peer; /* NULL: no such library */
    unsigned repeats, warmups;
    bool is_warm;
    uint64_t flush, flush_bytes; /* the buffer that drives the matrices out of the L2 */
    unsigned cell_bytes;         /* the width that the next three are compiled for; 0: none yet */
    struct gpu_kernel fill, poison, check, copy16;
};

/* False where there is no driver, device or NVRTC. */
bool bench_open(struct bench *bench, unsigned repeats, unsigned warmups, bool is_warm,
                struct problem *problem);
void bench_close(struct bench *bench);

/* The scenario's kernel: checked, then timed; the row's model is left alone. A row with `wrong` cells has no
 * times. */
bool bench_scenario(struct bench *bench, const struct scenario *scenario, const char *name,
                    struct bench_row *row, struct problem *problem);

/* What a kernel of such a matrix is held against: cuMemcpyDtoD, a copy of 16 bytes an access, and the
 * library's transposition where there is one. Fills at most three rows, returns their number in *count. */
bool bench_peers(struct bench *bench, uint32_t rows, uint32_t cols, unsigned elem_bytes,
                 struct bench_row row[3], unsigned *count, struct problem *problem);

/* dram, l2, shared: the highest rates that simple kernels reach here. A wavefront of shared memory counts as
 * 128 bytes. */
bool bench_ceilings(struct bench *bench, struct bench_row row[3], struct problem *problem);

/* A consumer that walks the transposed matrix (cuda/bench/pipeline.cu), 4-byte elements. The scenario's
 * kernel converts, the other scenario's, of the transposed size, converts back.
 *
 * Rows first for each step alone: allocate, convert, convert back, consume strided, consume dense. Then from
 * the original to the last of 1, 2, 4 ... 64 results, each form's chain as a whole by the host's clock:
 * strided; converted once, with the converted matrix's memory taken before and given back after; converted
 * and converted back around each use, likewise. `wrong` is how many results differ from those of the strided
 * form.
 */
enum {
    BENCH_STEPS = 5,
    BENCH_FORMS = 3,
    BENCH_USES = 7,
    BENCH_STAGES = BENCH_STEPS + BENCH_FORMS * BENCH_USES
};
extern const char *const bench_step_names[BENCH_STEPS], *const bench_form_names[BENCH_FORMS];
bool bench_pipeline(struct bench *bench, const struct scenario *scenario, const struct scenario *back,
                    struct bench_row row[BENCH_STAGES], struct problem *problem);

#endif

/* launch.h - the numbers a kernel is started with. */
#ifndef LANESCOPE_EXEC_LAUNCH_H
#define LANESCOPE_EXEC_LAUNCH_H

#include <stdint.h>

#include "../lang/program.h"

/* CUDA's limits for every device of the table in model/device.h. */
#define LAUNCH_BLOCK_THREADS_LIMIT 1024u
#define LAUNCH_BLOCK_X_LIMIT       1024u
#define LAUNCH_BLOCK_Z_LIMIT       64u
#define LAUNCH_GRID_X_LIMIT        2147483647u
#define LAUNCH_GRID_YZ_LIMIT       65535u

/* Instructions of the interpreter that one warp may take in one block before it is called endless. */
#define LAUNCH_DEFAULT_BUDGET (UINT64_C(1) << 28)

/* Asked every 65,536 steps of a warp, by who wants to show progress or to stop: `go_on` returns false to end
 * the run with a problem that names the loop. A library has no clock; who runs it has. */
struct watched {
    uint32_t block[3], warp;
    uint64_t steps; /* of the warp in this block */
    int64_t mark;   /* the watcher's own: 0 when the warp sets out (again, after a barrier) */
};

struct watch {
    void *self; /* of several threads at once, if executions that have this watch are */
    bool (*go_on)(void *self, struct watched *warp);
    bool (*between)(void *self, uint64_t regions, uint64_t most); /* of a census (census/census.h), after
                                                                     each; NULL: nobody asks */
};

/* What a buffer of numbers holds when the kernel begins. A cell is one number: an int2 is two; a floating one
 * holds the integer. `values` is asked for the cells index[lane] of the lanes of `mask`, all within the
 * buffer unless it is endless, and gives what the buffer's type can hold; false after filling the problem. By
 * several threads at once, if executions share it. */
struct contents {
    const void *self;
    bool (*values)(const void *self, uint32_t mask, const int64_t index[32], int64_t value[32],
                   struct problem *problem);
    bool is_endless; /* asked for cells behind the buffer's end, too: how large it is was only assumed */
};

#define HELD_LIMIT (UINT64_C(1) << 26)

struct argument {
    int64_t value;         /* of a scalar parameter */
    bool is_number;        /* of a floating one: it is `value`; otherwise it is data */
    uint64_t bytes;        /* of a pointer's buffer, from the pointer on */
    uint64_t before;       /* bytes of the buffer before the pointer: the host shifts it */
    uint64_t misalignment; /* bytes that the buffer begins past an address that is a multiple of 256 */
    bool follows;   /* of a pointer's buffer: what the kernel reads is what it wrote there before, if it did;
                       for who tracks values. At most HELD_LIMIT granules. */
    unsigned alias; /* with it: 1 + the parameter whose memory this is; 0: its own */
    const struct contents *contents; /* of a pointer's buffer; NULL: only known by where it came from */
};

struct launch {
    uint32_t grid[3], block[3]; /* x, y, z */
    uint64_t dynamic_shared_bytes;
    struct argument arguments[64]; /* one a parameter, in order */
    uint64_t budget;               /* 0: LAUNCH_DEFAULT_BUDGET */
    const struct watch *watch;     /* NULL: nobody */
    bool any_grid;                 /* larger than CUDA takes: simulated all the same */
};

/* Are block and grid within CUDA's limits? Of any grid only: do its blocks have a number below 2^62? */
bool launch_check(const struct launch *launch, struct problem *problem);

/* Does CUDA take such a grid? False: the problem says what it takes. */
bool launch_check_grid(const uint32_t grid[3], struct problem *problem);

static inline uint32_t launch_threads(const struct launch *launch)
{
    return launch->block[0] * launch->block[1] * launch->block[2];
}

static inline uint32_t launch_warps(const struct launch *launch)
{
    return (launch_threads(launch) + 31) / 32;
}

static inline uint64_t launch_blocks(const struct launch *launch)
{
    return (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
}

/* Block number `index` in the order x fastest. */
static inline void launch_block_at(const struct launch *launch, uint64_t index, uint32_t block[3])
{
    block[0] = (uint32_t)(index % launch->grid[0]);
    block[1] = (uint32_t)(index / launch->grid[0] % launch->grid[1]);
    block[2] = (uint32_t)(index / launch->grid[0] / launch->grid[1]);
}

/* Does block a come before block b in that order? */
static inline bool launch_block_before(const uint32_t a[3], const uint32_t b[3])
{
    return a[2] != b[2] ? a[2] < b[2] : a[1] != b[1] ? a[1] < b[1] : a[0] < b[0];
}

#endif

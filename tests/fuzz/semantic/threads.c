/* threads.c - a block's threads as contexts: threads.h. */
#include "threads.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

enum { LANES = 32, DEPTH = 64, STACK = 1 << 17, MOST = 128 };

struct meeting { /* as in host.hpp */
    unsigned mask;
    unsigned long long values[LANES];
    unsigned threads, truths;
};

enum state { RUNS, WAITS_FOR_WARP, WAITS_FOR_BLOCK, ENDED };

struct thread {
    ucontext_t context;
    enum state state;
    unsigned number, depth, turn[DEPTH], place[DEPTH];
    unsigned count, phase;
    unsigned long long value;
};

static struct {
    struct thread threads[MOST];
    unsigned count, current;
    ucontext_t scheduler;
    struct meeting meeting;
    void (*run)(void);
    uint32_t *thread_index;
    unsigned *log_count, *log_limit, *phase, *depth, *turn, *place;
    struct logged **log;
} block;
static char stacks[MOST][STACK];

static void *symbol(void *library, const char *name)
{
    void *found = dlsym(library, name);
    if (!found) {
        (void)fprintf(stderr, "semantic: the host text has no %s\n", name);
        exit(2);
    }
    return found;
}

/* What the library holds for the thread that runs, to the thread. */
static void keep(struct thread *t)
{
    t->count = *block.log_count;
    t->phase = *block.phase;
    t->depth = *block.depth;
    memcpy(t->turn, block.turn, t->depth * sizeof *t->turn);
    memcpy(t->place, block.place, t->depth * sizeof *t->place);
}

static const struct meeting *waits(bool whole_block, unsigned number, unsigned long long value)
{
    struct thread *t = &block.threads[block.current];
    t->state = whole_block ? WAITS_FOR_BLOCK : WAITS_FOR_WARP;
    t->number = number;
    t->value = value;
    keep(t);
    (void)swapcontext(&t->context, &block.scheduler);
    return &block.meeting;
}

static void body(void)
{
    block.run();
    struct thread *t = &block.threads[block.current];
    keep(t);
    t->state = ENDED;
    (void)swapcontext(&t->context, &block.scheduler);
}

static void go_on(unsigned index, const uint32_t size[3], struct logged *records, unsigned limit)
{
    struct thread *t = &block.threads[index];
    block.current = index;
    t->state = RUNS;
    block.thread_index[0] = index % size[0];
    block.thread_index[1] = index / size[0] % size[1];
    block.thread_index[2] = index / size[0] / size[1];
    *block.log = records + (size_t)index * limit;
    *block.log_limit = limit;
    *block.log_count = t->count;
    *block.phase = t->phase;
    *block.depth = t->depth;
    memcpy(block.turn, t->turn, t->depth * sizeof *t->turn);
    memcpy(block.place, t->place, t->depth * sizeof *t->place);
    (void)swapcontext(&block.scheduler, &t->context);
}

/* Below 0: a is before b in the text and its turns. */
static int order(const struct thread *a, const struct thread *b)
{
    for (unsigned i = 0; i <= a->depth && i <= b->depth; i++) {
        unsigned pa = i < a->depth ? a->place[i] : a->number, pb = i < b->depth ? b->place[i] : b->number;
        unsigned ta = i < a->depth ? a->turn[i] : 0, tb = i < b->depth ? b->turn[i] : 0;
        if (pa != pb)
            return pa < pb ? -1 : 1;
        if (ta != tb)
            return ta < tb ? -1 : 1;
    }
    return a->depth == b->depth ? 0 : a->depth < b->depth ? -1 : 1;
}

/* Makes the first place's lanes meet. 0: no lane of the warp waits for it. */
static uint32_t meet(unsigned first, unsigned end)
{
    const struct thread *least = NULL;
    uint32_t mask = 0;
    for (unsigned i = first; i < end; i++)
        if (block.threads[i].state == WAITS_FOR_WARP && (!least || order(&block.threads[i], least) < 0))
            least = &block.threads[i];
    for (unsigned i = first; least && i < end; i++)
        if (block.threads[i].state == WAITS_FOR_WARP && order(&block.threads[i], least) == 0)
            mask |= UINT32_C(1) << (i - first);
    block.meeting.mask = mask;
    for (unsigned i = first; i < end; i++)
        block.meeting.values[i - first] = block.threads[i].value;
    return mask;
}

bool threads_run(void *library, void (*run)(void), const uint32_t size[3], struct logged *records,
                 unsigned limit, unsigned *counts, bool *undefined)
{
    unsigned *bad = symbol(library, "fuzz_undefined");
    block.count = size[0] * size[1] * size[2];
    block.run = run;
    block.thread_index = symbol(library, "threadIdx");
    block.log_count = symbol(library, "fuzz_count");
    block.log_limit = symbol(library, "fuzz_limit");
    block.phase = symbol(library, "fuzz_phase");
    block.depth = symbol(library, "fuzz_depth");
    block.turn = symbol(library, "fuzz_turn");
    block.place = symbol(library, "fuzz_place");
    block.log = symbol(library, "fuzz_log");
    *(const struct meeting *(**)(bool, unsigned, unsigned long long))symbol(library, "fuzz_wait") = waits;
    *bad = 0;
    if (block.count > MOST)
        abort();
    for (unsigned i = 0; i < block.count; i++) {
        struct thread *t = &block.threads[i];
        t->state = RUNS;
        t->count = t->phase = t->depth = 0;
        (void)getcontext(&t->context);
        t->context.uc_stack.ss_sp = stacks[i];
        t->context.uc_stack.ss_size = STACK;
        t->context.uc_link = NULL;
        makecontext(&t->context, body, 0);
    }
    for (bool more = true; more;) {
        more = false;
        for (unsigned first = 0; first < block.count; first += LANES) {
            unsigned end = first + LANES < block.count ? first + LANES : block.count;
            uint32_t lanes = 0;
            for (unsigned i = first; i < end; i++)
                lanes |= (block.threads[i].state == RUNS ? UINT32_C(1) : 0) << (i - first);
            do
                for (unsigned i = first; i < end; i++)
                    if (lanes >> (i - first) & 1)
                        go_on(i, size, records, limit);
            while ((lanes = meet(first, end)) != 0);
        }
        block.meeting.truths = 0;
        for (unsigned i = 0; i < block.count; i++)
            block.meeting.truths += block.threads[i].state == WAITS_FOR_BLOCK && block.threads[i].value;
        for (unsigned i = 0; i < block.count; i++)
            if (block.threads[i].state == WAITS_FOR_BLOCK) {
                block.threads[i].state = RUNS;
                more = true;
            }
    }
    bool fits = true;
    for (unsigned i = 0; i < block.count; i++) {
        counts[i] = block.threads[i].count;
        fits = fits && counts[i] <= limit;
    }
    *undefined = *bad != 0;
    return fits;
}

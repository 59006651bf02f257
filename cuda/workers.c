#include "workers.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/arena.h"

enum { THREAD_LIMIT = 12 };

struct pool {
    const struct work *work;
    pthread_mutex_t lock;
    pthread_cond_t freed;
    size_t left; /* configurations [0, left) are not taken yet */
    size_t done;
    uint64_t budget, used; /* device memory, bytes */
    bool stop;
    struct problem problem;
};

unsigned workers_default(void)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return processors < 1 ? 1 : processors > THREAD_LIMIT ? THREAD_LIMIT : (unsigned)processors;
}

/* What a configuration needs on the device: two matrices, writes and owners of each cell, and the records. */
static uint64_t bytes_of(const struct configuration *c)
{
    uint64_t cells = (uint64_t)c->options.rows * c->options.cols;
    return cells * (2 * c->options.elem_bytes + 12 + 16) + CONFIRM_RECORD_BUDGET;
}

static bool same_kernel(const struct configuration *a, const struct configuration *b)
{
    const struct scenario_options *x = &a->options, *y = &b->options;
    return a->text == b->text && x->tile == y->tile && x->block_rows == y->block_rows &&
           x->pitch == y->pitch && x->elem_bytes == y->elem_bytes;
}

/* Configurations [*first, *end): the last of one kernel and its macros that nobody has taken. */
static bool take(struct pool *pool, size_t *first, size_t *end)
{
    const struct configuration *list = pool->work->sweep->list;
    pthread_mutex_lock(&pool->lock);
    *first = *end = pool->left;
    while (*first > 0 && (*first == *end || same_kernel(&list[*first - 1], &list[*end - 1])))
        --*first;
    pool->left = *first;
    bool stop = pool->stop;
    pthread_mutex_unlock(&pool->lock);
    return *first < *end && !stop;
}

static void reserve(struct pool *pool, uint64_t bytes)
{
    pthread_mutex_lock(&pool->lock);
    while (pool->used && pool->used + bytes > pool->budget)
        pthread_cond_wait(&pool->freed, &pool->lock);
    pool->used += bytes;
    pthread_mutex_unlock(&pool->lock);
}

static void finish(struct pool *pool, size_t index, uint64_t bytes, bool ok, const struct problem *problem)
{
    const struct work *work = pool->work;
    pthread_mutex_lock(&pool->lock);
    pool->used -= bytes;
    pool->done++;
    work->confirmed[index] = ok;
    if (!ok && !pool->stop)
        pool->problem = *problem;
    pool->stop = pool->stop || !ok;
    if (work->progress)
        work->progress(work->self, pool->done, work->sweep->count);
    pthread_cond_broadcast(&pool->freed);
    pthread_mutex_unlock(&pool->lock);
}

static bool confirm_one(const struct work *work, struct confirmer *confirmer, size_t index,
                        struct problem *problem)
{
    struct scenario scenario;
    if (!configuration_open(&work->sweep->list[index], work->device, &scenario, problem))
        return false;
    bool ok = confirm_scenario(confirmer, &scenario, work->seed, &work->results[index], problem);
    scenario_close(&scenario);
    return ok;
}

static void *run_worker(void *self)
{
    struct pool *pool = self;
    const struct work *work = pool->work;
    struct confirmer mine = {.gpu = work->confirmer->gpu,
                             .compiler = work->confirmer->compiler,
                             .only_addresses = work->confirmer->only_addresses};
    struct problem problem = {0};
    size_t first, end;
    bool ok = gpu_attach(mine.gpu, &problem);
    while (take(pool, &first, &end)) {
        for (size_t i = first; i < end && !(work->stop && work->stop()); i++) {
            uint64_t bytes = bytes_of(&work->sweep->list[i]);
            reserve(pool, bytes);
            ok = ok && confirm_one(work, &mine, i, &problem);
            finish(pool, i, bytes, ok, &problem);
        }
    }
    confirmer_forget(&mine);
    return NULL;
}

bool workers_confirm(const struct work *work, struct problem *problem)
{
    struct pool pool = {.work = work, .left = work->sweep->count};
    pthread_t threads[THREAD_LIMIT] = {0};
    unsigned started = 0, wanted = work->threads < THREAD_LIMIT ? work->threads : THREAD_LIMIT;
    if (!gpu_available(work->confirmer->gpu, &pool.budget, problem))
        return false;
    pool.budget = pool.budget / 10 * 8;
    (void)pthread_mutex_init(&pool.lock, NULL);
    (void)pthread_cond_init(&pool.freed, NULL);
    for (; started + 1 < wanted; started++)
        if (pthread_create(&threads[started], NULL, run_worker, &pool) != 0)
            break;
    (void)run_worker(&pool); /* this thread works too, and alone where no other could be started */
    for (unsigned i = 0; i < started; i++)
        (void)pthread_join(threads[i], NULL);
    (void)pthread_mutex_destroy(&pool.lock);
    (void)pthread_cond_destroy(&pool.freed);
    if (pool.stop)
        *problem = pool.problem;
    return !pool.stop;
}

#include "crew.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "../base/arena.h"
#include "interrupt.h"

#define PIECE_SECONDS 0.01
#define ALONE_SECONDS 0.005 /* before other threads are started */
enum { PIECE_MOST = 4096 };

struct queue {
    struct crew *crew;
    pthread_mutex_t lock;
    uint64_t next; /* the first unit that nobody has taken */
    uint64_t end;  /* the total, or where the first failing piece begins */
};

struct worker {
    struct queue *queue;
    unsigned number;
    uint64_t length; /* of its next piece */
};

static double now(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static uint64_t take(struct worker *worker, uint64_t *first)
{
    struct queue *queue = worker->queue;
    uint64_t count = 0;
    (void)pthread_mutex_lock(&queue->lock);
    if (queue->next < queue->end && interrupt_asked())
        queue->crew->interrupted = true;
    else if (queue->next < queue->end) {
        *first = queue->next;
        count = queue->end - *first < worker->length ? queue->end - *first : worker->length;
        queue->next += count;
    }
    (void)pthread_mutex_unlock(&queue->lock);
    return count;
}

static void finish(struct worker *worker, uint64_t first, uint64_t count, bool ok)
{
    struct queue *queue = worker->queue;
    struct crew *crew = queue->crew;
    (void)pthread_mutex_lock(&queue->lock);
    if (ok) {
        crew->done += count;
    } else if (!crew->failed || first < queue->end) {
        crew->failed = true;
        crew->failed_worker = worker->number;
        queue->end = first;
    }
    uint64_t done = crew->done;
    (void)pthread_mutex_unlock(&queue->lock);
    if (worker->number == 0 && crew->progress)
        progress_show(crew->progress, done, crew->total);
}

/* Pieces until there are none, or for so many seconds. False: there are none for this worker. */
static bool work(struct worker *worker, double seconds)
{
    struct crew *crew = worker->queue->crew;
    uint64_t first, count;
    double begun = now(), before = begun;
    while ((count = take(worker, &first)) != 0) {
        bool ok = crew->piece(crew->self, worker->number, first, count);
        double after = now();
        finish(worker, first, count, ok);
        if (!ok)
            return false;
        if (after - before < PIECE_SECONDS && worker->length < PIECE_MOST)
            worker->length *= 2;
        else if (after - before > 4 * PIECE_SECONDS && worker->length > 1)
            worker->length /= 2;
        before = after;
        if (seconds > 0 && after - begun > seconds)
            return true;
    }
    return false;
}

static void *run_worker(void *self)
{
    (void)work(self, 0);
    return NULL;
}

bool crew_run(struct crew *crew)
{
    struct queue queue = {.crew = crew, .end = crew->total};
    unsigned count = crew->workers < CREW_LIMIT ? crew->workers : CREW_LIMIT, started = 0;
    struct worker *workers = memory_take(count, sizeof *workers);
    pthread_t *threads = memory_take(count, sizeof *threads);
    crew->done = 0;
    crew->interrupted = crew->failed = false;
    (void)pthread_mutex_init(&queue.lock, NULL);
    for (unsigned i = 0; i < count; i++)
        workers[i] = (struct worker){&queue, i, 1};
    if (work(&workers[0], count > 1 ? ALONE_SECONDS : 0)) {
        for (; started + 1 < count; started++)
            if (pthread_create(&threads[started], NULL, run_worker, &workers[started + 1]) != 0)
                break;
        (void)work(&workers[0], 0);
    }
    for (unsigned i = 0; i < started; i++)
        (void)pthread_join(threads[i], NULL);
    (void)pthread_mutex_destroy(&queue.lock);
    free(threads);
    free(workers);
    return crew->done == crew->total;
}

unsigned crew_default(void)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return processors < 1 ? 1 : processors > (long)CREW_LIMIT ? CREW_LIMIT : (unsigned)processors;
}

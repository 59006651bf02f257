#include "background.h"

/* Gives the turn away and waits until it comes back. The lock is held. */
static void hand_over(struct background *b, enum background_turn own)
{
    b->turn = own == TURN_KEYS ? TURN_WORK : TURN_KEYS;
    pthread_cond_broadcast(&b->turned);
    while (b->turn != own)
        pthread_cond_wait(&b->turned, &b->lock);
}

static void *run_thread(void *self)
{
    struct background *b = self;
    pthread_mutex_lock(&b->lock);
    while (b->turn != TURN_WORK)
        pthread_cond_wait(&b->turned, &b->lock);
    while (!b->ended) {
        b->more = b->work(b->self);
        b->cancelled = false;
        hand_over(b, TURN_WORK);
    }
    b->turn = TURN_KEYS;
    pthread_cond_broadcast(&b->turned);
    pthread_mutex_unlock(&b->lock);
    return NULL;
}

static bool go_on(void *self, struct watched *warp)
{
    struct background *b = self;
    if (b->outer && !b->outer->go_on(b->outer->self, warp))
        return false;
    if (!b->runs || !pthread_equal(pthread_self(), b->thread))
        return !b->go_on || b->go_on(b->self, warp);
    while (!b->cancelled && b->wanted(b->self)) {
        b->paused = true;
        hand_over(b, TURN_WORK);
        b->paused = false;
    }
    return !b->cancelled;
}

void background_begin(struct background *b, const struct watch *outer)
{
    *b = (struct background){.outer = outer};
    b->watch = (struct watch){.self = b, .go_on = go_on};
    pthread_mutex_init(&b->lock, NULL);
    pthread_cond_init(&b->turned, NULL);
}

/* The work's turn until it is given back. */
static void take_turn(struct background *b)
{
    pthread_mutex_lock(&b->lock);
    hand_over(b, TURN_KEYS);
    pthread_mutex_unlock(&b->lock);
}

bool background_run(struct background *b)
{
    if (!b->runs)
        b->runs = pthread_create(&b->thread, NULL, run_thread, b) == 0;
    if (!b->runs) /* no thread to be had: then here */
        return b->work(b->self);
    take_turn(b);
    return b->paused || b->more;
}

void background_cancel(struct background *b)
{
    if (!b->paused)
        return;
    b->cancelled = true;
    while (b->paused)
        take_turn(b);
}

void background_end(struct background *b)
{
    if (b->runs) {
        background_cancel(b);
        b->ended = true;
        take_turn(b);
        (void)pthread_join(b->thread, NULL);
    }
    pthread_cond_destroy(&b->turned);
    pthread_mutex_destroy(&b->lock);
}

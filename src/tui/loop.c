#include "loop.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../base/arena.h"
#include "input.h"
#include "keys.h"
#include "play.h"
#include "pointer.h"
#include "prompt.h"
#include "save.h"
#include "view.h"

#define NOT_A_FILE "this kernel is built in; lanescope tui FILE.cu opens a file that can be edited"

#define WAIT_WORDS "esc leaves it"

/* How often work in the background shows; how long a key waits before it is said what for. */
enum { PROGRESS_MS = 80, PATIENCE_MS = 150 };

static int64_t now_ms(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static void show(struct screen *screen, struct canvas *canvas, const struct state *state)
{
    if (canvas->rows != state->rows || canvas->cols != state->cols) {
        canvas_free(canvas);
        canvas_init(canvas, state->rows, state->cols, state->ascii);
    }
    view_draw(canvas, state);
    screen_show(screen, canvas);
}

static void save(struct canvas *canvas, struct state *state)
{
    struct problem problem = {0};
    char text[PROMPT_SIZE + 20];
    view_draw(canvas, state);
    canvas->rows--; /* without the keys */
    bool ok = save_file(canvas, state->save_path, &problem);
    canvas->rows++;
    (void)snprintf(text, sizeof text, "saved as %s", state->save_path);
    state_say(state, !ok, ok ? text : problem.message);
    state->saves += ok;
    if (!ok) /* to be mended */
        prompt_begin(state, PROMPT_SAVE, state->save_path);
    state->save_path[0] = '\0';
}

/* Returns false when the session ends. */
static bool take_key(struct screen *screen, struct state *state, int key)
{
    int rows, cols;
    if (key == SCREEN_STOPPED)
        return false;
    if (key == SCREEN_RESIZED) {
        screen_size(screen, &rows, &cols);
        state_resize(state, rows, cols);
    } else if (key == PRESS_POINTER) {
        const struct pointer_event event = screen_pointer(screen);
        pointer_act(state, &event);
    } else {
        input_key(state, key);
    }
    screen_set_light(screen, state->light);
    return !state->quit;
}

/* How long to wait for a key: not at all while there is work, else until the next step or the next look at
 * the file; -1: for ever. */
static int patience_for(const struct loop *loop, bool working, int64_t tick)
{
    int every = play_tick_ms(loop->state);
    int64_t left = every < 0 ? -1 : tick + every - now_ms();
    if (working || (every >= 0 && left < 0))
        return 0;
    return loop->live.path && (left < 0 || left > LIVE_MS) ? LIVE_MS : (int)left;
}

/* What a key asked for that is not the state's: files and other programs. */
static void serve(struct loop *loop)
{
    struct state *state = loop->state;
    if (state->save_path[0])
        save(&loop->canvas, state);
    if (state->wants_editor && loop->live.path)
        live_edit(&loop->live, loop->screen, state);
    else if (state->wants_editor)
        state_say(state, true, NOT_A_FILE);
    state->wants_editor = false;
}

static void draw(struct loop *loop)
{
    show(loop->screen, &loop->canvas, loop->state);
    loop->shown = now_ms();
}

/* A block that a key waits for takes long: say so, and let it be left. */
static bool wait_for_block(void *self, const struct watched *warp)
{
    struct loop *loop = self;
    if (!loop->screen || now_ms() - loop->asked < PATIENCE_MS)
        return true;
    if (!loop->is_told || now_ms() - loop->shown >= PROGRESS_MS) {
        char text[120];
        (void)snprintf(text, sizeof text, "block %u,%u: warp %u has taken %.1f million steps; " WAIT_WORDS,
                       warp->block[0], warp->block[1], warp->warp, (double)warp->steps / 1e6);
        if (!strstr(loop->state->message, WAIT_WORDS)) {
            (void)snprintf(loop->before, sizeof loop->before, "%s", loop->state->message);
            loop->before_is_bad = loop->state->message_is_bad;
        }
        state_say(loop->state, false, text);
        loop->is_told = true;
        draw(loop);
    }
    int key = screen_key(loop->screen, 0);
    loop->has_ended = loop->has_ended || key == SCREEN_STOPPED;
    if (key == PRESS_ESCAPE)
        return false;
    if (key != SCREEN_NOTHING && key != PRESS_POINTER && loop->kept_count < LOOP_KEPT)
        loop->kept[loop->kept_count++] = key;
    return !loop->has_ended && key != 'q';
}

static bool is_wanted(void *self)
{
    struct loop *loop = self;
    return screen_has_key(loop->screen) || now_ms() - loop->began >= PROGRESS_MS;
}

/* Slices, until there is something else to do. */
static bool work(void *self)
{
    struct loop *loop = self;
    bool more;
    do
        more = state_work(loop->state);
    while (more && !is_wanted(loop));
    return more;
}

static void interrupt(void *self)
{
    struct loop *loop = self;
    background_cancel(&loop->background);
    loop->state->at_work.paused = false;
}

void loop_begin(struct loop *loop, const struct watch *outer)
{
    *loop = (struct loop){.screen = NULL};
    background_begin(&loop->background, outer);
    loop->background.work = work;
    loop->background.wanted = is_wanted;
    loop->background.go_on = wait_for_block;
    loop->background.self = loop;
}

void loop_end(struct loop *loop)
{
    background_end(&loop->background);
    if (loop->state)
        loop->state->at_work = (struct at_work){.job = JOB_NONE};
    loop->screen = NULL;
    canvas_free(&loop->canvas);
}

/* What is done for a key, for the clock or for the file may take long. */
static void begin_asked(struct loop *loop)
{
    loop->asked = now_ms();
    loop->is_told = false;
}

/* The message of a long block goes when the block is there. */
static void end_asked(struct loop *loop)
{
    if (loop->is_told && strstr(loop->state->message, WAIT_WORDS))
        state_say(loop->state, loop->before_is_bad, loop->before);
}

/* The next key, those first that came while a block was waited for. */
static int next_key(struct loop *loop, int ms)
{
    if (!loop->kept_count)
        return screen_key(loop->screen, ms);
    int key = loop->kept[0];
    memmove(loop->kept, loop->kept + 1, --loop->kept_count * sizeof *loop->kept);
    return key;
}

struct discarded {
    struct session *session;
    struct verdict verdict;
};

static void *end_discarded(void *self)
{
    struct discarded *discarded = self;
    verdict_free(&discarded->verdict);
    session_free(discarded->session);
    free(discarded);
    return NULL;
}

/* On a thread of its own: nobody else knows of them any more. */
static void discard(struct session *session, struct verdict *verdict)
{
    struct discarded *discarded = memory_take(1, sizeof *discarded);
    pthread_t thread;
    *discarded = (struct discarded){session, *verdict};
    if (pthread_create(&thread, NULL, end_discarded, discarded) == 0)
        (void)pthread_detach(thread);
    else
        (void)end_discarded(discarded);
}

static bool work_a_while(struct loop *loop)
{
    loop->began = now_ms();
    bool more = background_run(&loop->background);
    loop->state->at_work.paused = loop->background.paused;
    return more;
}

void loop_run(struct loop *loop, struct screen *screen, struct state *state, const char *path)
{
    bool working = true, stale = true;
    int64_t looked = now_ms(), tick = now_ms();
    loop->screen = screen;
    loop->state = state;
    state->at_work.interrupt = interrupt;
    state->at_work.runner = loop;
    state->at_work.discard = discard;
    live_begin(&loop->live, path);
    while (!loop->has_ended) {
        if (stale)
            draw(loop);
        stale = false;
        int every = play_tick_ms(state);
        int key = next_key(loop, patience_for(loop, working, tick));
        begin_asked(loop);
        if (key != SCREEN_NOTHING) {
            if (!take_key(screen, state, key))
                break;
            serve(loop);
            if (every < 0)
                tick = now_ms();
            working = stale = true;
        } else if (every >= 0 && now_ms() >= tick + every) {
            play_tick(state);
            tick = now_ms();
            working = stale = true;
        } else if (path && now_ms() >= looked + LIVE_MS) {
            bool fresh = live_look(&loop->live, state);
            looked = now_ms();
            working = working || fresh;
            stale = stale || fresh;
        } else if (working) {
            working = work_a_while(loop);
            stale = !working || now_ms() - loop->shown >= PROGRESS_MS;
        }
        end_asked(loop);
    }
}

/* terminal_support.h - the program in a real terminal: tmux holds it, keys go in, the screen comes out.
 *
 * Nothing sleeps for a guess: every expectation is polled until it holds or a deadline passes.
 */
#ifndef LANESCOPE_TESTS_TERMINAL_SUPPORT_H
#define LANESCOPE_TESTS_TERMINAL_SUPPORT_H

#include "tui_support.h"

#include "../src/tui/screen.h"

#include <signal.h>
#include <time.h>
#include <unistd.h>

enum { DEADLINE_MS = 20000, POLL_MS = 20 };

struct terminal {
    char socket[64], screen[65536];
};

static inline int64_t now_ms(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static inline void pause_briefly(void)
{
    struct timespec time = {.tv_nsec = POLL_MS * 1000000L};
    (void)nanosleep(&time, NULL);
}

/* tmux with a server of its own; what it prints goes to `out`. */
static inline int tmux(const struct terminal *t, const char *arguments, char *out, size_t size)
{
    char command[2048];
    (void)snprintf(command, sizeof command, "tmux -L %s -f /dev/null %s 2>/dev/null", t->socket, arguments);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    size_t used = out ? fread(out, 1, size - 1, pipe) : 0;
    if (out)
        out[used] = '\0';
    return pclose(pipe);
}

static inline void capture(struct terminal *t)
{
    (void)tmux(t, "capture-pane -p", t->screen, sizeof t->screen);
}

static inline void expect(struct terminal *t, const char *text)
{
    int64_t end = now_ms() + DEADLINE_MS;
    do {
        capture(t);
        if (strstr(t->screen, text))
            return;
        pause_briefly();
    } while (now_ms() < end);
    fail_msg("the terminal never showed \"%s\":\n%s", text, t->screen);
}

/* Like expect(), where the words may be broken into lines. */
static inline void expect_words(struct terminal *t, const char *text)
{
    int64_t end = now_ms() + DEADLINE_MS;
    static char words[sizeof t->screen];
    do {
        size_t used = 0;
        capture(t);
        for (const char *c = t->screen; *c; c++) {
            char plain = *c == '\n' ? ' ' : *c;
            if (plain != ' ' || (used && words[used - 1] != ' '))
                words[used++] = plain;
        }
        words[used] = '\0';
        if (strstr(words, text))
            return;
        pause_briefly();
    } while (now_ms() < end);
    fail_msg("the terminal never showed \"%s\":\n%s", text, t->screen);
}

static inline void keys(struct terminal *t, const char *names)
{
    char arguments[1024];
    (void)snprintf(arguments, sizeof arguments, "send-keys %s", names);
    assert_int_equal(tmux(t, arguments, NULL, 0), 0);
}

/* A shell that reads commands, so that job control and what comes after the program are real. */
static inline void begin(struct terminal *t, int cols, int rows)
{
    char arguments[512];
    (void)snprintf(arguments, sizeof arguments,
                   "new-session -d -x %d -y %d 'env -u NO_COLOR -u TMUX LC_ALL=C.UTF-8 PS1=\"ready. \" bash "
                   "--norc --noprofile'",
                   cols, rows);
    if (tmux(t, arguments, NULL, 0) != 0)
        fail_msg("tmux does not start; it is needed here (make setup-test installs it)");
    expect(t, "ready.");
}

static inline const char *program(void)
{
    const char *name = getenv("LANESCOPE");
    return name ? name : "./lanescope";
}

static inline void start(struct terminal *t, const char *before, const char *after)
{
    char text[800];
    (void)snprintf(text, sizeof text, "-l 'clear; %s %s %s'", before, program(), after);
    keys(t, text);
    keys(t, "Enter");
}

static inline int set_up(void **state)
{
    struct terminal *t = calloc(1, sizeof *t);
    (void)snprintf(t->socket, sizeof t->socket, "lanescope-%ld-%lld", (long)getpid(), (long long)now_ms());
    *state = t;
    return 0;
}

static inline int tear_down(void **state)
{
    struct terminal *t = *state;
    (void)tmux(t, "kill-server", NULL, 0);
    free(t);
    return 0;
}

/* tmux's flags of the pane: alternate screen, cursor. */
static inline void expect_flags(struct terminal *t, const char *wanted)
{
    char flags[64] = "";
    int64_t end = now_ms() + DEADLINE_MS;
    do {
        (void)tmux(t, "display-message -p '#{alternate_on}#{cursor_flag}'", flags, sizeof flags);
        if (strncmp(flags, wanted, strlen(wanted)) == 0)
            return;
        pause_briefly();
    } while (now_ms() < end);
    fail_msg("the terminal's flags are %s, not %s", flags, wanted);
}

/* The shell's screen is back, the cursor shows, lines are edited and echoed as before. */
static inline void expect_restored(struct terminal *t, const char *code)
{
    expect_flags(t, "01");
    keys(t, "-l 'echo code=$?.; stty -a | tr \" \" \"\\n\" | grep -x -e echo -e icanon | sort | tr \"\\n\" "
            ".; echo'");
    keys(t, "Enter");
    expect(t, code);
    expect(t, "\necho.icanon.");
}

#endif

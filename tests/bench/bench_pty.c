/* bench_pty.c - from a key to its frame, in wall time, as a person's terminal sees it: the program on a
 * pseudo-terminal, a byte in, the last byte of the frame out.
 *
 * While the launch is audited the program draws its progress every 80 ms. A key is sent at a random moment
 * soon after such a frame, so that what comes next is the key's own.
 */
#include "bench_pty.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../../src/tui/screen.h"

/* A frame has ended when nothing more comes for so long; a key waits so long for a frame of progress; and at
 * most so long after it, so that the next one is far. */
enum { QUIET_MS = 4, PROGRESS_MS = 100, AFTER_MS = 50, DEADLINE_MS = 5000, KEYS_MOST = 400 };

struct pty {
    int handle;
    pid_t child;
};

static double now_ms(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

/* Of the child, all its threads: what a machine that has other work adds to the wall's time is not in it. */
static double cpu_ms(const struct pty *pty)
{
    clockid_t clock;
    struct timespec time = {0};
    if (clock_getcpuclockid(pty->child, &clock) == 0)
        (void)clock_gettime(clock, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

/* False: nothing within the time. */
static bool has_output(const struct pty *pty, int ms)
{
    struct pollfd poller = {.fd = pty->handle, .events = POLLIN};
    return poll(&poller, 1, ms) > 0 && (poller.revents & POLLIN);
}

/* When the last byte of what comes within `ms` came, and what the child had used by then; 0: nothing did. */
static double read_frame(const struct pty *pty, int ms, double *cpu)
{
    char bytes[4096];
    double last = 0;
    while (has_output(pty, last > 0 ? QUIET_MS : ms) && read(pty->handle, bytes, sizeof bytes) > 0) {
        last = now_ms();
        *cpu = cpu_ms(pty);
    }
    return last;
}

static bool pty_open(struct pty *pty, const char *program, char *const *arguments, int rows, int cols)
{
    const struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols};
    *pty = (struct pty){.handle = posix_openpt(O_RDWR | O_NOCTTY)};
    if (pty->handle < 0 || grantpt(pty->handle) != 0 || unlockpt(pty->handle) != 0 ||
        ioctl(pty->handle, TIOCSWINSZ, &size) != 0)
        return false;
    pty->child = fork();
    if (pty->child != 0)
        return pty->child > 0;
    (void)setsid(); /* the first terminal that it opens is its own */
    int terminal = open(ptsname(pty->handle), O_RDWR);
    (void)dup2(terminal, STDIN_FILENO);
    (void)dup2(terminal, STDOUT_FILENO);
    (void)dup2(terminal, STDERR_FILENO);
    (void)setenv("TERM", "xterm-256color", 1);
    (void)setenv("LC_ALL", "C.UTF-8", 1);
    (void)execv(program, arguments);
    _exit(127);
}

static void pty_close(struct pty *pty)
{
    (void)kill(pty->child, SIGTERM);
    double cpu = 0;
    while (read_frame(pty, 200, &cpu) > 0)
        ;
    (void)waitpid(pty->child, NULL, 0);
    (void)close(pty->handle);
}

static int by_value(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

enum { ENOUGH_MS = 16 };

/* One key a character. */
static void bench_group(FILE *out, const struct pty *pty, const char *name, const char *keys, unsigned rounds)
{
    double took[KEYS_MOST], used[KEYS_MOST], cpu = 0;
    unsigned count = 0, late = 0;
    for (unsigned round = 0; round < rounds; round++)
        for (const char *key = keys; *key && count < KEYS_MOST; key++) {
            (void)read_frame(pty, PROGRESS_MS, &cpu);
            const struct timespec wait = {.tv_nsec = rand() % AFTER_MS * 1000000L};
            (void)nanosleep(&wait, NULL);
            double start = now_ms(), before = cpu_ms(pty);
            if (write(pty->handle, key, 1) != 1)
                return;
            double end = read_frame(pty, DEADLINE_MS, &cpu);
            used[count] = cpu - before;
            took[count] = end > 0 ? end - start : DEADLINE_MS;
            late += took[count++] > ENOUGH_MS;
        }
    qsort(took, count, sizeof *took, by_value);
    qsort(used, count, sizeof *used, by_value);
    (void)fprintf(out, "  %-28s %7.2f %7.2f  %3u of %-3u  %7.2f %7.2f\n", name, took[count / 2],
                  took[count - 1], late, count, used[count / 2], used[count - 1]);
}

static void bench_rung(FILE *out, const char *program, char *rung)
{
    char size[] = "65536";
    char *const arguments[] = {"lanescope", "tui", rung, "-m", size, "-n", size, NULL};
    struct pty pty;
    double begin = now_ms();
    if (!pty_open(&pty, program, arguments, 60, 200)) {
        (void)fprintf(out, "no pseudo-terminal is to be had here\n");
        return;
    }
    double cpu = 0, first = read_frame(&pty, DEADLINE_MS, &cpu);
    (void)fprintf(out, "key to frame on a terminal of 200 x 60, %s %s x %s, the audit running\n", rung, size,
                  size);
    (void)fprintf(out, "  %-28s %7s %7s  %10s  %7s %7s\n  %-28s %7.2f %29s %7.2f\n", "ms", "median", "worst",
                  "over 16 ms", "its CPU", "worst", "first frame", first - begin, "", cpu);
    bench_group(out, &pty, "step", "nnpp", 15);
    bench_group(out, &pty, "wavefront, lane", "jtkT", 15);
    bench_group(out, &pty, "warp, block", "wbWB", 15);
    bench_group(out, &pty, "pane, heat, view", "\thv}{", 10);
    bench_group(out, &pty, "findings, worst, help", "!\177H\177??", 6);
    bench_group(out, &pty, "owners", "oo", 15);
    if (strcmp(rung, "naive") != 0)
        bench_group(out, &pty, "pitch", "+-", 10);
    bench_group(out, &pty, "rung", "][", 10);
    bench_group(out, &pty, "compare", "cc", 10);
    pty_close(&pty);
}

void bench_pty(FILE *out)
{
    const char *program = getenv("LANESCOPE");
    char padded[] = "padded", naive[] = "naive";
    if (!screen_exists())
        return;
    srand(1);
    bench_rung(out, program ? program : "./lanescope", padded);
    bench_rung(out, program ? program : "./lanescope", naive);
}

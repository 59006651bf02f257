#include "progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define WAIT_SECONDS  0.5
#define EVERY_SECONDS 0.25

static double now(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

void progress_begin(struct progress *progress, const char *what)
{
    *progress = (struct progress){
        .what = what, .part = "", .to = 1, .on = isatty(STDERR_FILENO) != 0, .start = now()};
}

void progress_part(struct progress *progress, const char *part, uint64_t index, uint64_t count)
{
    progress->part = part;
    progress->from = (double)index / (double)count;
    progress->to = (double)(index + 1) / (double)count;
}

/* Is it time for a new line? */
static bool is_due(struct progress *progress, double *seconds)
{
    if (!progress->on)
        return false;
    double time = now();
    *seconds = time - progress->start;
    if (*seconds < WAIT_SECONDS || (progress->visible && time - progress->shown < EVERY_SECONDS))
        return false;
    progress->shown = time;
    progress->visible = true;
    return true;
}

static void print_time(double seconds, char *out, unsigned size)
{
    if (seconds < 99.5)
        (void)snprintf(out, size, "%.0f s", seconds < 1 ? 1 : seconds);
    else if (seconds < 99.5 * 60)
        (void)snprintf(out, size, "%.0f min", seconds / 60);
    else
        (void)snprintf(out, size, "%.0f h", seconds / 3600);
}

void progress_line(const struct progress *progress, double seconds, double fraction, char *out, unsigned size)
{
    char left[32] = "";
    int used = snprintf(out, size, "%s:%s%.60s %3.0f %%", progress->what, *progress->part ? " " : "",
                        progress->part, 100 * fraction);
    if (fraction <= 0 || used < 0 || (unsigned)used >= size)
        return;
    print_time(seconds * (1 - fraction) / fraction, left, sizeof left);
    (void)snprintf(out + used, size - (unsigned)used, ", about %s left", left);
}

void progress_show(struct progress *progress, uint64_t done, uint64_t total)
{
    char line[200];
    double seconds, part = total ? (double)done / (double)total : 0;
    if (!is_due(progress, &seconds))
        return;
    progress_line(progress, seconds, progress->from + (progress->to - progress->from) * part, line,
                  sizeof line);
    (void)fprintf(stderr, "\r%s\033[K", line);
}

void progress_count(struct progress *progress, uint64_t count, const char *things, uint64_t most)
{
    char left[32];
    double seconds;
    if (!is_due(progress, &seconds))
        return;
    (void)fprintf(stderr, "\r%s: %" PRIu64 " %s", progress->what, count, things);
    if (count && most > count) {
        print_time(seconds * (double)(most - count) / (double)count, left, sizeof left);
        (void)fprintf(stderr, ", at most about %s left", left);
    }
    (void)fputs("\033[K", stderr);
}

void progress_clear(struct progress *progress)
{
    if (progress->visible)
        (void)fputs("\r\033[K", stderr);
    progress->visible = false;
}

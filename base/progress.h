/* progress.h - a line for people who wait: how far, and about how much longer.
 *
 * It is shown on the standard error where that is a terminal, after half a second and four times a second
 * from then on, and erased when the work ends. The estimate takes it that the rest goes as fast as what is
 * done.
 *
 * Work may come in parts of a whole, each with a name of its own. Before anything else is printed while the
 * work goes on, call progress_clear(). Not for several threads at a time.
 */
#ifndef LANESCOPE_PROGRESS_H
#define LANESCOPE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
    const char *what;    /* is done, in a word or two; must outlive this */
    const char *part;    /* of it, likewise; "" for none */
    double from, to;     /* the part, as fractions of the whole */
    double start, shown; /* seconds */
    bool on;             /* a terminal */
    bool visible;
};

void progress_begin(struct progress *progress, const char *what);

/* Part `index` of `count` equal ones comes next. */
void progress_part(struct progress *progress, const char *part, uint64_t index, uint64_t count);

/* So much of the part is done, of `total`. */
void progress_show(struct progress *progress, uint64_t done, uint64_t total);

/* Work whose end is not known: `count` of something so far; at most `most` (0: not known either). */
void progress_count(struct progress *progress, uint64_t count, const char *things, uint64_t most);

void progress_clear(struct progress *progress); /* takes the line away; also the end */

/* The line without its terminal's codes, for `seconds` gone and a fraction done (0 to 1); "" where there is
 * none to show. */
void progress_line(const struct progress *progress, double seconds, double fraction, char *out,
                   unsigned size);

#endif

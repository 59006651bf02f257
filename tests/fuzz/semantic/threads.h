/* threads.h - a block's threads on the host, in step where they wait for each other.
 *
 * Each thread of the kernel is a context of its own. It runs up to a function of its warp or a barrier, and
 * waits there. When every lane of a warp waits or has ended, those go on that are at the place which comes
 * first in the text: nobody can come there later, so that they are all that meet. Places are compared as
 * lists of the calls and loops around them, each with its number and turn; numbers rise along the text.
 * Shares nothing with sim/.
 */
#ifndef LANESCOPE_FUZZ_THREADS_H
#define LANESCOPE_FUZZ_THREADS_H

#include <stdbool.h>
#include <stdint.h>

struct logged { /* as in host.hpp */
    unsigned long long address, turns;
    unsigned site, phase;
    unsigned char bytes, kind;
};

/* `records`: `limit` for each thread; counts[t] of them are filled. False if a thread makes more. */
bool threads_run(void *library, void (*run)(void), const uint32_t block[3], struct logged *records,
                 unsigned limit, unsigned *counts, bool *undefined);

#endif

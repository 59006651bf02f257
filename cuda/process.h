/* process.h - a program run without a shell, in a folder of its own, for a limited time. Paths of a workplace
 * have at most WORKPLACE_PATH bytes, names in it 38.
 */
#ifndef LANESCOPE_CUDA_PROCESS_H
#define LANESCOPE_CUDA_PROCESS_H

#include "../base/problem.h"

enum { WORKPLACE_PATH = 600 };

/* A new folder under TMPDIR (or /tmp), which only this user can look into. */
struct workplace {
    char path[WORKPLACE_PATH];
};
bool workplace_open(struct workplace *place, struct problem *problem);
void workplace_close(struct workplace *place); /* removes it with the plain files in it */
/* Writes a new file there. Or reads one (free()), of which what lies far beyond `limit` bytes is left out;
 * NULL, and no problem said, where it cannot be opened. */
bool workplace_write(const struct workplace *place, const char *name, const char *bytes, size_t size,
                     struct problem *problem);
char *workplace_read(const struct workplace *place, const char *name, size_t limit, size_t *size);

enum process_end {
    PROCESS_FINE,    /* it ended with 0 */
    PROCESS_FAILED,  /* with something else, by a signal, or it could not be begun */
    PROCESS_MISSING, /* there is no such program */
    PROCESS_TIMEOUT
};

/* Runs arguments[0], looked for in PATH; NULL ends the list. What it prints goes to the file `log` of the
 * workplace. `folder` is where it runs; NULL: the workplace. After `seconds` it is ended, with what it
 * started. */
enum process_end process_run(const struct workplace *place, const char *const *arguments, const char *folder,
                             const char *log, unsigned seconds);

/* Runs `work` in a copy of this process, whose crash ends the copy alone; true from it is PROCESS_FINE. What
 * it has to say it writes to the workplace. */
enum process_end process_apart(bool (*work)(void *), void *self, unsigned seconds);

#endif

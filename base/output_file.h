/* output_file.h - files that are there whole, or not at all.
 *
 * A file is written beside its target, in the same folder under a name of its own, and takes the target's
 * place when output_file_finish() is told that all went well. Until then, and after any failure, the old file
 * is as it was; a signal that ends the program removes what was written (a signal that somebody else handles
 * is left to them). Links are followed: the file that they name is replaced, not the link. An existing
 * target's permissions are kept, its owner where the system allows it; another hard link to it keeps the old
 * contents. A target that may not be written is refused, as if it were written in place.
 *
 * What is no ordinary file (a device, a pipe, /dev/stdout and its kin) is written directly.
 *
 * Limits: OUTPUT_FILE_LIMIT files at a time.
 */
#ifndef LANESCOPE_OUTPUT_FILE_H
#define LANESCOPE_OUTPUT_FILE_H

#include <limits.h>
#include <stdio.h>

#include "problem.h"

#define OUTPUT_FILE_LIMIT 4

enum output_rule {
    OUTPUT_REPLACES, /* a file of that name is replaced */
    OUTPUT_IS_NEW    /* a file of that name is a problem, also one that appears meanwhile */
};

struct output_file {  /* must not move while it is open */
    FILE *stream;     /* to be written; NULL when not open */
    const char *path; /* as the user gave it; must outlive this */
    enum output_rule rule;
    char target[PATH_MAX];
    char temporary[PATH_MAX]; /* "" when written directly */
    int slot;                 /* among those that a signal removes */
};

/* False after filling the problem; nothing is open then and nothing was changed. */
bool output_file_open(struct output_file *file, const char *path, enum output_rule rule,
                      struct problem *problem);

/* Closes the file. With `keep` it takes its target's place; without, and if not all of it could be written,
 * it is removed. False after filling the problem: it was to be kept and could not be. */
bool output_file_finish(struct output_file *file, bool keep, struct problem *problem);

/* Everything written so far, out. False: a write failed, `*why` is the system's word for it. */
bool output_flush(FILE *stream, const char **why);

/* Do both names lead to one ordinary file, by whatever links? It need not exist yet. */
bool output_file_is(const char *path, const char *other);

#endif

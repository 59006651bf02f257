/* assertion.h - what a grader asks of numbers: 'excess == 0 && store_efficiency >= 90 && correct'.
 *
 * Numbers, names of numbers, + - * / ( ), == != < <= > >=, ! && ||, as in C, on doubles; what is not 0 is
 * true. A name may have dots, as counters do. Limit: ASSERTION_DEPTH brackets and signs in one another.
 */
#ifndef LANESCOPE_ASSERTION_H
#define LANESCOPE_ASSERTION_H

#include "../base/problem.h"

enum { ASSERTION_DEPTH = 64, ASSERTION_CLAUSE = 400 };

/* Where names get their values: false where there is no such name. */
struct assertion_names {
    const void *self;
    bool (*value)(const void *self, const char *name, double *value);
};

/* Is it true? If not, `clause` is the first part between the outermost && that is false, and what its names
 * are. False after filling the problem: the text is no such expression. */
bool assertion_holds(const char *text, const struct assertion_names *names, bool *holds,
                     char clause[ASSERTION_CLAUSE], struct problem *problem);

#endif

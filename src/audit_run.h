/* audit_run.h - an audit to its end, with progress, and its verdict in a sentence: for audit and report. */
#ifndef LANESCOPE_AUDIT_RUN_H
#define LANESCOPE_AUDIT_RUN_H

#include "../sim/report/audit.h"

/* Between interrupt_begin() and interrupt_end() Ctrl-C ends it early: the result is then not finished. */
void audit_run(struct audit *audit, const struct scenario *s);

/* "not correct: as a transpose of 100 x 70 elements of 4 bytes it leaves 3 of 7000 cells wrong or missing";
 * of a result that is not finished: "not yet known: ...". */
void audit_sentence(const struct scenario *s, const struct audit_result *result, char *out, size_t size);

#endif

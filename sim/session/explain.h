/* explain.h - what an access does, in words and counts, for the line a learner reads first. */
#ifndef LANESCOPE_SESSION_EXPLAIN_H
#define LANESCOPE_SESSION_EXPLAIN_H

#include "session.h"

#define EXPLAIN_SIZE 400

/* "32 lanes, 32 words, 1 bank: 32 wavefronts, one after another." and what that means. */
void explain_access(const struct session *session, const struct trace_access *at, char out[EXPLAIN_SIZE]);

/* Which lanes share a sector or a word: "No two lanes share a sector." or "Sector 314: lanes 0-5; ...". */
void explain_sharing(const struct trace_access *at, char out[EXPLAIN_SIZE]);

/* "Wavefront 3 of 32 serves lanes 2, 18-20." */
void explain_part(const struct trace_access *at, unsigned part, char out[EXPLAIN_SIZE]);

/* "32-bit arithmetic overflows at line 5 in block 40,40: use size_t." "" where none does. */
void explain_overflow(const struct session *session, char out[EXPLAIN_SIZE]);

/* "store tile[j][threadIdx.x]", the access's own text on one line. */
void explain_site(const struct site *site, char *out, size_t size);

#endif

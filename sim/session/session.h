/* session.h - one configuration under the glass: a kernel with its sizes, the trace of one block, the totals
 * of the launch.
 *
 * The trace holds every access of the block in the order of exec.h, copied, so that stepping back is an
 * index. It is built when the block is entered and then only read. The totals of the whole launch are there
 * at once where a census of few regions gives them (census/census.h). Elsewhere they are counted a slice at a
 * time by session_count(); until counted == blocks they are those of the first `counted` blocks.
 *
 * A session owns its scenario, executions and trace; the text and the strings in the options must outlive
 * it. Limits: SESSION_TRACE_LIMIT accesses of a block are kept (`cut` says that there were more).
 */
#ifndef LANESCOPE_SESSION_SESSION_H
#define LANESCOPE_SESSION_SESSION_H

#include "../audit/judge.h"
#include "../model/sector.h"
#include "../report/matrix.h"
#include "../report/summary.h"
#include "worst.h"

#define SESSION_TRACE_LIMIT 65536u
#define SESSION_REGIONS     256u                /* of a census at most, */
#define SESSION_WORK        (UINT64_C(1) << 22) /* of so many steps together */

struct running { /* sums over the block up to and with an access */
    uint64_t requests, units, ideal;
};

struct trace_access {
    struct access access; /* `data` is not kept; `delta` points to the next field */
    int64_t delta[LANES];
    struct access_cost cost; /* sectors or wavefronts */
    struct running so_far[ACCESS_KINDS];
    uint32_t phase; /* barriers passed before it */
};

struct box { /* elements [row0, row1) x [col0, col1) of a matrix; empty where nothing is touched */
    int64_t row0, col0, row1, col1;
};

struct trace {
    struct trace_access *at;
    size_t count;
    bool cut;
    uint32_t block[3];
    struct box source, target; /* what the block touches of the matrix read, of the matrix written */
    struct overflow overflow;  /* of the block's 32-bit arithmetic; no lanes: none */
};

struct session {
    const char *name; /* "tiled" */
    struct scenario scenario;
    struct trace trace;
    struct execution *tracer, *counter;
    struct tally tally;   /* the totals: of the launch, or of the first `counted` blocks */
    bool at_once;         /* by census */
    struct overflow met;  /* then: the launch's overflow */
    struct tally ranking; /* of the blocks run one by one so far, as `worst` needs them */
    struct worst worst;   /* of the first `ranked` blocks */
    uint64_t counted, ranked, blocks;
    struct problem count_problem; /* set: counting stopped there */
};

/* A session at block 0. NULL after filling the problem. */
struct session *session_open(const char *name, const struct source *text,
                             const struct scenario_options *options, struct problem *problem);
void session_free(struct session *session);

/* Traces another block. False: the problem is set and the trace is the old one. */
bool session_enter(struct session *session, const uint32_t block[3], struct problem *problem);

/* The first overflow of the block traced, or of the blocks counted so far; NULL: none. */
const struct overflow *session_overflow(const struct session *session);

/* Runs at most `blocks` more blocks: for the ranking, and for the totals where no census gave them. False
 * when nothing is left to do. */
bool session_count(struct session *session, uint64_t blocks);
bool session_is_counted(const struct session *session); /* the totals */
bool session_is_ranked(const struct session *session);
struct summary session_summary(const struct session *session); /* of the blocks counted so far */

/* Row and column, in elements, of what a lane touches: of its matrix, or of the shared array. False where
 * the lane is inactive or the buffer has no rows. */
bool session_element(const struct session *session, const struct access *access, unsigned lane, int64_t *row,
                     int64_t *col);

/* The text that is run: of a kernel that went through a compiler, its PTX. */
const struct source *session_text(const struct session *session);

/* The bytes of line `line`, from 1; empty past the end. */
struct source source_line(const struct source *text, int line);

/* Does the kernel's text mention this word (PITCH, TILE)? */
bool text_mentions(const struct source *text, const char *word);
bool session_mentions(const struct session *session, const char *word);

/* A lane's address for sectors, words and banks: bytes, in global memory from a multiple of 256. */
static inline int64_t session_address(const struct access *access, unsigned lane)
{
    return access_offset(access, lane) + access->misalignment;
}

/* How many parts an access is served in: wavefronts, or sectors in ascending order. */
unsigned access_parts(const struct trace_access *at);

/* The lanes that part `part` serves. */
uint32_t access_part_lanes(const struct trace_access *at, unsigned part);

/* The first access of those furthest above their ideal; 0 where there is none. */
size_t trace_costliest(const struct trace *trace);

/* The access of `other` that does the same work as `here`: same warp, direction, space and visit. False if
 * there is none. */
bool trace_match(const struct trace *other, const struct trace_access *here, size_t *index);

#endif

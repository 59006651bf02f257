/* ownership.h - who writes each cell of a window of the output.
 *
 * Small launches are run whole; of larger ones only the blocks around the one that the window most likely
 * belongs to (`nearby`), because a window on the screen is all that is asked for. Work is done a few blocks
 * at a time.
 */
#ifndef LANESCOPE_SESSION_OWNERSHIP_H
#define LANESCOPE_SESSION_OWNERSHIP_H

#include "../audit/ownermap.h"
#include "session.h"

#define OWNERSHIP_WHOLE_BLOCKS 4096u /* launches of at most so many blocks are run whole */

struct ownership {
    struct ownermap map;         /* of the window */
    uint64_t first, count, done; /* blocks; when nearby: cells of the square around the middle one */
    bool nearby, failed;
    uint32_t middle[3];
    struct execution *execution;
};

/* A window of rows x cols cells whose first is (row0, col0), cut to the output. */
void ownership_init(struct ownership *owners, const struct session *session, int64_t row0, int64_t col0,
                    int rows, int cols);
void ownership_free(struct ownership *owners);
bool ownership_advance(struct ownership *owners, const struct session *session, unsigned blocks);
bool ownership_is_done(const struct ownership *owners);

#endif

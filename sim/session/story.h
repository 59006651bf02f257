/* story.h - how a cell of the output got what it holds: by which lane's store, out of which cell of the tile,
 * from which element of the input.
 *
 * The writer's block is run once more. Limit: a warp of more than LANE_BUDGET steps ends the story at the
 * writer.
 */
#ifndef LANESCOPE_SESSION_STORY_H
#define LANESCOPE_SESSION_STORY_H

#include "../audit/ownermap.h"
#include "lane.h"

#define STORY_SIZE 240

/* "(6,3) <- block 0,0 warp 6 lane 3, line 43 <- tile[3][6] <- in(3,6)". */
void story_tell(const struct session *session, int64_t row, int64_t col, const struct owner *owner,
                char out[STORY_SIZE]);

#endif

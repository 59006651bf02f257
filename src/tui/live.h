/* live.h - the kernel's file on the disk: watched with all that it includes, read again when one of them
 * changes, opened in an editor. */
#ifndef LANESCOPE_TUI_LIVE_H
#define LANESCOPE_TUI_LIVE_H

#include "../../base/file_stamp.h"
#include "../../base/text.h"
#include "screen.h"
#include "state.h"

enum { LIVE_MS = 400 }; /* how often it is looked at */

struct live {
    const char *path; /* NULL: the kernel is a rung, nothing is watched */
    struct file_stamp stamp;
    struct text *texts; /* all that were read: sessions may read any of them */
    size_t count, capacity;
};

void live_begin(struct live *live, const char *path);
void live_end(struct live *live); /* after the state is freed */

/* Reads the file again if it is another. True: the state changed. */
bool live_look(struct live *live, struct state *state);

/* $VISUAL, $EDITOR or vi, at the line of the current access; the terminal is lent to it. */
void live_edit(struct live *live, struct screen *screen, struct state *state);

#endif

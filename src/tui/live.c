#include "live.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../base/arena.h"
#include "../../sim/lang/token.h"
#include "../include_files.h"
#include "reload.h"

/* Is the file another, or one that it includes? Both are looked at: each is noted as it is now. */
static bool is_another(struct live *live, struct state *state, bool *other_header)
{
    bool other = file_stamp_renew(&live->stamp, live->path);
    *other_header = include_files_renew(state->launch.includes);
    return other || *other_header;
}

void live_begin(struct live *live, const char *path)
{
    *live = (struct live){.path = path};
    if (path)
        (void)file_stamp_renew(&live->stamp, path);
}

void live_end(struct live *live)
{
    for (size_t i = 0; i < live->count; i++)
        text_close(&live->texts[i]);
    free(live->texts);
    *live = (struct live){.path = NULL};
}

static bool same_bytes(const struct source *a, const struct source *b)
{
    return a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0;
}

bool live_look(struct live *live, struct state *state)
{
    struct problem problem = {0};
    struct text text;
    bool other_header;
    if (!live->path || !is_another(live, state, &other_header))
        return false;
    if (!text_read_file(&text, live->path, SOURCE_SIZE_LIMIT, &problem)) {
        state_break(state, &problem);
        return true;
    }
    if (state->sides && !other_header && same_bytes(&text.source, &state->file)) { /* written as it was */
        text_close(&text);
        bool was_broken = state->broken.set;
        state->broken = (struct problem){0};
        if (was_broken)
            state_say(state, false, "read again: the text is what it was before");
        return was_broken;
    }
    if (live->count == live->capacity) {
        live->capacity = live->capacity ? 2 * live->capacity : 8;
        live->texts = memory_resize(live->texts, live->capacity, sizeof *live->texts);
    }
    live->texts[live->count++] = text;
    state->message[0] = '\0';
    if (!reload_text(state, &text.source)) /* nobody reads it: the problem has a copy of its line */
        text_close(&live->texts[--live->count]);
    return true;
}

static bool run_editor(const char *path, int line)
{
    char at[24];
    int status = 0;
    (void)snprintf(at, sizeof at, "+%d", line);
    pid_t child = fork();
    if (child == 0) {
        (void)execlp("sh", "sh", "-c", "exec ${VISUAL:-${EDITOR:-vi}} \"$@\"", "sh", at, path, (char *)NULL);
        _exit(127);
    }
    while (child > 0 && waitpid(child, &status, 0) < 0)
        ;
    return child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void live_edit(struct live *live, struct screen *screen, struct state *state)
{
    const struct trace_access *at = state->sides ? side_access(state_side(state)) : NULL;
    int line = state->broken.set && state->broken.line ? state->broken.line : at ? at->access.site->line : 1;
    screen_lend(screen);
    bool ok = run_editor(live->path, line);
    screen_take_back(screen);
    if (!ok)
        state_say(state, true, "the editor did not end well: $VISUAL or $EDITOR names it, else vi");
    (void)live_look(live, state);
}

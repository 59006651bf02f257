#include "find.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "panes.h"

int find_in(const char *text, size_t size, size_t from, const char *sought)
{
    size_t length = strlen(sought);
    for (size_t at = from; length && at + length <= size; at++) {
        size_t i = 0;
        while (i < length && tolower((unsigned char)text[at + i]) == tolower((unsigned char)sought[i]))
            i++;
        if (i == length)
            return (int)at;
    }
    return -1;
}

static bool say_nowhere(struct state *state)
{
    char text[120];
    (void)snprintf(text, sizeof text, "'%.60s' is nowhere here", state->sought);
    state_say(state, true, text);
    return false;
}

static bool find_in_source(struct state *state, int by)
{
    const struct session *session = state_side(state)->session;
    const struct source *text = session_text(session);
    const struct program *program = session->scenario.program;
    int first, last, column;
    source_place(text, program->begin, &first, &column);
    source_place(text, program->end, &last, &column);
    int count = last - first + 1, at = state->found_line ? state->found_line - first : by > 0 ? -1 : count;
    for (int i = 0; i < count; i++) {
        at = (at + by + count) % count;
        struct source line = source_line(text, first + at);
        if (find_in(line.bytes, line.size, 0, state->sought) < 0)
            continue;
        state->found_line = first + at;
        state->scroll = 0;
        return true;
    }
    return say_nowhere(state);
}

static bool find_in_lines(struct state *state, int by)
{
    int count = pane_lines(state), at = state->found_line ? state->found_line - 1 : by > 0 ? -1 : count;
    for (int i = 0; i < count; i++) {
        char text[200];
        at = (at + by + count) % count;
        pane_line(state, at, text, sizeof text);
        if (find_in(text, strlen(text), 0, state->sought) < 0)
            continue;
        state->found_line = at + 1;
        state->scroll = at > 3 ? at - 3 : 0;
        return true;
    }
    return say_nowhere(state);
}

bool find_next(struct state *state, int by)
{
    if (!state->sought[0]) {
        state_say(state, false, "nothing is sought: / asks what for");
        return false;
    }
    if (state->view == VIEW_HELP || state->view == VIEW_GLOSSARY)
        return find_in_lines(state, by);
    if (!state->sides)
        return false;
    return find_in_source(state, by);
}

void find_again(struct state *state, int by)
{
    (void)find_next(state, by);
}

void find_forget(struct state *state)
{
    state->sought[0] = '\0';
    state->found_line = 0;
}

/* state.h - what the user sees of what.
 *
 * A state is one or two sides (configurations), the place in their traces, and how they are shown. input.h is
 * what keys do to it, play.h the passing of time, view.h makes a frame of it. Nothing here touches the
 * terminal or a file: where a file is to be written, `save_path` says so and whoever runs the loop does it
 * and calls state_say().
 *
 * Whoever changes a state calls state_fit() at the end. The texts in the options must outlive the state.
 */
#ifndef LANESCOPE_TUI_STATE_H
#define LANESCOPE_TUI_STATE_H

#include "../../sim/session/heatmap.h"
#include "../../sim/session/ownership.h"
#include "layout.h"
#include "modular.h"

enum view { VIEW_PANES, VIEW_OWNERS, VIEW_LAB, VIEW_HELP };
enum tile_view { TILE_CELLS, TILE_CARD, TILE_WAVES, TILE_VIEWS };
enum heat_mode { HEAT_RATIO, HEAT_SECTORS, HEAT_OFF, HEAT_MODES };
enum prompt { PROMPT_NONE, PROMPT_FIELD, PROMPT_JUMP, PROMPT_SAVE };
enum field { FIELD_ROWS, FIELD_COLS, FIELD_TILE, FIELD_BLOCK_ROWS, FIELD_PITCH, FIELD_ELEM, FIELD_COUNT };

#define PROMPT_SIZE 64
#define PART_WHOLE  (-1)

struct side {
    struct session *session;
    size_t at;    /* index in the trace; 0 where the trace is empty */
    int part;     /* wavefront or sector within the access, or PART_WHOLE */
    bool waiting; /* comparing: it has no access that does what the other side does */
    bool has_heat, has_owners;
    struct heatmap heat;
    struct ownership owners;
};

struct state {
    struct source file;             /* a kernel that is no rung; size 0: none */
    const char *first_text;         /* the kernel that the options of the start were meant for */
    struct scenario_options launch; /* those options */
    struct side side[2];
    int sides, active;
    enum view view, back; /* `back`: where help returns to */
    enum pane focus;
    bool zoom;
    enum tile_view tile_view;
    enum heat_mode heat_mode;
    unsigned map_zoom;
    int scroll; /* lines, of the focused pane or the help */
    int rows, cols;
    bool ascii;
    struct layout layout;
    bool playing;
    unsigned speed; /* 0 to PLAY_SPEEDS - 1 */
    enum prompt prompt;
    enum field field;
    char typed[PROMPT_SIZE];
    char message[PROBLEM_MESSAGE_SIZE]; /* "" : none */
    bool message_is_bad;
    char save_path[PROMPT_SIZE]; /* "" : nothing to save */
    unsigned saves;              /* so far, for the next name */
    struct lab lab;
    bool lab_only; /* started as the laboratory: there is nothing to go back to */
    bool quit;
};

#define PLAY_SPEEDS      6u
#define PLAY_SPEED_FIRST 2u

struct state_start {
    const char *name;          /* of the rung or file */
    const struct source *text; /* the kernel's */
    bool is_file;              /* no rung */
    const struct scenario_options *options;
    int rows, cols;
    bool ascii;
};

/* False after filling the problem. */
bool state_init(struct state *state, const struct state_start *start, struct problem *problem);
void state_init_lab(struct state *state, unsigned modulus, unsigned stride, int rows, int cols, bool ascii);
void state_free(struct state *state);

void state_resize(struct state *state, int rows, int cols);
void state_say(struct state *state, bool is_bad, const char *text);

/* After every change: rectangles, and what is computed for them. */
void state_fit(struct state *state);

/* A slice of what can wait: totals, heatmap, owners; about a millisecond. False when nothing is left. */
bool state_work(struct state *state);

/* The side that keys act on. */
static inline struct side *state_side(struct state *state)
{
    return &state->side[state->active];
}

/* The access that a side shows; NULL where the block has none. */
const struct trace_access *side_access(const struct side *side);

/* The lanes of the current wavefront or sector; all active lanes where the access is shown whole. */
uint32_t side_part_lanes(const struct side *side);

/* Heatmap and owners are dropped; state_fit() begins them anew. */
void side_forget_views(struct side *side);

#endif

/* state.h - what the user sees of what, and what each key does to it.
 *
 * A state is one or two sides (configurations), the place in their traces, and how they are shown. Keys go in
 * through state_press(), the passing of time through state_tick(), the terminal's size through
 * state_resize(); a frame comes out of view.h. Nothing here touches the terminal or a file: where a file is
 * to be written, `save_path` says so and whoever runs the loop does it and calls state_say().
 *
 * An edit opens a new session first; if that is impossible, the message says why and everything else is as it
 * was. The texts in the options must outlive the state.
 */
#ifndef LANESCOPE_TUI_STATE_H
#define LANESCOPE_TUI_STATE_H

#include "../../sim/session/heatmap.h"
#include "layout.h"
#include "modular.h"
#include "../../sim/session/ownership.h"

/* Keys that are no characters. */
enum press {
    PRESS_TAB = 9,
    PRESS_ENTER = 10,
    PRESS_ESCAPE = 27,
    PRESS_BACKSPACE = 127,
    PRESS_LEFT = 0x200000, /* above every code point */
    PRESS_RIGHT,
    PRESS_UP,
    PRESS_DOWN,
    PRESS_HOME,
    PRESS_END,
    PRESS_PAGE_UP,
    PRESS_PAGE_DOWN,
    PRESS_BACK_TAB,
};

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
    unsigned speed; /* 0 to STATE_SPEEDS - 1 */
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

#define STATE_SPEEDS 6u

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

void state_press(struct state *state, int key);
void state_resize(struct state *state, int rows, int cols);
void state_say(struct state *state, bool is_bad, const char *text);

/* Playing: how long until state_tick() is due, ms; -1 when nothing plays. */
int state_tick_ms(const struct state *state);
void state_tick(struct state *state);

/* A slice of what can wait: totals, heatmap, owners; about a millisecond. False when nothing is left. */
bool state_work(struct state *state);

/* The access that a side shows; NULL where the block has none. */
const struct trace_access *side_access(const struct side *side);

/* The lanes of the current wavefront or sector; all active lanes where the access is shown whole. */
uint32_t side_part_lanes(const struct side *side);

/* Is everything consistent? For tests. */
bool state_is_sound(const struct state *state);

#endif

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

#include "../../sim/session/conflicts.h"
#include "../../sim/session/heatmap.h"
#include "../../sim/session/lane.h"
#include "../../sim/session/ownership.h"
#include "../../sim/session/pitches.h"
#include "../../sim/session/story.h"
#include "../../sim/session/verdict.h"
#include "layout.h"
#include "modular.h"

enum view {
    VIEW_PANES,
    VIEW_OWNERS,
    VIEW_LAB,
    VIEW_HELP,
    VIEW_GLOSSARY,
    VIEW_FINDINGS,
    VIEW_WORST,
    VIEW_PITCHES,
    VIEW_BROKEN /* the text of a file that was never yet fit to run: there is no side */
};
enum tile_view { TILE_CELLS, TILE_CARD, TILE_WAVES, TILE_LAUNCH, TILE_VIEWS };
enum heat_mode { HEAT_RATIO, HEAT_SECTORS, HEAT_BANKS, HEAT_OFF, HEAT_MODES };
enum prompt { PROMPT_NONE, PROMPT_FIELD, PROMPT_JUMP, PROMPT_SAVE, PROMPT_FIND };
enum field { FIELD_ROWS, FIELD_COLS, FIELD_TILE, FIELD_BLOCK_ROWS, FIELD_PITCH, FIELD_ELEM, FIELD_COUNT };

#define PROMPT_SIZE 64
#define PART_WHOLE  (-1)

struct side {
    struct session *session;
    size_t at;     /* index in the trace; 0 where the trace is empty */
    int part;      /* wavefront or sector within the access, or PART_WHOLE */
    unsigned lane; /* at the cursor */
    struct lane_glass glass;
    char lane_words[LANE_SIZE]; /* of that lane at that access */
    char off_words[LANE_SIZE];  /* where it takes part: of the first lane that does not; "": all do */
    unsigned off_lane;
    bool waiting; /* comparing: it has no access that does what the other side does */
    bool has_heat, has_owners, has_verdict, has_conflicts, has_pitches;
    struct conflicts conflicts;
    struct pitches pitches;
    char *text; /* a copy of the kernel's with another pitch, that the session reads; NULL: none; owned */
    struct verdict verdict;
    int next_finding; /* the row that comes after the one shown last */
    struct heatmap heat;
    struct ownership owners;
};

/* How a cell got what it holds: cursor.h. */
struct cell_story {
    const struct session *session;
    int64_t row, col;
    uint32_t writes;
    char words[STORY_SIZE]; /* "": not known */
};

/* Columns of the overview beside the owners, from a pane of so many on. */
enum { OWNERS_OVERVIEW = 22, OWNERS_OVERVIEW_FROM = 74 };

/* What was known before the file was read again: reload.h. */
enum { PAST_FAULTS = 8 };
struct past_fault {
    enum finding_kind kind;
    int line;
    uint64_t extent; /* cells, or lanes */
};
struct past {
    bool pending, judged, counted;
    struct past_fault faults[PAST_FAULTS];
    unsigned count;
    uint64_t units[2]; /* sectors, wavefronts */
};

/* What state_work() is at, for who runs it on the side and may pause it in the midst of a block. */
enum job { JOB_NONE, JOB_HEAT, JOB_OWNERS, JOB_PITCHES, JOB_CONFLICTS, JOB_COUNT, JOB_VERDICT };
struct at_work {
    enum job job;
    int side;
    bool paused;                     /* set by who runs it, while it is */
    void (*interrupt)(void *runner); /* ends it; NULL: it is never paused */
    void *runner;
    /* Ends both in their own time: gigabytes take longer to give back than a key may wait. NULL: at once. */
    void (*discard)(struct session *session, struct verdict *verdict);
};

/* Where a jump came from: history.h. */
struct mark {
    int side;
    uint32_t block[3];
    size_t at;
    int part;
    unsigned lane;
    enum view view;
    enum pane focus;
};
enum { HISTORY_LIMIT = 64 };
struct history {
    struct mark at[HISTORY_LIMIT];
    unsigned count;
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
    int shift;  /* columns that the source is moved to the left */
    int rows, cols;
    bool ascii, light;
    struct layout layout;
    bool playing;
    unsigned speed; /* 0 to PLAY_SPEEDS - 1 */
    enum prompt prompt;
    enum field field;
    char typed[PROMPT_SIZE];
    char sought[PROMPT_SIZE];           /* what / looks for; "": nothing */
    int found_line;                     /* of the text, from 1; 0: none */
    char message[PROBLEM_MESSAGE_SIZE]; /* "" : none */
    bool message_is_bad;
    char save_path[PROMPT_SIZE];    /* "" : nothing to save */
    unsigned saves;                 /* so far, for the next name */
    int chosen;                     /* row of a list */
    int64_t cursor_row, cursor_col; /* a cell of the output */
    struct cell_story story;        /* of that cell, in the owners' view */
    struct lab lab;
    bool lab_only; /* started as the laboratory: there is nothing to go back to */
    struct history history;
    struct problem broken; /* set: the file on the disk cannot be run as it is now */
    struct past past;
    bool wants_editor;
    struct at_work at_work;
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
/* A file whose text cannot be run, for the reason given: its text is shown until reload.h brings a better. */
void state_init_broken(struct state *state, const struct state_start *start, const struct problem *problem);
void state_init_lab(struct state *state, unsigned modulus, unsigned stride, int rows, int cols, bool ascii);
void state_free(struct state *state);

void state_resize(struct state *state, int rows, int cols);
void state_say(struct state *state, bool is_bad, const char *text);

/* Says so where CUDA would refuse the grid of a session that was opened: it is counted all the same. */
void state_say_grid(struct state *state, const struct session *session);

/* The file on the disk cannot be run as it is now; where there is no side its place is brought into view. */
void state_break(struct state *state, const struct problem *problem);

/* The first side of a state that has none: a kernel under the launch's options. False after filling the
 * problem. */
bool state_open_side(struct state *state, const char *name, const struct source *text,
                     struct problem *problem);

/* After every change: rectangles, and what is computed for them. */
void state_fit(struct state *state);

/* A slice of what can wait: totals, verdict, maps, owners; less than a millisecond, where a block is. False
 * when nothing is left. */
bool state_work(struct state *state);

/* The side that keys act on. */
static inline struct side *state_side(struct state *state)
{
    return &state->side[state->active];
}

/* The access that a side shows; NULL where the block has none. */
const struct trace_access *side_access(const struct side *side);

bool state_has_finding(const struct side *side, int line); /* of the text */

/* The lanes of the current wavefront or sector; all active lanes where the access is shown whole. */
uint32_t side_part_lanes(const struct side *side);

/* What was computed of a side is dropped; state_fit() and state_work() begin it anew. */
void side_forget_views(struct state *state, struct side *side);

/* The session goes, with all that was computed of it. */
void side_close(struct state *state, struct side *side);

/* Work that is paused at this job of this side (JOB_NONE: at any) ends, so that what it is at may go. */
void state_release(struct state *state, const struct side *side, enum job job);

#endif

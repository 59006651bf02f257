/* tui_support.h - for the tests of the terminal UI: states, key scripts, frames as text, goldens.
 *
 * A key script is text: each character is that key, and <Left>, <Enter> and their kind are keys by name.
 */
#ifndef LANESCOPE_TESTS_TUI_SUPPORT_H
#define LANESCOPE_TESTS_TUI_SUPPORT_H

#include "support.h"

#include <stdlib.h>
#include <string.h>

#include "../src/tui/input.h"
#include "../src/tui/keys.h"
#include "../src/tui/play.h"
#include "../src/tui/save.h"
#include "../src/tui/view.h"

/* Is everything consistent? */
static inline bool state_is_sound(const struct state *state)
{
    bool is_page = state->view == VIEW_HELP || state->view == VIEW_GLOSSARY;
    bool is_broken = (is_page ? state->back : state->view) == VIEW_BROKEN;
    if (state->sides < 0 || state->sides > 2 || (state->sides == 0) != (state->lab_only || is_broken))
        return false;
    if (state->active < 0 || (state->sides && state->active >= state->sides) || state->speed >= PLAY_SPEEDS)
        return false;
    for (int i = 0; i < state->sides; i++) {
        const struct side *side = &state->side[i];
        const struct session *session = side->session;
        const struct trace *trace = &session->trace;
        if (!session->scenario.program || (trace->count ? side->at >= trace->count : side->at != 0))
            return false;
        if (side->part != PART_WHOLE &&
            (!trace->count || side->part < 0 || side->part >= (int)access_parts(&trace->at[side->at])))
            return false;
        for (int d = 0; d < 3; d++)
            if (trace->block[d] >= session->scenario.launch.grid[d])
                return false;
        if (session->counted > session->blocks)
            return false;
    }
    return state->lab.shown <= lab_period(state->lab.modulus, state->lab.stride) &&
           strlen(state->typed) < PROMPT_SIZE && state->scroll >= 0;
}

static inline void open_state(struct state *state, const char *rung, struct scenario_options options,
                              int rows, int cols)
{
    struct problem problem = {0};
    if (!options.rows)
        options.rows = 100;
    if (!options.cols)
        options.cols = 70;
    struct state_start start = {rung, &rung_find(rung)->source, false, &options, rows, cols, false};
    if (!state_init(state, &start, &problem))
        fail_msg("%s", problem.message);
}

/* A kernel that is no rung; its text and the strings of the options must outlive the state. */
static inline void open_file(struct state *state, const char *text, struct scenario_options options, int rows,
                             int cols)
{
    struct problem problem = {0};
    struct source source = {"mine.cu", text, strlen(text)};
    struct state_start start = {"mine.cu", &source, true, &options, rows, cols, false};
    if (!state_init(state, &start, &problem))
        fail_msg("%s", problem.message);
}

/* What keys at random begin with: $LANESCOPE_SEED, where it is given. */
static inline uint64_t seed_or(uint64_t usual)
{
    const char *given = getenv("LANESCOPE_SEED");
    return given ? strtoull(given, NULL, 10) : usual;
}

static inline int key_named(const char *name, size_t length)
{
    static const struct {
        const char *name;
        int key;
    } keys[] = {{"Left", PRESS_LEFT},        {"Right", PRESS_RIGHT},  {"Up", PRESS_UP},
                {"Down", PRESS_DOWN},        {"Home", PRESS_HOME},    {"End", PRESS_END},
                {"PgDn", PRESS_PAGE_DOWN},   {"PgUp", PRESS_PAGE_UP}, {"Tab", PRESS_TAB},
                {"BackTab", PRESS_BACK_TAB}, {"Enter", PRESS_ENTER},  {"Esc", PRESS_ESCAPE},
                {"Back", PRESS_BACKSPACE},   {"Clear", PRESS_CLEAR}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strlen(keys[i].name) == length && memcmp(keys[i].name, name, length) == 0)
            return keys[i].key;
    return 0;
}

static inline void press(struct state *state, const char *script)
{
    while (*script) {
        const char *end = *script == '<' ? strchr(script, '>') : NULL;
        int key = end ? key_named(script + 1, (size_t)(end - script) - 1) : 0;
        input_key(state, key ? key : (unsigned char)*script);
        script = key ? end + 1 : script + 1;
        assert_true(state_is_sound(state));
    }
}

static inline void finish_work(struct state *state)
{
    while (state_work(state))
        ;
}

/* The frame as text; free it. With `styles`, a second picture follows: a letter a style, '.' for plain text.
 */
static inline char *frame_of(const struct state *state, bool styles)
{
    struct canvas canvas;
    char *text = NULL;
    size_t size = 0;
    canvas_init(&canvas, state->rows, state->cols, state->ascii);
    view_draw(&canvas, state);
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    save_text(&canvas, out);
    for (int row = 0; styles && row < canvas.rows; row++) {
        for (int col = 0; col < canvas.cols; col++) {
            int style = canvas_at(&canvas, row, col)->style;
            (void)fputc(style ? 'A' + style - 1 : '.', out);
        }
        (void)fputc('\n', out);
    }
    (void)fclose(out);
    canvas_free(&canvas);
    return text;
}

static inline void assert_shows(const struct state *state, const char *text)
{
    char *frame = frame_of(state, false);
    if (!strstr(frame, text))
        fail_msg("the frame does not show \"%s\":\n%s", text, frame);
    free(frame);
}

static inline void assert_hides(const struct state *state, const char *text)
{
    char *frame = frame_of(state, false);
    if (strstr(frame, text))
        fail_msg("the frame shows \"%s\":\n%s", text, frame);
    free(frame);
}

/* Compares with tests/data/tui/NAME.txt; UPDATE_GOLDENS=1 writes it instead. */
static inline void assert_golden(const char *name, const char *text)
{
    char path[200];
    const char *update = getenv("UPDATE_GOLDENS");
    (void)snprintf(path, sizeof path, "tests/data/tui/%s.txt", name);
    if (update && *update == '1') {
        FILE *out = fopen(path, "w");
        assert_non_null(out);
        assert_true(fputs(text, out) >= 0);
        assert_int_equal(fclose(out), 0);
        return;
    }
    FILE *in = fopen(path, "r");
    if (!in)
        fail_msg("%s is missing; UPDATE_GOLDENS=1 writes it", path);
    char *golden = calloc(1, 1 << 20);
    assert_non_null(golden);
    size_t size = fread(golden, 1, (1 << 20) - 1, in);
    golden[size] = '\0';
    (void)fclose(in);
    if (strcmp(golden, text) != 0)
        fail_msg("%s differs; the frame is now:\n%s", path, text);
    free(golden);
}

#endif

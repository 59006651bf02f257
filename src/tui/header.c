#include "header.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../../sim/report/scenario_data.h"
#include "fields.h"

enum { VERDICT_MARGIN = 28, BRAND_COLS = 56, NARROW_COLS = 60 };

/* One field of the header, where it fits whole; while it is edited, what is typed stands in its place. */
static int draw_field(struct canvas *canvas, const struct rect *area, int col, const struct state *state,
                      int side, enum field field, bool *fits)
{
    const struct session *session = state->side[side].session;
    uint64_t value = field_value(session, field);
    bool edited = state->prompt == PROMPT_FIELD && state->field == field && side == state->active;
    char text[64];
    const char *label = fields[field].label, *unit = fields[field].unit;
    int cols = snprintf(text, sizeof text, "%s%" PRIu64, label, value);
    *fits = !value || edited || col + cols <= area->cols;
    if (!edited && (!value || !*fits))
        return col;
    col += canvas_text(canvas, area, 0, col, STYLE_DIM, label);
    if (edited)
        col += canvas_format(canvas, area, 0, col, STYLE_PROMPT, "%s_", state->typed);
    else
        col += canvas_format(canvas, area, 0, col, STYLE_VALUE, "%" PRIu64, value);
    return col + (int)strlen(unit) <= area->cols ? col + canvas_text(canvas, area, 0, col, STYLE_DIM, unit)
                                                 : col;
}

/* What buffers are assumed to hold, as far as there is room. */
static void draw_data(struct canvas *canvas, const struct rect *area, int col, const struct scenario *s)
{
    for (unsigned i = 0; i < s->data_count; i++) {
        col += canvas_format(canvas, area, 0, col, STYLE_DIM, i ? ", " : "  data ");
        col += canvas_format(canvas, area, 0, col, STYLE_VALUE, "%s=%.*s", s->data[i].name,
                             (int)s->data[i].text.size, s->data[i].text.bytes);
    }
}

/* The verdict, at the right end; returns what is left of the line. */
static struct rect draw_verdict(struct canvas *canvas, const struct rect *area, const struct side *side)
{
    char text[120];
    if (side->has_verdict)
        verdict_headline(&side->verdict, area->cols - VERDICT_MARGIN, text, sizeof text);
    else
        (void)snprintf(text, sizeof text, "not yet known");
    if (area->cols < NARROW_COLS) /* two sides: the configurations are what is compared */
        (void)snprintf(text, sizeof text, "%s",
                       side->has_verdict && side->verdict.known.verdict == AUDIT_NOT_CORRECT ? "!" : "");
    enum audit_verdict answer = side->has_verdict ? side->verdict.known.verdict : AUDIT_UNKNOWN;
    int cols = (int)strlen(text);
    canvas_text(canvas, area, 0, area->cols - cols - 1,
                answer == AUDIT_CORRECT       ? (strstr(text, ", ") ? STYLE_WARN : STYLE_GOOD)
                : answer == AUDIT_NOT_CORRECT ? STYLE_BAD
                                              : STYLE_DIM,
                text);
    return rect_part(area, 0, 0, 1, area->cols - cols - (cols ? 2 : 0));
}

void header_draw_alone(struct canvas *canvas, const struct state *state)
{
    const struct rect *area = &state->layout.header[0];
    if (state->lab_only) {
        canvas_text(canvas, area, 0, 0, STYLE_DIM, "lanescope modular");
        return;
    }
    static const char verdict[] = "cannot be run yet";
    const char *slash = strrchr(state->file.name, '/');
    int end = area->cols - (int)sizeof verdict;
    struct rect left = rect_part(area, 0, 0, 1, end - 1);
    int col = canvas_text(canvas, &left, 0, 0, STYLE_DIM, "lanescope  ");
    canvas_text(canvas, &left, 0, col, STYLE_TITLE, slash ? slash + 1 : state->file.name);
    canvas_text(canvas, area, 0, end, STYLE_BAD, verdict);
    struct rect where = rect_part(&state->layout.where, 0, 1, 1, state->layout.where.cols - 2);
    if (state->broken.line && strcmp(state->broken.file, state->file.name) == 0)
        canvas_format(canvas, &where, 0, 0, STYLE_DIM, "line %d, column %d", state->broken.line,
                      state->broken.column);
}

void header_draw(struct canvas *canvas, const struct state *state, int index)
{
    const struct side *side = &state->side[index];
    const struct session *session = side->session;
    const struct rect *all = &state->layout.header[index],
                      left = side->waiting ? *all : draw_verdict(canvas, all, side);
    const struct rect *area = &left;
    bool active = state->sides == 2 && index == state->active;
    char device[80];
    int col = 0;
    if (state->sides == 1 && area->cols >= BRAND_COLS)
        col += canvas_text(canvas, area, 0, col, STYLE_DIM, "lanescope ");
    col += canvas_text(canvas, area, 0, col, active ? STYLE_PROMPT : STYLE_TITLE, active ? ">" : " ");
    const char *slash = strrchr(session->name, '/');
    col += canvas_format(canvas, area, 0, col, active ? STYLE_PROMPT : STYLE_TITLE, "%.24s",
                         slash ? slash + 1 : session->name);
    bool fits = true;
    for (int field = 0; fits && field < FIELD_COUNT; field++)
        col = draw_field(canvas, area, col, state, index, (enum field)field, &fits);
    if (side->waiting) {
        canvas_text(canvas, area, 0, area->cols - 8, STYLE_WARN, " (waits)");
        return;
    }
    int wanted = snprintf(device, sizeof device, "  %s %s", session->scenario.device->name,
                          session->scenario.device->verified ? "verified" : "rules assumed");
    if (col + wanted <= area->cols)
        col += canvas_text(canvas, area, 0, col, STYLE_DIM, device);
    draw_data(canvas, area, col, &session->scenario);
}

/* section_pictures.c - each access site as a picture, with its lanes as a table; owners; pitches. */
#include <inttypes.h>

#include "../../sim/session/explain.h"
#include "../picture/draw.h"
#include "../picture/panel.h"
#include "html.h"
#include "report.h"

enum { SITES_MOST = 12 };
#define FIGURE_COLS (PANEL_COLS + 2)

typedef void legend_of(struct legend *legend);

static void begin_figure(FILE *out, const char *caption)
{
    (void)fprintf(out, "<figure>\n<figcaption>%s</figcaption>\n<div>", caption);
}

/* So high as what is on it. */
static void end_picture(struct picture *picture, const struct legend *legend, FILE *out)
{
    picture->rows = legend->row + 1.5;
    draw_svg_inline(picture, out);
    picture_free(picture);
    (void)fputs("</div>\n", out);
}

static void draw_access(const struct report *report, const struct trace_access *at, access_panel *panel,
                        legend_of *explain, const char *caption, FILE *out)
{
    struct picture picture;
    char text[160];
    explain_site(at->access.site, text, sizeof text);
    begin_figure(out, caption);
    picture_init(&picture, FIGURE_COLS, PANEL_ROWS);
    picture.title = picture_copy(&picture, text);
    panel(&picture, 1, 0.3, &report->subject, at, false);
    struct legend legend = legend_at(&picture, 1 + MATRIX_COL, PANEL_ROWS + 1, PANEL_COLS - MATRIX_COL);
    explain(&legend);
    end_picture(&picture, &legend, out);
}

static void write_lane(const struct report *report, const struct trace_access *at, unsigned lane, FILE *out)
{
    const struct access *a = &at->access;
    const struct scenario *s = &report->subject.session->scenario;
    const uint32_t *block = s->launch.block;
    uint32_t thread = a->warp * LANES + lane;
    int64_t row, col, address = session_address(a, lane);
    bool active = a->mask >> lane & 1;
    (void)fprintf(out, "<tr%s><td>%u</td>", active ? "" : " class=\"off\"", lane);
    if (thread >= launch_threads(&s->launch))
        (void)fputs("<td>none</td>", out);
    else
        (void)fprintf(out, "<td>%u,%u,%u</td>", thread % block[0], thread / block[0] % block[1],
                      thread / block[0] / block[1]);
    if (!active) {
        (void)fputs("<td>off</td><td></td><td></td></tr>\n", out);
        return;
    }
    if (session_element(report->subject.session, a, lane, &row, &col))
        (void)fprintf(out, "<td>%" PRId64 ",%" PRId64 "</td>", row, col);
    else
        (void)fputs("<td></td>", out);
    if (a->site->kind->space == SPACE_SHARED)
        (void)fprintf(out, "<td>%" PRId64 "</td><td>%u</td></tr>\n", access_offset(a, lane),
                      bank_of(address));
    else
        (void)fprintf(out, "<td>%" PRId64 "</td><td>%" PRId64 "</td></tr>\n", access_offset(a, lane),
                      unit_of(address, SECTOR_BYTES));
}

static void write_lanes(const struct report *report, const struct trace_access *at, FILE *out)
{
    (void)fprintf(out,
                  "<details><summary>lane by lane</summary><div class=\"scroll\"><table class=\"numbers\">"
                  "<tr><th>lane</th><th>thread</th><th>element</th><th>byte</th><th>%s</th></tr>\n",
                  at->access.site->kind->space == SPACE_SHARED ? "bank" : "sector");
    for (unsigned lane = 0; lane < LANES; lane++)
        write_lane(report, at, lane, out);
    (void)fputs("</table></div></details>\n", out);
}

/* The first access of a site in the block. */
static const struct trace_access *first_of(const struct trace *trace, const struct site *site)
{
    for (size_t i = 0; i < trace->count; i++)
        if (trace->at[i].access.site == site)
            return &trace->at[i];
    return NULL;
}

static void write_site(const struct report *report, const struct trace_access *at, FILE *out)
{
    bool is_shared = at->access.site->kind->space == SPACE_SHARED;
    (void)fprintf(out, "<div id=\"picture%u\">\n", at->access.site->id);
    if (is_shared)
        draw_access(report, at, panel_banks, legend_banks, "Lanes and banks", out);
    else
        draw_access(report, at, panel_coalescing, legend_coalescing, "Lanes and sectors", out);
    write_lanes(report, at, out);
    (void)fputs("</figure></div>\n", out);
    if (!is_shared || at->cost.units == at->cost.ideal)
        return;
    (void)fputs("<div>", out);
    draw_access(report, at, panel_punchcard, legend_punchcard, "Wavefront after wavefront", out);
    (void)fputs("</figure></div>\n", out);
}

static void draw_owners(const struct report *report, FILE *out)
{
    struct picture picture;
    struct area area = {1, 0.3, PANEL_COLS, PANEL_ROWS};
    if (!report->has_owners)
        return;
    begin_figure(out, "Owners: who wrote each output cell");
    picture_init(&picture, FIGURE_COLS, PANEL_ROWS);
    picture.title = "who wrote each output cell";
    place_owners(&picture, &area, &report->subject, &report->owners);
    struct legend legend =
        legend_at(&picture, 1 + OWNERS_LEFT, report->owners.rows + 8.5, PANEL_COLS - OWNERS_LEFT);
    legend_owners(&legend, &report->owners, NULL);
    end_picture(&picture, &legend, out);
    (void)fputs("</figure>\n", out);
}

static void draw_curve(const struct report *report, FILE *out)
{
    struct picture picture;
    struct area area = {1, 0.3, PANEL_COLS, PANEL_ROWS};
    if (!report->curve)
        return;
    begin_figure(out, "Bank conflicts by pitch");
    picture_init(&picture, FIGURE_COLS, PANEL_ROWS);
    picture.title = "wavefronts of shared memory by pitch";
    place_curve(&picture, &area, &report->subject, report->curve);
    struct legend legend = legend_at(&picture, 1 + CURVE_LEFT, PANEL_ROWS + 0.5, PANEL_COLS - CURVE_LEFT);
    legend_curve(&legend);
    end_picture(&picture, &legend, out);
    (void)fputs("</figure>\n", out);
}

void section_pictures(const struct report *report, FILE *out)
{
    const struct session *session = report->subject.session;
    const struct program *program = session->scenario.program;
    unsigned drawn = 0, left_out = 0;
    html_heading(out, "pictures", "Pictures");
    (void)fprintf(
        out,
        "<p class=\"dim\">The first access of each site in block %u,%u,%u. Point at a cell, or tap on "
        "it, to see its lane, its address and its bank.</p>\n<div class=\"figures\">\n",
        session->trace.block[0], session->trace.block[1], session->trace.block[2]);
    for (unsigned i = 0; i < program->site_count; i++) {
        const struct trace_access *at = first_of(&session->trace, &program->sites[i]);
        if (at && drawn < SITES_MOST) {
            write_site(report, at, out);
            drawn++;
        } else {
            left_out += at != NULL;
        }
    }
    draw_owners(report, out);
    draw_curve(report, out);
    (void)fputs("</div>\n", out);
    if (left_out)
        (void)fprintf(out, "<p class=\"dim\">%u sites more: lanescope heatmap --at-site draws each</p>\n",
                      left_out);
}

/* command.c - `lanescope heatmap`: subjects opened, a picture placed, a file drawn. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../command.h"
#include "../../sim/session/repitch.h"
#include "../../sim/report/rung.h"
#include "../operand.h"
#include "../report.h"
#include "draw.h"
#include "chart.h"
#include "owner_map.h"
#include "panel.h"

struct pictured {
    const struct options *options;
    struct subject base; /* of which the others are pitches; or nothing */
    struct subject subjects[2];
    unsigned count;
    struct picture picture;
};

/* What is shown of one access, kind by kind. */
static const struct access_kind_of_picture {
    enum memory_space space;
    access_panel *panel;
    void (*legend)(struct legend *);
    const char *title, *nothing;
} access_pictures[] = {
    [KIND_COALESCING] = {SPACE_GLOBAL, panel_coalescing, legend_coalescing,
                         "which sectors the lanes of a warp touch", "accesses no global memory"},
    [KIND_BANKS] = {SPACE_SHARED, panel_banks, legend_banks, "which banks the lanes of a warp ask",
                    "accesses no shared memory"},
    [KIND_PUNCHCARD] = {SPACE_SHARED, panel_punchcard, legend_punchcard,
                        "what the banks do, wavefront after wavefront", "accesses no shared memory"},
};

/* The same kernel twice: with the pitches that were given, or the tile's width and one more. */
static bool open_pitches(struct pictured *all, const char *operand, struct problem *problem)
{
    const struct options *o = all->options;
    struct options plain = *o;
    struct repitch found;
    plain.scenario.pitch = 0;
    if (!subject_open(&all->base, operand, &plain, problem))
        return false;
    if (!repitch_find(all->base.session, NULL, &found))
        return problem_say(problem,
                           "%s has no tile in shared memory whose pitch could be another: name a second "
                           "kernel to compare it with",
                           operand);
    uint32_t first = o->pitch_count ? o->pitches[0] : (uint32_t)repitch_width(all->base.session, &found);
    uint32_t second = o->pitch_count > 1 ? o->pitches[1] : first + 1;
    all->count = 2;
    return subject_open_pitch(&all->subjects[0], &all->base, first, o, problem) &&
           subject_open_pitch(&all->subjects[1], &all->base, second, o, problem);
}

static bool open_subjects(struct pictured *all, struct problem *problem)
{
    const struct options *o = all->options;
    if (o->compare && o->operand_count == 1)
        return open_pitches(all, o->operands[0], problem);
    for (; all->count < o->operand_count; all->count++)
        if (!subject_open(&all->subjects[all->count], o->operands[all->count], o, problem)) {
            all->count++; /* to be closed too */
            return false;
        }
    return true;
}

static bool count_subjects(struct pictured *all, struct problem *problem)
{
    for (unsigned i = 0; i < all->count; i++) {
        struct subject *subject = &all->subjects[i];
        if (!subject_count(subject, all->options, problem))
            return false;
        report_passed_over(&subject->session->scenario);
    }
    return true;
}

/* Of one subject its accesses; of two the costliest of the first, and what does the same work in the other.
 */
static unsigned choose(const struct pictured *all, const struct access_kind_of_picture *kind,
                       const struct trace_access *chosen[2], struct problem *problem)
{
    const struct trace_access *other[2];
    const struct subject *subjects = all->subjects;
    unsigned count = choose_accesses(&subjects[0], all->options, kind->space, chosen);
    if (count && all->count == 2) {
        size_t index;
        chosen[0] = costliest(&subjects[0], chosen, count);
        count = choose_accesses(&subjects[1], all->options, kind->space, other);
        if (count && trace_match(&subjects[1].session->trace, chosen[0], &index))
            chosen[1] = &subjects[1].session->trace.at[index];
        else if (count)
            chosen[1] = costliest(&subjects[1], other, count);
    }
    if (!count)
        (void)problem_say(problem, "%s %s in block %u,%u,%u%s: there is nothing to draw of this kind",
                          subjects[all->count - 1].name, kind->nothing, subjects[0].session->trace.block[0],
                          subjects[0].session->trace.block[1], subjects[0].session->trace.block[2],
                          all->options->at_warp.given || all->options->at_site.given ||
                                  all->options->at_step.given
                              ? " where --at-warp, --at-site and --at-step look"
                              : "");
    return count ? all->count == 2 ? 2 : count : 0;
}

static void begin_page(struct pictured *all, const char *what)
{
    char title[3 * SUBJECT_LINE], names[2][SUBJECT_LINE];
    for (unsigned i = 0; i < all->count; i++)
        subject_short(&all->subjects[i], names[i]);
    if (all->base.session) /* one kernel with two pitches: its name once */
        (void)snprintf(names[1], sizeof names[1], "pitch %" PRIu64, all->subjects[1].pitch);
    (void)snprintf(title, sizeof title, "%s%s%s: %s", names[0], all->count > 1 ? " beside " : "",
                   all->count > 1 ? names[1] : "", what);
    page_init(&all->picture, title);
    page_configuration(&all->picture, all->subjects, all->count);
}

static bool place_accesses(struct pictured *all, const struct access_kind_of_picture *kind,
                           struct problem *problem)
{
    const struct trace_access *chosen[2];
    unsigned count = choose(all, kind, chosen, problem);
    if (!count)
        return false;
    begin_page(all, kind->title);
    for (unsigned i = 0; i < count; i++) {
        struct area area = page_panel(i, 2);
        kind->panel(&all->picture, area.col, area.row, &all->subjects[all->count == 2 ? i : 0], chosen[i],
                    all->count == 2);
    }
    struct legend legend = page_legend(&all->picture, MATRIX_COL);
    kind->legend(&legend);
    page_source(&all->picture,
                "The same numbers: lanescope trace, lane by lane, and lanescope lines for the whole launch, "
                "with the same options.");
    return true;
}

static bool check(const struct options *o, struct problem *problem)
{
    if (o->operand_count == 2 && !o->compare)
        return problem_say(problem, "two kernels are drawn side by side with --compare");
    if (o->pitch_count > 2 || (o->pitch_count == 2 && !o->compare))
        return problem_say(problem,
                           "a picture takes one --pitch, or two with --compare; --kind pitches has them all");
    if (o->pitch_count == 2 && o->operand_count == 2)
        return problem_say(problem, "two kernels or two pitches can be compared, not both");
    if (!o->operand_count && o->picture_kind != KIND_LADDER)
        return problem_say(problem, "say which kernel: a rung of the ladder or a FILE.cu; only --kind ladder "
                                    "is of all rungs");
    if (o->compare && o->picture_kind == KIND_LADDER)
        return problem_say(problem,
                           "the ladder sets all rungs beside each other already: leave out --compare");
    if (o->compare && o->picture_kind == KIND_PITCHES && o->operand_count < 2)
        return problem_say(problem,
                           "--kind pitches has all pitches already: leave out --compare, or name two "
                           "kernels");
    return true;
}

static bool place_owner_maps(struct pictured *all, struct problem *problem)
{
    struct owner_bins bins[2] = {{.rows = 0}};
    bool ok = true;
    for (unsigned i = 0; ok && i < all->count; i++)
        ok = owner_bins_count(&bins[i], &all->subjects[i], all->options, OWNERS_ROWS,
                              all->count > 1 ? OWNERS_COLS : OWNERS_COLS_WIDE, problem);
    bins[0].by_order = bins[1].by_order = bins[0].by_order || bins[1].by_order; /* one legend for both */
    if (ok)
        begin_page(all, "who wrote each output cell");
    for (unsigned i = 0; ok && i < all->count; i++) {
        struct area area = page_panel(i, all->count);
        place_owners(&all->picture, &area, &all->subjects[i], &bins[i]);
    }
    if (ok) {
        struct legend legend = page_legend(&all->picture, OWNERS_LEFT);
        legend_owners(&legend, &bins[0], all->count > 1 ? &bins[1] : NULL);
        page_source(&all->picture, "The same numbers: lanescope owners with the same options.");
    }
    for (unsigned i = 0; i < all->count; i++)
        owner_bins_free(&bins[i]);
    return ok;
}

static bool place_curves(struct pictured *all, struct problem *problem)
{
    struct pitch_curve *curves = memory_take(2, sizeof *curves);
    bool ok = true;
    for (unsigned i = 0; ok && i < all->count; i++)
        ok = curve_count(&curves[i], &all->subjects[i], all->options, problem);
    if (ok)
        begin_page(all, "bank conflicts by pitch");
    for (unsigned i = 0; ok && i < all->count; i++) {
        struct area area = page_panel(i, all->count);
        place_curve(&all->picture, &area, &all->subjects[i], &curves[i]);
    }
    if (ok) {
        struct legend legend = page_legend(&all->picture, CURVE_LEFT);
        legend_curve(&legend);
        struct repitch found;
        bool by_option = repitch_find(all->subjects[0].session, NULL, &found) && found.by_option;
        page_source(
            &all->picture,
            by_option
                ? "The same numbers: lanescope sweep --sweep PITCH=... with the same options."
                : "The same numbers: lanescope lines, of a text whose tile is declared with that pitch.");
    }
    free(curves);
    return ok;
}

/* A file's row is the first; the rungs beside it have blocks of their own. */
static void place_ladder_page(struct pictured *all, const struct ladder_row *rows, size_t count,
                              const struct ladder_row *own, bool is_file)
{
    const struct scenario *s = &rows[0].scenario;
    struct area area = page_panel(0, 1);
    page_init(&all->picture, "the ladder: what each kernel asks of memory");
    const char *whose = is_file ? ", the rungs in their own" : "";
    picture_text(&all->picture, PAGE_EDGE, 3, FACE_PLAIN, ANCHOR_START, INK_DIM,
                 "%u x %u matrix of %u-byte elements, block %u x %u, grid %u x %u%s; %s: %s", s->rows,
                 s->cols, s->elem_bytes, s->launch.block[0], s->launch.block[1], s->launch.grid[0],
                 s->launch.grid[1], whose, s->device->name, device_rules(s->device));
    place_ladder(&all->picture, &area, rows, count, own);
    struct legend legend = page_legend(&all->picture, LADDER_LEFT);
    legend_ladder(&legend);
    page_source(&all->picture,
                is_file ? "The same numbers: lanescope ladder FILE.cu, and lanescope ladder at its sizes."
                        : "The same numbers: lanescope ladder with the same options.");
}

/* The whole ladder; with a file, its row stands first. */
static bool place_rungs(struct pictured *all, struct problem *problem)
{
    const struct options *o = all->options;
    const char *operand = o->operand_count ? o->operands[0] : NULL;
    bool is_file = operand && !rung_find(operand);
    struct ladder_row *rows = memory_take(rung_count + 1, sizeof *rows), *own = NULL;
    struct options plain = *o;
    struct text text = {0};
    struct progress progress;
    size_t count = is_file, more = 0;
    progress_begin(&progress, "ladder");
    bool ok = !is_file || (operand_open(&text, operand, problem) &&
                           ladder_open_row(&rows[0], &text.source, operand, o, &progress, problem));
    if (is_file && ok) { /* the rungs at the file's sizes */
        plain = (struct options){.workers = o->workers, .registers = o->registers};
        plain.scenario = (struct scenario_options){.rows = rows[0].scenario.rows,
                                                   .cols = rows[0].scenario.cols,
                                                   .elem_bytes = rows[0].scenario.elem_bytes,
                                                   .device = rows[0].scenario.device,
                                                   .watch = o->scenario.watch};
    } else {
        plain.operand_count = 0;
    }
    ok = ok && ladder_open_rungs(rows + count, &more, &plain, &progress, problem);
    progress_clear(&progress);
    count += more;
    for (size_t i = 0; ok && operand && i < count; i++)
        own = strcmp(rows[i].name, operand) == 0 ? &rows[i] : own;
    if (ok)
        place_ladder_page(all, rows, count, own, is_file);
    for (size_t i = 0; i < count; i++)
        scenario_close(&rows[i].scenario);
    free(rows);
    text_close(&text);
    return ok;
}

static bool place(struct pictured *all, struct problem *problem)
{
    enum picture_kind kind = (enum picture_kind)all->options->picture_kind;
    if (kind == KIND_LADDER)
        return place_rungs(all, problem);
    if (!open_subjects(all, problem) || !count_subjects(all, problem))
        return false;
    return kind == KIND_OWNERS    ? place_owner_maps(all, problem)
           : kind == KIND_PITCHES ? place_curves(all, problem)
                                  : place_accesses(all, &access_pictures[kind], problem);
}

int command_heatmap(const struct options *options, FILE *out, struct problem *problem)
{
    struct pictured all = {.options = options};
    enum picture_format format = PICTURE_TEXT;
    bool ok = (!options->output || picture_format_of(options->output, &format, problem)) &&
              check(options, problem) && place(&all, problem) &&
              picture_draw(&all.picture, format, out, problem);
    bool overflows = false;
    picture_free(&all.picture);
    for (unsigned i = 0; ok && i < all.count; i++)
        overflows = report_overflow(&all.subjects[i].totals.noticed) || overflows;
    for (unsigned i = 0; i < all.count; i++)
        subject_close(&all.subjects[i]);
    subject_close(&all.base);
    return !ok ? EXIT_TROUBLE : overflows ? EXIT_NO : EXIT_FINE;
}

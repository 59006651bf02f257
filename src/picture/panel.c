/* panel.c - what panels of one access have in common, and which accesses are worth one. */
#include "panel.h"

#include <inttypes.h>
#include <stdio.h>

#include "../../sim/session/explain.h"
#include "../../sim/session/words.h"

void panel_head(struct picture *picture, double col, double row, const struct subject *subject,
                const struct trace_access *at, bool names_subject)
{
    const struct access *a = &at->access;
    char text[200], name[SUBJECT_LINE], head[sizeof text + sizeof name + 4];
    explain_site(a->site, text, sizeof text);
    subject_short(subject, name);
    (void)snprintf(head, sizeof head, "%s%s%s", names_subject ? name : "", names_subject ? ": " : "", text);
    picture_text(picture, col, row, FACE_BOLD, ANCHOR_START, INK_TEXT, "%s",
                 cut_to(picture, head, PANEL_COLS - 1));
    picture_text(picture, col, row + 1, FACE_PLAIN, ANCHOR_START, INK_DIM,
                 "line %d, block %u,%u,%u, warp %u, step %" PRIu64 ": %d lanes of %u byte%s", a->site->line,
                 a->block[0], a->block[1], a->block[2], a->warp, a->step, __builtin_popcount(a->mask),
                 a->site->lane_bytes, a->site->lane_bytes == 1 ? "" : "s");
}

void panel_foot(struct picture *picture, double col, double row, const struct subject *subject,
                const struct trace_access *at, const char *cost)
{
    const struct site_tally *sum = &subject->totals.tally.sites[at->access.site->id];
    char requests[32], units[32], ideal[32];
    bool good = at->cost.units == at->cost.ideal;
    picture_text(picture, col + MATRIX_COL, row, FACE_BOLD, ANCHOR_START, good ? INK_MAIN : INK_BAD, "%s",
                 cost);
    picture_text(picture, col + MATRIX_COL, row + 1, FACE_PLAIN, ANCHOR_START, INK_TEXT,
                 "this access in the whole launch: %s requests, %s %s, ideal %s",
                 grouped(sum->requests, requests), grouped(sum->units, units), at->access.site->kind->units,
                 grouped(sum->ideal, ideal));
}

void lane_note(char out[300], const struct subject *subject, const struct trace_access *at, unsigned lane)
{
    struct words words = words_in(out, 300);
    int64_t row, col;
    words_say(&words, "lane %u", lane);
    if (!(at->access.mask >> lane & 1)) {
        words_say(&words, ": takes no part");
        return;
    }
    if (session_element(subject->session, &at->access, lane, &row, &col))
        words_say(&words, ": %s(%" PRId64 ",%" PRId64 ")",
                  scenario_buffer_name(&subject->session->scenario, &at->access), row, col);
    words_say(&words, ", byte %" PRId64, access_offset(&at->access, lane));
}

static bool is_within(const struct range_filter *range, uint64_t number)
{
    return !range->given || (number >= range->first && number <= range->last);
}

/* The first access of the site in the block that the options let through. */
static const struct trace_access *first_of(const struct subject *subject, const struct options *options,
                                           unsigned site)
{
    const struct trace *trace = &subject->session->trace;
    for (size_t i = 0; i < trace->count; i++) {
        const struct access *a = &trace->at[i].access;
        if (a->site->id == site && is_within(&options->at_warp, a->warp) &&
            is_within(&options->at_step, a->step))
            return &trace->at[i];
    }
    return NULL;
}

/* Is x further above its ideal than y? By the sums of the launch. */
static bool costs_more(const struct site_tally *x, const struct site_tally *y)
{
    return (long double)x->units * (long double)y->ideal > (long double)y->units * (long double)x->ideal;
}

const struct trace_access *costliest(const struct subject *subject, const struct trace_access *const *of,
                                     unsigned count)
{
    const struct site_tally *sums = subject->totals.tally.sites;
    const struct trace_access *most = of[0];
    for (unsigned i = 1; i < count; i++)
        if (costs_more(&sums[of[i]->access.site->id], &sums[most->access.site->id]))
            most = of[i];
    return most;
}

unsigned choose_accesses(const struct subject *subject, const struct options *options,
                         enum memory_space space, const struct trace_access *chosen[2])
{
    const struct program *program = subject->session->scenario.program;
    const struct site_tally *sums = subject->totals.tally.sites;
    unsigned count = 0;
    for (unsigned i = 0; i < program->site_count; i++) {
        if (program->sites[i].kind->space != space || !is_within(&options->at_site, i))
            continue;
        const struct trace_access *at = first_of(subject, options, i);
        if (!at)
            continue;
        if (count < 2) {
            chosen[count++] = at;
            continue;
        }
        unsigned cheaper = costs_more(&sums[chosen[0]->access.site->id], &sums[chosen[1]->access.site->id]);
        if (!costs_more(&sums[i], &sums[chosen[cheaper]->access.site->id]))
            continue;
        chosen[0] = chosen[!cheaper];
        chosen[1] = at;
    }
    return count;
}

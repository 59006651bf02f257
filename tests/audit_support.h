/* audit_support.h - an audit by census against the same audit of every block.
 *
 * audit_difference(): NULL, or what differs, in a buffer that the next call overwrites. *counted: the census
 * could tell. What only every block shows (which of the input was not read, and what follows from that) is
 * left out of the comparison.
 */
#ifndef LANESCOPE_TESTS_AUDIT_SUPPORT_H
#define LANESCOPE_TESTS_AUDIT_SUPPORT_H

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../sim/report/audit.h"

static inline bool finding_differs(const struct finding *a, const struct finding *b)
{
    return a->kind != b->kind || a->severity != b->severity || a->cause != b->cause || a->line != b->line ||
           a->other_line != b->other_line || a->barrier_line != b->barrier_line || a->after != b->after ||
           a->site != b->site || a->has_thread != b->has_thread || a->has_other != b->has_other ||
           (a->has_thread && memcmp(&a->thread, &b->thread, sizeof a->thread) != 0) ||
           (a->has_other && memcmp(&a->other, &b->other, sizeof a->other) != 0) ||
           a->has_cell != b->has_cell || a->row != b->row || a->col != b->col || a->buffer != b->buffer ||
           a->cells != b->cells || a->lanes != b->lanes || strcmp(a->sentence, b->sentence) != 0;
}

static inline struct audit *audit_of(const struct scenario *s, struct audit_options options,
                                     enum audit_way way)
{
    struct problem problem = {0};
    options.way = way;
    struct audit *audit = audit_begin(s, &options, &problem);
    while (audit && audit_step(audit, UINT64_MAX))
        ;
    return audit;
}

static inline const char *results_differ(const struct audit_result *a, const struct audit_result *b)
{
    static char message[3 * FINDING_SENTENCE];
    for (size_t i = 0; i < a->findings.count; i++)
        if (a->findings.at[i].kind == FINDING_UNLOADED)
            return NULL;
    for (size_t i = 0; i < a->findings.count || i < b->findings.count; i++) {
        const struct finding *x = i < a->findings.count ? &a->findings.at[i] : NULL;
        const struct finding *y = i < b->findings.count ? &b->findings.at[i] : NULL;
        if (x && y && !finding_differs(x, y))
            continue;
        (void)snprintf(message, sizeof message, "finding %zu: %s '%s', by census %s '%s'", i,
                       x ? finding_word(x->kind) : "none", x ? x->sentence : "",
                       y ? finding_word(y->kind) : "none", y ? y->sentence : "");
        return message;
    }
    const struct owners_report *c = &a->cells, *d = &b->cells;
    if (a->verdict == b->verdict && c->missing == d->missing && c->wrong == d->wrong &&
        c->meeting == d->meeting && c->unordered == d->unordered && c->correct == d->correct)
        return NULL;
    (void)snprintf(message, sizeof message,
                   "verdict %d, missing %" PRIu64 ", wrong %" PRIu64 ", by census %d, %" PRIu64 ", %" PRIu64,
                   a->verdict, c->missing, c->wrong, b->verdict, d->missing, d->wrong);
    return message;
}

static inline const char *audit_difference(const struct scenario *s, const struct audit_options *options,
                                           bool *counted)
{
    struct audit_options own = options ? *options : (struct audit_options){0};
    struct audit *each = audit_of(s, own, AUDIT_EACH_BLOCK), *census = audit_of(s, own, AUDIT_BY_CENSUS);
    const char *difference = NULL;
    *counted = census && audit_result(census)->regions;
    if (!each || !census)
        difference = each || census ? "only one of the two can be begun" : NULL;
    else if (*counted)
        difference = results_differ(audit_result(each), audit_result(census));
    audit_free(each);
    audit_free(census);
    return difference;
}

#endif

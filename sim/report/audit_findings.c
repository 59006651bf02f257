/* audit_findings.c - all that an audit knows, as findings with their causes. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../model/occupancy.h"
#include "audit_parts.h"

static void add_fault(struct audit *audit, struct findings *findings)
{
    static const enum finding_kind kinds[] = {[PROBLEM_FAULT_OTHER] = FINDING_FORBIDDEN,
                                              [PROBLEM_FAULT_BARRIER] = FINDING_BARRIER_DIVERGED,
                                              [PROBLEM_FAULT_ENDLESS] = FINDING_ENDLESS,
                                              [PROBLEM_FAULT_LIMIT] = FINDING_LIMIT};
    const struct problem *fault = &audit->fault;
    if (!fault->set)
        return;
    struct finding *f = findings_add(findings, kinds[fault->fault]);
    f->source = audit->scenario->program->source;
    f->line = fault->line;
    findings_say(f, "%s", fault->message);
}

static void say_overflow(struct finding *f, const struct overflow *o, const char *what)
{
    findings_place(f, &o->place);
    f->lanes = o->lanes;
    f->has_thread = true;
    f->thread = (struct finding_thread){{o->block[0], o->block[1], o->block[2]}, o->warp, o->lane, 0};
    findings_say(f, "%s: %" PRIu64 " lane operation%s, first in block (%u,%u), warp %u, lane %u", what,
                 o->lanes, o->lanes == 1 ? "" : "s", o->block[0], o->block[1], o->warp, o->lane);
}

static void add_arithmetic(const struct audit *audit, struct findings *findings)
{
    const struct overflow *o = execution_overflow(audit->execution), *wrap = execution_wrap(audit->execution);
    char what[160];
    if (o->lanes && o->kind == OVERFLOW_SHIFT)
        (void)snprintf(what, sizeof what,
                       "a %u-bit value is shifted by %" PRId64
                       ": a count is 0 to %u, anything else is undefined",
                       o->bits, o->value, o->bits - 1);
    else
        (void)snprintf(what, sizeof what,
                       "%u-bit arithmetic overflows here, which is undefined; an index "
                       "should be computed in size_t",
                       o->bits);
    if (o->lanes)
        say_overflow(findings_add(findings, FINDING_OVERFLOW), o, what);
    if (wrap->lanes)
        say_overflow(findings_add(findings, FINDING_WRAP), wrap,
                     "unsigned arithmetic wraps around here, which is defined, and right in a hash; an index "
                     "should be computed in size_t");
}

static void add_data(const struct audit *audit, struct findings *findings)
{
    const struct noticed noticed = execution_noticed(audit->execution);
    const struct narrowed *narrowed = &noticed.narrowed;
    const struct place *local = &noticed.local_array.place;
    if (narrowed->lanes) {
        char from[80], to[80];
        struct finding *f = findings_add(findings, FINDING_NARROWED);
        type_print(&narrowed->what->from, from, sizeof from);
        type_print(&narrowed->what->to, to, sizeof to);
        findings_place(f, &narrowed->place);
        f->lanes = narrowed->lanes;
        findings_say(f, "data is converted from %s to %s here: what arrives is right where %s holds it", from,
                     to, to);
    }
    if (local->source) {
        struct finding *f = findings_add(findings, FINDING_LOCAL_ARRAY);
        findings_place(f, local);
        findings_say(f, "lanes take different elements of a local array here, which a compiler then keeps in "
                        "local memory; that is not counted");
    }
}

/* What works in place, and may not be meant to. */
static void add_in_place(const struct audit *audit, struct findings *findings)
{
    const struct scenario *s = audit->scenario;
    if (audit->result.cells.adds) {
        struct finding *f = findings_add(findings, FINDING_ADDS);
        findings_say(
            f,
            "each cell of %s holds what belongs there added to what it held before: right where that "
            "is meant, as in B += A^T",
            s->program->parameters[s->out].name);
    }
    for (unsigned i = 0; s->in == s->out && i < s->program->parameter_count; i++) {
        const struct parameter *parameter = &s->program->parameters[i];
        if (parameter->type.kind != TYPE_POINTER || parameter->is_loaded || parameter->is_stored ||
            parameter->origin != ORIGIN_LISTED)
            continue;
        struct finding *f = findings_add(findings, FINDING_UNREAD);
        findings_say(f, "%s is both read and written, and %s is never touched: should it be read?",
                     s->program->parameters[s->out].name, parameter->name);
    }
}

/* What the launch says of itself. */
static void add_launch(const struct audit *audit, struct findings *findings)
{
    const struct scenario *s = audit->scenario;
    uint32_t threads = launch_threads(&audit->launch);
    struct occupancy occupancy = occupancy_of(s->device, threads, s->shared_bytes, 0);
    if (threads % LANES) {
        struct finding *f = findings_add(findings, FINDING_PARTIAL_WARP);
        findings_say(
            f,
            "a block has %u threads, which is no multiple of 32: its last warp runs with %u lanes and "
            "takes the time of a whole one",
            threads, threads % LANES);
    }
    if (occupancy.limit == LIMIT_SHARED) {
        struct finding *f = findings_add(findings, FINDING_OCCUPANCY);
        findings_say(
            f,
            "the %" PRIu64 " bytes of shared memory of a block leave room for %u blocks an SM, %u of "
            "%u warps, on %s",
            s->shared_bytes, occupancy.blocks, occupancy.warps, occupancy.most_warps, s->device->name);
    }
}

static void add_verdict(const struct audit *audit, struct findings *findings)
{
    const struct trial *trial = &audit->verdict;
    if (!audit->decided)
        return;
    struct finding *f = findings_add(findings, trial->kind);
    f->source = trial->line ? &audit->scenario->text : NULL;
    f->line = trial->line;
    findings_say(f, "%s", trial->text);
}

/* Does the text of the access have this character? */
static bool has_sign(const struct site *site, char sign)
{
    return site->place.source &&
           memchr(site->place.source->bytes + site->place.begin, sign, site->place.end - site->place.begin);
}

/* A tile that is stored with an exclusive or in its index and read without, or the other way round. */
static void add_swizzle(const struct audit *audit, struct findings *findings)
{
    const struct program *program = audit->scenario->program;
    bool wrong = false;
    for (size_t i = 0; i < findings->count; i++)
        wrong = wrong || findings->at[i].kind == FINDING_WRONG;
    for (unsigned array = 0; wrong && array < program->shared_count; array++) {
        const struct site *plain[2] = {NULL, NULL}, *turned[2] = {NULL, NULL};
        for (unsigned i = 0; i < program->site_count; i++) {
            const struct site *site = &program->sites[i];
            if (site->kind->space != SPACE_SHARED || site->buffer != (int)array)
                continue;
            const struct site **list = has_sign(site, '^') ? turned : plain;
            list[site->kind->writes] = list[site->kind->writes] ? list[site->kind->writes] : site;
        }
        for (int side = 0; side < 2; side++) {
            if (!plain[side] || !turned[!side] || turned[side] || plain[!side])
                continue;
            struct finding *f = findings_add(findings, FINDING_SWIZZLE_DIFFERS);
            findings_place(f, &plain[side]->place);
            f->line = plain[side]->line;
            f->other_line = turned[!side]->line;
            f->site = (int)plain[side]->id;
            f->buffer = (int)array;
            f->is_shared = true;
            findings_say(
                f,
                "%s is %s here without the exclusive or that it is %s with in line %d: the two sides "
                "of a swizzle must be the same",
                program->shared[array].name, side ? "stored" : "read", side ? "read" : "stored",
                f->other_line);
        }
    }
}

/* Faults that leave the right result, by defined means. */
static bool is_harmless(enum finding_kind kind)
{
    return kind == FINDING_PAD_UNUSED || kind == FINDING_NO_EXCHANGE;
}

static enum audit_verdict verdict_of(const struct audit *audit)
{
    const struct findings *findings = &audit->result.findings;
    if (audit->refuted)
        return AUDIT_NOT_CORRECT;
    for (size_t i = 0; i < findings->count; i++)
        if (findings->at[i].severity == FINDING_FAULT && !is_harmless(findings->at[i].kind))
            return AUDIT_NOT_CORRECT;
    return audit->result.finished && !audit->result.problem.set ? AUDIT_CORRECT : AUDIT_UNKNOWN;
}

/* Do rows of the input become columns of the output? Otherwise each thread may keep what it read. */
static bool needs_exchange(const struct scenario *s)
{
    bool last_stays = s->task.axes && s->options.axes.at[s->task.axes - 1] == s->task.axes - 1;
    return !s->is_copy && !s->map.source && !last_stays;
}

void audit_conclude(struct audit *audit)
{
    struct audit_result *result = &audit->result;
    struct findings *findings = &result->findings;
    bool has_hole = audit->has_hole && !result->problem.set;
    if (audit->concluded || !audit->execution)
        return;
    audit->concluded = true;
    findings->count = 0;
    if (audit->owners)
        owners_glance(audit->owners, &result->cells);
    add_fault(audit, findings);
    add_verdict(audit, findings);
    add_arithmetic(audit, findings);
    gather_findings(&audit->gather, &result->cells, has_hole ? &audit->hole : NULL, audit->options.strict,
                    findings);
    race_findings(&audit->races, audit->whole, !needs_exchange(audit->scenario), findings);
    meet_findings(&audit->meets, &audit->gather.task, findings);
    add_swizzle(audit, findings);
    if (audit->whole)
        merge_findings(&audit->merges, findings);
    add_data(audit, findings);
    add_in_place(audit, findings);
    add_launch(audit, findings);
    if (audit->has_told)
        *findings_add(findings, audit->told.kind) = audit->told;
    findings_explain(findings);
    findings_settle(findings);
    result->verdict = verdict_of(audit);
}

#include "verdict.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void look(struct verdict *verdict)
{
    verdict->known = *audit_result(verdict->audit);
    verdict->finished = verdict->known.finished || verdict->known.problem.set;
    if (verdict->known.problem.set)
        verdict->problem = verdict->known.problem;
}

void verdict_begin(struct verdict *verdict, const struct session *session)
{
    *verdict = (struct verdict){.finished = false};
    verdict->audit = audit_begin(&session->scenario, NULL, &verdict->problem);
    verdict->finished = !verdict->audit;
    if (verdict->audit)
        verdict->progress = audit_progress(verdict->audit);
}

void verdict_free(struct verdict *verdict)
{
    if (verdict->audit)
        audit_free(verdict->audit);
    *verdict = (struct verdict){.finished = true};
}

static unsigned percent_of(const struct audit_progress *progress)
{
    return progress->total ? (unsigned)(100.0L * (long double)progress->done / (long double)progress->total)
                           : 0;
}

/* The result costs more than a small step: it is asked for when there is a percent more to tell. */
bool verdict_step(struct verdict *verdict, uint64_t blocks)
{
    if (verdict->finished)
        return false;
    unsigned before = percent_of(&verdict->progress);
    bool more = audit_step(verdict->audit, blocks);
    verdict->progress = audit_progress(verdict->audit);
    if (!more || percent_of(&verdict->progress) != before)
        look(verdict);
    verdict->finished = verdict->finished || !more;
    return !verdict->finished;
}

size_t verdict_count(const struct verdict *verdict)
{
    return verdict->known.findings.count;
}

const struct finding *verdict_finding(const struct verdict *verdict, size_t index)
{
    return &verdict->known.findings.at[index];
}

bool verdict_leads(const struct finding *finding)
{
    return finding->severity == FINDING_FAULT && finding->cause < 0;
}

static void with_commas(char *out, size_t size, uint64_t value)
{
    char digits[24];
    size_t used = 0;
    int length = snprintf(digits, sizeof digits, "%" PRIu64, value);
    for (int i = 0; i < length && used + 2 < size; i++) {
        out[used++] = digits[i];
        if ((length - 1 - i) % 3 == 0 && i + 1 < length)
            out[used++] = ',';
    }
    out[used] = '\0';
}

/* A line under construction: clauses as long as they fit. */
struct headline {
    char *out;
    size_t size;
    int cols;
    bool full;
    bool any;
};

static void add(struct headline *line, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(struct headline *line, const char *format, ...)
{
    char text[200];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    size_t used = strlen(line->out), more = strlen(text) + 2;
    line->full = line->full || used + more >= line->size || (int)(used + more) > line->cols;
    if (line->full)
        return;
    (void)snprintf(line->out + used, line->size - used, "%s%s", line->any ? ", " : ": ", text);
    line->any = true;
}

/* With the line, where a fault of that kind leads. */
static void add_cells(struct headline *line, const struct verdict *verdict, uint64_t cells, const char *what,
                      enum finding_kind kind)
{
    char count[32], where[32] = "";
    with_commas(count, sizeof count, cells);
    for (size_t i = 0; i < verdict_count(verdict); i++) {
        const struct finding *finding = verdict_finding(verdict, i);
        if (verdict_leads(finding) && finding->kind == kind && finding->line && !where[0])
            (void)snprintf(where, sizeof where, " at line %d", finding->line);
    }
    if (cells)
        add(line, "%s cell%s %s%s", count, cells == 1 ? "" : "s", what, where);
}

static bool is_about_cells(enum finding_kind kind)
{
    return kind == FINDING_WRONG || kind == FINDING_MISSING || kind == FINDING_DISAGREE;
}

/* `cells`: those about cells are told already. */
static void add_faults(struct headline *line, const struct verdict *verdict, bool cells)
{
    for (size_t i = 0; i < verdict_count(verdict); i++) {
        const struct finding *finding = verdict_finding(verdict, i);
        const char *title = finding->kind == FINDING_SHARED_RACE ? "race" : finding_title(finding->kind);
        if (!verdict_leads(finding) || (cells && is_about_cells(finding->kind)))
            continue;
        bool was_full = line->full;
        if (finding->line)
            add(line, "%s at line %d", title, finding->line);
        else
            add(line, "%s", title);
        if (line->full && !was_full && !line->any && finding->line) { /* no room for its name */
            line->full = false;
            add(line, "fault at line %d", finding->line);
        }
    }
}

/* False: there was no room for what leads. */
static bool say_not_correct(const struct verdict *verdict, bool cells, int cols, char *out, size_t size)
{
    const struct audit_result *known = &verdict->known;
    struct headline line = {out, size, cols, false, false};
    (void)snprintf(out, size, "NOT CORRECT");
    if (cells) {
        add_cells(&line, verdict, known->cells.wrong, "wrong", FINDING_WRONG);
        add_cells(&line, verdict, known->finished ? known->cells.missing : 0, "missing", FINDING_MISSING);
        add_cells(&line, verdict, known->cells.disagreeing, "disagree", FINDING_DISAGREE);
    }
    add_faults(&line, verdict, cells);
    return !line.full;
}

/* Every cell is right; what else leads is said where there is room. */
static void say_correct(const struct verdict *verdict, int cols, char *out, size_t size)
{
    const struct finding *first = verdict_count(verdict) ? verdict_finding(verdict, 0) : NULL;
    char more[120] = "", where[24] = "";
    bool leads = first && first->cause < 0;
    if (leads && first->line)
        (void)snprintf(where, sizeof where, " at line %d", first->line);
    if (leads && first->severity == FINDING_FAULT)
        (void)snprintf(more, sizeof more, ", but %s%s", finding_title(first->kind), where);
    else if (leads)
        (void)snprintf(more, sizeof more, ", note%s", where);
    (void)snprintf(out, size, cols < 20 ? "correct" : "correct (all blocks)");
    size_t used = strlen(out);
    if (more[0] && first->severity == FINDING_FAULT)
        used = (size_t)snprintf(out, size, "correct");
    if ((int)(used + strlen(more)) <= cols)
        (void)snprintf(out + used, size - used, "%s", more);
    else if (more[0] && cols >= 12)
        (void)snprintf(out, size, cols < 32 ? "correct, but" : "correct, but see%s",
                       where + (where[0] == ' ' ? 3 : 0));
}

void verdict_headline(const struct verdict *verdict, int cols, char *out, size_t size)
{
    const struct audit_result *known = &verdict->known;
    if (verdict->problem.set && known->verdict != AUDIT_NOT_CORRECT) {
        (void)snprintf(out, size, "not judged");
    } else if (known->verdict == AUDIT_CORRECT) {
        say_correct(verdict, cols, out, size);
    } else if (known->verdict == AUDIT_UNKNOWN) {
        unsigned percent = percent_of(&verdict->progress);
        (void)snprintf(out, size, cols < 20 ? "%u %%" : "not yet known %u %%", percent > 99 ? 99 : percent);
    } else {
        if (!say_not_correct(verdict, true, cols, out, size))
            (void)say_not_correct(verdict, false, cols, out, size);
    }
}

/* command.c - `lanescope report`: everything gathered, and written section by section. */
#include <stdlib.h>

#include "../../sim/report/matrix.h"
#include "../audit_run.h"
#include "../command.h"
#include "../report.h"
#include "html.h"
#include "report.h"

static void gather_audit(struct report *report)
{
    const struct scenario *s = &report->subject.session->scenario;
    struct owners_task task = scenario_task(s);
    struct audit_options how = report->options->audit;
    bool is_large = task_cells(&task) > REPORT_AUDIT_CELLS;
    if (is_large)
        how.way = AUDIT_BY_CENSUS_ONLY;
    report->audit = audit_begin(s, &how, &report->no_audit);
    if (!report->audit)
        return;
    audit_run(report->audit, s);
    report->result = audit_result(report->audit);
    if (is_large && report->result->problem.set) {
        (void)problem_say(&report->no_audit, "%s; lanescope audit does that",
                          report->result->problem.message);
        report->result = NULL;
    }
}

/* Only what is of the kernel itself ends the report; what cannot be shown of it is said in its place. */
static bool gather(struct report *report, struct problem *problem)
{
    const struct options *o = report->options;
    struct problem none = {0};
    if (!subject_open(&report->subject, o->operands[0], o, problem) ||
        !subject_count(&report->subject, o, problem))
        return false;
    report_passed_over(&report->subject.session->scenario);
    gather_audit(report);
    report->has_owners =
        owner_bins_count(&report->owners, &report->subject, o, OWNERS_ROWS, OWNERS_COLS, &report->no_owners);
    report->curve = memory_take(1, sizeof *report->curve);
    if (!curve_count(report->curve, &report->subject, o, &none)) {
        free(report->curve);
        report->curve = NULL;
    }
    return true;
}

static void write_page(const struct report *report, FILE *out)
{
    char name[SUBJECT_LINE];
    subject_short(&report->subject, name);
    html_begin(name, out);
    section_head(report, out);
    section_source(report, out);
    section_pictures(report, out);
    section_sites(report, out);
    section_audit(report, out);
    section_assumptions(report, out);
    html_end(out);
}

/* Is anything wrong that other commands end with 1 for? */
static bool is_faulty(const struct report *report)
{
    const struct totals *totals = &report->subject.totals;
    if (report->result)
        return report->result->findings.leading > 0;
    return totals->noticed.overflow.lanes || totals->out_of_bounds || totals->misaligned ||
           (report->has_owners && !report->owners.run.report.correct);
}

int command_report(const struct options *options, FILE *out, struct problem *problem)
{
    struct report report = {.options = options};
    int code = EXIT_TROUBLE;
    if (options->pitch_count > 1)
        (void)problem_say(problem,
                          "a report is of one pitch; lanescope heatmap --compare sets two side by side");
    else if (gather(&report, problem)) {
        write_page(&report, out);
        code = is_faulty(&report) ? EXIT_NO : EXIT_FINE;
    }
    audit_free(report.audit);
    owner_bins_free(&report.owners);
    free(report.curve);
    subject_close(&report.subject);
    return code;
}

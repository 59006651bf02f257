/* section_tables.c - the accesses in numbers, the audit's findings, what the numbers rest on. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../../sim/session/explain.h"
#include "../audit_run.h"
#include "../report.h"
#include "html.h"
#include "report.h"

static void write_site(const struct site *site, const struct site_tally *sum, FILE *out)
{
    const uint64_t numbers[] = {sum->requests,           sum->lanes,         sum->units,     sum->ideal,
                                sum->units - sum->ideal, sum->out_of_bounds, sum->misaligned};
    char text[160], digits[32];
    explain_site(site, text, sizeof text);
    (void)fprintf(out,
                  "<tr id=\"site%u\"><td><a href=\"#line%d\">%d</a></td><td class=\"l\">%s</td>"
                  "<td class=\"l code\">",
                  site->id, site->line, site->line, site->kind->name);
    html_text(out, "%s", text);
    (void)fprintf(out, "</td><td class=\"l\">%s</td>", site->kind->units);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        (void)fprintf(out, "<td%s>%s</td>", i >= 4 && numbers[i] ? " class=\"bad\"" : "",
                      grouped(numbers[i], digits));
    (void)fputs("</tr>\n", out);
}

void section_sites(const struct report *report, FILE *out)
{
    const struct site **sites;
    unsigned count = sites_by_line(report->subject.session->scenario.program, &sites);
    html_heading(out, "accesses", "Every access, in the whole launch");
    (void)fputs(
        "<div class=\"scroll\"><table class=\"numbers\">\n<tr><th>line</th><th class=\"l\">kind</th>"
        "<th class=\"l\">access</th><th class=\"l\">counted in</th><th>requests</th><th>lanes</th>"
        "<th>actual</th><th>ideal</th><th>excess</th><th>out of bounds</th><th>misaligned</th></tr>\n",
        out);
    for (unsigned i = 0; i < count; i++)
        write_site(sites[i], &report->subject.totals.tally.sites[sites[i]->id], out);
    (void)fputs("</table></div>\n", out);
    free(sites);
}

static void write_finding(const struct report *report, size_t index, FILE *out)
{
    const struct findings *findings = &report->result->findings;
    const struct finding *f = &findings->at[index];
    bool is_note = f->severity == FINDING_NOTE, any = false;
    (void)fprintf(out, "<li><span class=\"tag %s\">%s</span>", is_note ? "dim" : "bad",
                  finding_severity_word(f->severity));
    if (f->line && f->source == session_text(report->subject.session))
        (void)fprintf(out, "<a href=\"#line%d\">line %d</a>: ", f->line, f->line);
    else if (f->line)
        (void)fprintf(out, "line %d: ", f->line);
    html_text(out, "%s: %s", finding_title(f->kind), f->sentence);
    for (size_t i = 0; i < findings->count; i++)
        if (findings->at[i].cause == (int)index) {
            (void)fputs(any ? "" : "<ul>", out);
            any = true;
            (void)fputs("<li>it follows: ", out);
            html_text(out, "%s: %s", finding_title(findings->at[i].kind), findings->at[i].sentence);
            (void)fputs("</li>", out);
        }
    (void)fputs(any ? "</ul></li>\n" : "</li>\n", out);
}

/* Where no audit was made: what the census says of the output. */
static void write_owners(const struct report *report, FILE *out)
{
    const struct owners_report *r = &report->owners.run.report;
    char a[32], b[32], c[32], d[32];
    (void)fputs("<p>", out);
    html_text(out, "%s", report->no_audit.message);
    (void)fputs(".</p>\n<p>", out);
    if (report->has_owners)
        html_text(out,
                  "Of the output's cells %s are missing, %s wrong, %s have writers that disagree, and %s are "
                  "written more than once.",
                  grouped(r->missing, a), grouped(r->wrong, b), grouped(r->disagreeing, c),
                  grouped(r->written_twice, d));
    else if (strcmp(report->no_audit.message, report->no_owners.message) != 0)
        html_text(out, "%s.", report->no_owners.message);
    (void)fputs("</p>\n", out);
}

void section_audit(const struct report *report, FILE *out)
{
    const struct audit_result *r = report->result;
    char sentence[FINDING_SENTENCE];
    html_heading(out, "audit", "Audit: is it right?");
    if (!r) {
        write_owners(report, out);
        return;
    }
    audit_sentence(&report->subject.session->scenario, r, sentence, sizeof sentence);
    (void)fprintf(out, "<p class=\"%s\"><strong>",
                  r->verdict == AUDIT_CORRECT && !r->findings.leading ? "good" : "bad");
    html_text(out, "%s", r->problem.set ? r->problem.message : sentence);
    (void)fputs("</strong></p>\n", out);
    if (r->findings.count)
        (void)fputs("<ol class=\"findings\">\n", out);
    for (size_t i = 0; i < r->findings.count; i++)
        if (r->findings.at[i].cause < 0)
            write_finding(report, i, out);
    if (r->findings.count)
        (void)fputs("</ol>\n", out);
}

/* What other commands print before and behind their numbers, a line an item. */
static void write_notes(const struct scenario *s, FILE *out)
{
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    if (!memory)
        return;
    report_launch(s, true, memory);
    report_data(s, memory);
    if (fclose(memory) == 0)
        for (char *line = text, *next; line && *line; line = next) {
            next = strchr(line, '\n');
            if (next)
                *next++ = '\0';
            (void)fputs("<li>", out);
            html_text(out, "%s", line);
            (void)fputs("</li>\n", out);
        }
    free(text);
}

void section_assumptions(const struct report *report, FILE *out)
{
    const struct subject *subject = &report->subject;
    const struct scenario *s = &subject->session->scenario;
    html_heading(out, "assumptions", "What the numbers rest on");
    (void)fputs("<ul>\n<li>", out);
    html_text(out, "%s: %s.", s->device->name, device_rules(s->device));
    (void)fputs("</li>\n", out);
    (void)fprintf(
        out, "<li>%s</li>\n",
        subject->totals.census.given_up
            ? "Every block of the launch was run."
            : "The launch was counted by classes of blocks, one of each run; the numbers are those of "
              "all blocks.");
    write_notes(s, out);
    (void)fputs(
        "<li>Sectors are what L1 is asked for. Caches are not modelled, and no count is a time.</li>\n"
        "<li>Accesses are counted as the source has them: a compiler may merge, unroll or leave out "
        "some.</li>\n</ul>\n",
        out);
}

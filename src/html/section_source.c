/* section_source.c - the kernel's text, below each line what its accesses cost in the whole launch. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../../sim/session/explain.h"
#include "html.h"
#include "report.h"

enum { LINE_BYTES_MOST = HTML_TEXT - 1, LINES_MOST = 3000 };

static int by_line(const void *a, const void *b)
{
    const struct site *const *x = a, *const *y = b;
    if ((*x)->line != (*y)->line)
        return (*x)->line < (*y)->line ? -1 : 1;
    return (*x)->id < (*y)->id ? -1 : (*x)->id > (*y)->id;
}

unsigned sites_by_line(const struct program *program, const struct site ***sites)
{
    *sites = memory_take(program->site_count + 1u, sizeof **sites);
    for (unsigned i = 0; i < program->site_count; i++)
        (*sites)[i] = &program->sites[i];
    qsort(*sites, program->site_count, sizeof **sites, by_line);
    return program->site_count;
}

/* As text: a NUL would end it. */
static void write_line(const struct source *line, FILE *out)
{
    char text[LINE_BYTES_MOST + 1];
    size_t size = line->size < LINE_BYTES_MOST ? line->size : LINE_BYTES_MOST;
    size_t begin = 0;
    if (size && line->bytes[size - 1] == '\r')
        size--;
    for (size_t i = 0; i <= size; i++) /* tabs stay: the style says how wide they are */
        if (i == size || line->bytes[i] == '\t') {
            memcpy(text, line->bytes + begin, i - begin);
            text[i - begin] = '\0';
            for (char *at = text; at < text + (i - begin); at++)
                *at = *at ? *at : '\1';
            html_text(out, "%s", text);
            if (i < size)
                (void)fputc('\t', out);
            begin = i + 1;
        }
}

static void write_cost(const struct site *site, const struct site_tally *sum, FILE *out)
{
    char text[160], units[32], ideal[32], requests[32], ratio[40];
    bool good = sum->units == sum->ideal;
    explain_site(site, text, sizeof text);
    (void)fprintf(out,
                  "<tr class=\"cost\"><td class=\"n\"></td><td><div class=\"note%s\"><a href=\"#site%u\">",
                  good ? "" : " bad", site->id);
    html_text(out, "%s %s", site->kind->space == SPACE_SHARED ? "shared" : "global", text);
    (void)fputs("</a>: ", out);
    if (!sum->requests) {
        (void)fputs("no lane comes here</div></td></tr>\n", out);
        return;
    }
    say_ratio(ratio, sum->units, sum->ideal);
    html_text(out, "%s %s, %s%s%s, in %s requests", grouped(sum->units, units), site->kind->units, ratio,
              good ? "" : " of ", good ? "" : grouped(sum->ideal, ideal), grouped(sum->requests, requests));
    if (sum->out_of_bounds)
        html_text(out, "; %" PRIu64 " lane%s out of bounds", sum->out_of_bounds,
                  sum->out_of_bounds == 1 ? "" : "s");
    if (sum->misaligned)
        html_text(out, "; %" PRIu64 " lane%s misaligned", sum->misaligned, sum->misaligned == 1 ? "" : "s");
    (void)fputs("</div></td></tr>\n", out);
}

/* The lines that are shown: the kernel's, and wherever else its accesses stand. */
static void find_lines(const struct report *report, const struct source *text, int *first, int *last)
{
    const struct program *p = report->subject.session->scenario.program;
    int column;
    source_place(text, p->begin, first, &column);
    source_place(text, p->end, last, &column);
    for (unsigned i = 0; i < p->site_count; i++) {
        *first = p->sites[i].line && p->sites[i].line < *first ? p->sites[i].line : *first;
        *last = p->sites[i].line > *last ? p->sites[i].line : *last;
    }
}

void section_source(const struct report *report, FILE *out)
{
    const struct session *session = report->subject.session;
    const struct source *text = session_text(session);
    const struct site **sites;
    unsigned count = sites_by_line(session->scenario.program, &sites), at = 0;
    int first, last, shown = 0;
    find_lines(report, text, &first, &last);
    html_heading(out, "source", "The source, and what each line costs");
    (void)fputs("<div class=\"source-box\"><table class=\"source\">\n", out);
    while (at < count && sites[at]->line < first)
        at++;
    for (int line = first; line <= last && shown < LINES_MOST; line++, shown++) {
        const struct source bytes = source_line(text, line);
        bool is_hot = at < count && sites[at]->line == line;
        (void)fprintf(out, "<tr%s id=\"line%d\"><td class=\"n code\">%d</td><td class=\"c code\">",
                      is_hot ? " class=\"hot\"" : "", line, line);
        write_line(&bytes, out);
        (void)fputs("</td></tr>\n", out);
        for (; at < count && sites[at]->line == line; at++)
            write_cost(sites[at], &report->subject.totals.tally.sites[sites[at]->id], out);
    }
    (void)fputs("</table></div>\n", out);
    if (shown == LINES_MOST && first + shown <= last)
        (void)fprintf(out, "<p class=\"dim\">and %d lines more</p>\n", last - first - shown + 1);
    free(sites);
}

/* section_head.c - what the page is of, and the launch in four numbers. */
#include <inttypes.h>
#include <stdarg.h>

#include "html.h"
#include "report.h"

static void pair(FILE *out, const char *name, const char *format, ...) __attribute__((format(printf, 3, 4)));

static void pair(FILE *out, const char *name, const char *format, ...)
{
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    (void)fprintf(out, "<div><dt>%s</dt><dd>", name);
    html_text(out, "%s", text);
    (void)fputs("</dd></div>\n", out);
}

static void say_verdict(const struct report *report, FILE *out)
{
    const struct audit_result *r = report->result;
    bool is_known = r && r->verdict != AUDIT_UNKNOWN;
    bool good = is_known
                    ? r->verdict == AUDIT_CORRECT && !r->findings.leading
                    : report->has_owners && report->owners.run.report.correct && !report->owners.overflow;
    if (!is_known && !report->has_owners)
        return;
    (void)fprintf(out, "<p><a class=\"verdict %s\" href=\"#audit\">%s</a></p>\n", good ? "good" : "bad",
                  good                                      ? "correct"
                  : is_known && r->verdict == AUDIT_CORRECT ? "correct, but there are faults"
                                                            : "not correct");
}

static void say_configuration(const struct report *report, FILE *out)
{
    const struct scenario *s = &report->subject.session->scenario;
    const struct occupancy *occupancy = &report->subject.totals.summary.occupancy;
    (void)fputs("<dl>\n", out);
    pair(out, "kernel", "%s", s->program->name);
    pair(out, "matrix", "%u x %u elements of %u byte%s", s->rows, s->cols, s->elem_bytes,
         s->elem_bytes == 1 ? "" : "s");
    if (s->tile)
        pair(out, "tile", "%" PRIu64 " x %" PRIu64, s->tile, s->tile);
    if (report->subject.pitch)
        pair(out, "pitch", "%" PRIu64 " elements", report->subject.pitch);
    pair(out, "block", "%u x %u x %u threads", s->launch.block[0], s->launch.block[1], s->launch.block[2]);
    pair(out, "grid", "%u x %u x %u blocks", s->launch.grid[0], s->launch.grid[1], s->launch.grid[2]);
    if (s->options.in_offset || s->options.out_offset)
        pair(out, "offsets", "input %" PRIu64 ", output %" PRIu64 " elements", s->options.in_offset,
             s->options.out_offset);
    for (unsigned i = 0; i < s->options.definition_count; i++)
        pair(out, "macro", "%s", s->options.definitions[i]);
    pair(out, "shared memory", "%" PRIu64 " bytes a block", s->shared_bytes);
    pair(out, "occupancy", "%u blocks, %u of %u warps an SM; limit: %s", occupancy->blocks, occupancy->warps,
         occupancy->most_warps, occupancy_limit_name(occupancy->limit));
    pair(out, "device", "%s", s->device->name);
    pair(out, "rules", "%s", device_rules(s->device));
    (void)fputs("</dl>\n", out);
}

void say_ratio(char out[40], uint64_t units, uint64_t ideal)
{
    if (!ideal || units == ideal)
        (void)snprintf(out, 40, "as few as can be");
    else
        (void)snprintf(out, 40, "%.3g times its ideal", (double)units / (double)ideal);
}

static void say_card(const struct site_tally *sum, const struct access_kind *kind, FILE *out)
{
    char units[32], ideal[32], requests[32], ratio[40];
    if (!sum->requests)
        return;
    say_ratio(ratio, sum->units, sum->ideal);
    double part = sum->units ? 100.0 * (double)sum->ideal / (double)sum->units : 100;
    (void)fprintf(out,
                  "<div class=\"card\">%ss<b>%s</b><span class=\"dim\">%s, %s</span>"
                  "<div class=\"bar\"><i style=\"width:%.1f%%\"></i><u></u></div>"
                  "<span class=\"dim\">ideal %s, in %s requests</span></div>\n",
                  kind->name, grouped(sum->units, units), kind->units, ratio, part > 100 ? 100 : part,
                  grouped(sum->ideal, ideal), grouped(sum->requests, requests));
}

void section_head(const struct report *report, FILE *out)
{
    const struct summary *sum = &report->subject.totals.summary;
    char name[SUBJECT_LINE];
    subject_short(&report->subject, name);
    (void)fputs("<header>\n<h1>", out);
    html_text(out, "%s", name);
    (void)fputs("</h1>\n<p class=\"dim\">what its lanes ask of memory, as lanescope counts it</p>\n", out);
    say_verdict(report, out);
    (void)fputs("<nav><a href=\"#source\">source</a><a href=\"#pictures\">pictures</a>"
                "<a href=\"#accesses\">accesses</a><a href=\"#audit\">audit</a>"
                "<a href=\"#assumptions\">assumptions</a></nav>\n",
                out);
    say_configuration(report, out);
    (void)fputs("</header>\n<div class=\"cards\">\n", out);
    for (int kind = 0; kind < ACCESS_KINDS; kind++)
        say_card(&sum->of[kind], &access_kinds[kind], out);
    (void)fputs("</div>\n", out);
}

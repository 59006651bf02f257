/* cmd_audit.c - what is wrong with a kernel and its launch: findings, with lines, threads and causes. */
#include <inttypes.h>
#include <string.h>

#include "../base/text.h"
#include "../sim/report/audit.h"
#include "../sim/report/device_columns.h"
#include "audit_metrics.h"
#include "audit_run.h"
#include "command.h"
#include "interrupt.h"
#include "operand.h"
#include "report.h"

static const struct column columns[] = {
    {"number", NULL},       {"severity", NULL},   {"kind", NULL},       {"follows_from", NULL},
    {"file", NULL},         {"line", NULL},       {"other_line", NULL}, {"barrier_line", NULL},
    {"barrier_side", NULL}, {"space", NULL},      {"buffer", NULL},     {"row", NULL},
    {"col", NULL},          {"block_x", NULL},    {"block_y", NULL},    {"block_z", NULL},
    {"warp", NULL},         {"lane", NULL},       {"step", NULL},       {"other_warp", NULL},
    {"other_lane", NULL},   {"other_step", NULL}, {"cells", NULL},      {"lanes", NULL},
    {"sentence", NULL},     {"elem_bytes", NULL}, DEVICE_COLUMNS,       {"partial", NULL},
};

enum { COLUMN_SENTENCE = 24 };

static void add_line(struct table *table, int line)
{
    if (line)
        table_count(table, (uint64_t)line);
    else
        table_absent(table);
}

static void add_thread(struct table *table, const struct finding *f)
{
    const struct finding_thread *t = &f->thread, *o = &f->other;
    const uint64_t numbers[] = {t->block[0], t->block[1], t->block[2], t->warp, t->lane, t->step};
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (f->has_thread)
            table_count(table, numbers[i]);
        else
            table_absent(table);
    const uint64_t others[] = {o->warp, o->lane, o->step};
    for (unsigned i = 0; i < 3; i++)
        if (f->has_other)
            table_count(table, others[i]);
        else
            table_absent(table);
}

static void add_place(struct table *table, const struct scenario *s, const struct finding *f)
{
    const struct program *p = s->program;
    if (f->source)
        table_text(table, f->source->name);
    else
        table_absent(table);
    add_line(table, f->line);
    add_line(table, f->other_line);
    add_line(table, f->barrier_line);
    if (f->barrier_line)
        table_text(table, f->after ? "behind" : "before");
    else
        table_absent(table);
    if (f->buffer >= 0) {
        table_text(table, f->is_shared ? "shared" : "global");
        table_text(table, f->is_shared ? p->shared[f->buffer].name : p->parameters[f->buffer].name);
    } else {
        table_absent(table);
        table_absent(table);
    }
    for (int i = 0; i < 2; i++)
        if (f->has_cell)
            table_count(table, i ? f->col : f->row);
        else
            table_absent(table);
}

static const char *verdict_word(enum audit_verdict verdict)
{
    return verdict == AUDIT_CORRECT ? "correct" : verdict == AUDIT_NOT_CORRECT ? "not-correct" : "unknown";
}

/* csv and json: row 0 is the verdict, then a row a finding. */
static void print_rows(const struct scenario *s, const struct audit_result *r, enum format format, FILE *out)
{
    struct table *table = table_new(columns, sizeof columns / sizeof *columns);
    char sentence[FINDING_SENTENCE];
    audit_sentence(s, r, sentence, sizeof sentence);
    uint64_t missing = r->finished ? r->cells.missing : 0;
    for (size_t i = 0; i <= r->findings.count; i++) {
        const struct finding verdict = {
            .buffer = -1, .cause = -1, .cells = r->cells.wrong + r->cells.disagreeing + missing};
        const struct finding *f = i ? &r->findings.at[i - 1] : &verdict;
        table_count(table, i);
        table_text(table, i ? finding_severity_word(f->severity) : verdict_word(r->verdict));
        table_text(table, i ? finding_word(f->kind) : "verdict");
        add_line(table, f->cause + 1);
        add_place(table, s, f);
        add_thread(table, f);
        table_count(table, f->cells);
        table_count(table, f->lanes);
        table_text(table, i ? f->sentence : sentence);
        table_count(table, s->elem_bytes);
        table_device(table, s->device);
        table_text(table, r->finished ? "no" : "yes");
    }
    table_write(table, format, false, out);
    table_free(table);
}

static void print_finding(const struct scenario *s, const struct finding *f, FILE *out)
{
    if (f->line && f->source)
        (void)fprintf(out, "%s:%d: ", f->source->name, f->line);
    else if (f->line)
        (void)fprintf(out, "line %d: ", f->line);
    else
        (void)fprintf(out, "%s, the launch: ", s->text.name);
    (void)fprintf(out, "%s%s: %s\n", f->severity == FINDING_NOTE ? "note: " : "", finding_title(f->kind),
                  f->sentence);
}

/* The text's line, as compilers show it. */
static void print_source(const struct finding *f, FILE *out)
{
    struct problem place = {0};
    if (!f->source || !f->line)
        return;
    size_t at = f->begin;
    for (int line = 1; !f->end && line < f->line && at < f->source->size; at++)
        line += f->source->bytes[at] == '\n';
    (void)problem_at(&place, f->source, at, "x");
    (void)fprintf(out, "    %s\n", place.source_line);
}

static void print_text(const struct scenario *s, const struct audit_result *r, FILE *out)
{
    char sentence[FINDING_SENTENCE];
    const struct findings *findings = &r->findings;
    report_launch(s, true, out);
    audit_sentence(s, r, sentence, sizeof sentence);
    (void)fprintf(out, "%s\n", sentence);
    for (size_t i = 0; i < findings->count; i++) {
        const struct finding *f = &findings->at[i];
        if (f->cause >= 0)
            continue;
        (void)fputc('\n', out);
        print_finding(s, f, out);
        print_source(f, out);
        for (size_t k = 0; k < findings->count; k++)
            if (findings->at[k].cause == (int)i) {
                (void)fputs("  it follows: ", out);
                print_finding(s, &findings->at[k], out);
            }
    }
    if (r->regions)
        report_by_census(s, r->regions, r->boxes, r->cells.cells - r->cells.missing, out);
    (void)fprintf(out, "\njudged: %s is the input, %s the output\n", s->program->parameters[s->in].name,
                  s->program->parameters[s->out].name);
    report_data(s, out);
}

static int report(const struct scenario *s, struct audit *audit, const struct options *options, FILE *out,
                  struct problem *problem)
{
    const struct audit_result *r = audit_result(audit);
    if (r->problem.set && !r->findings.leading) {
        *problem = r->problem;
        return EXIT_TROUBLE;
    }
    if (!r->finished)
        (void)fprintf(options->format == FORMAT_TEXT ? out : stderr,
                      "partial: Ctrl-C ended this after %" PRIu64 " of %" PRIu64 " blocks\n", r->done,
                      r->total);
    if (options->format == FORMAT_TEXT) {
        print_text(s, r, out);
    } else {
        report_launch(s, false, out);
        print_rows(s, r, options->format, out);
    }
    (void)fflush(out);
    if (r->problem.set)
        report_problem(&r->problem);
    if (!r->finished)
        return EXIT_INTERRUPTED;
    bool good = r->findings.leading == 0;
    if (options->assertion && !audit_assert(options, s, r, &good, problem))
        return EXIT_TROUBLE;
    return good ? EXIT_FINE : EXIT_NO;
}

/* The launch is more than the hardware has: that is the finding, and all there is to say. */
static int report_refused(const struct text *text, const struct options *options, FILE *out,
                          struct problem *problem)
{
    const struct device *device = options->scenario.device;
    struct table *table = table_new(columns, sizeof columns / sizeof *columns);
    if (options->format == FORMAT_TEXT)
        (void)fprintf(out, "not correct: the launch is refused\n\n%s, the launch: %s: %s\n",
                      text->source.name, finding_title(FINDING_LIMIT), problem->message);
    for (unsigned i = 0; i < 2; i++) {
        table_count(table, i);
        table_text(table, i ? "fault" : "not-correct");
        table_text(table, i ? finding_word(FINDING_LIMIT) : "verdict");
        for (unsigned c = 3; c < COLUMN_SENTENCE; c++)
            table_absent(table);
        table_text(table, i ? problem->message : "not correct: the launch is refused");
        table_absent(table);
        table_device(table, device);
        table_text(table, "no");
    }
    if (options->format != FORMAT_TEXT)
        table_write(table, options->format, false, out);
    table_free(table);
    *problem = (struct problem){0};
    return EXIT_NO;
}

int command_audit(const struct options *options, FILE *out, struct problem *problem)
{
    struct text text;
    struct scenario s;
    int code = EXIT_TROUBLE;
    if (!operand_open(&text, options->operands[0], problem))
        return EXIT_TROUBLE;
    if (scenario_open(&s, &text.source, &options->scenario, problem)) {
        report_passed_over(&s);
        struct audit_options how = options->audit;
        how.way = options->enumerate ? AUDIT_EACH_BLOCK : AUDIT_AS_FITS;
        struct audit *audit = audit_begin(&s, &how, problem);
        if (audit) {
            interrupt_begin();
            audit_run(audit, &s);
            interrupt_end();
            code = report(&s, audit, options, out, problem);
        }
        audit_free(audit);
        scenario_close(&s);
    } else if (problem->fault == PROBLEM_FAULT_LIMIT) {
        code = report_refused(&text, options, out, problem);
    }
    text_close(&text);
    return code;
}

/* cmd_compare.c - a recorded table against the rules, row by row. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../base/arena.h"
#include "../base/csv.h"
#include "../base/parse_number.h"
#include "../base/progress.h"
#include "../base/text.h"
#include "../sim/model/sector.h"
#include "../sim/report/device_columns.h"
#include "../sim/report/metric.h"
#include "../sim/report/recorded_columns.h"
#include "../sim/report/rung.h"
#include "../sim/report/scenario.h"
#include "command.h"
#include "interrupt.h"
#include "totals.h"

enum {
    FILE_LIMIT = 1 << 30,
    FIELD_COUNT = (int)ACCESS_COLUMN_COUNT > (int)LAUNCH_COLUMN_COUNT ? (int)ACCESS_COLUMN_COUNT
                                                                      : (int)LAUNCH_COLUMN_COUNT
};

/* csv and json have every value that was compared. */
static const struct column columns[] = {
    {"line", NULL}, {"row", NULL},      {"counter", NULL}, {"predicted", NULL},
    {"most", NULL}, {"measured", NULL}, {"agrees", NULL},  DEVICE_COLUMNS,
};

struct comparison {
    enum format format;
    struct stream stream; /* csv, json */
    const struct device *device;
    unsigned workers;
    struct csv csv;
    int place[CSV_FIELD_LIMIT]; /* of each header field: an access_column or launch_column, or -1 */
    const struct metric *metric[CSV_FIELD_LIMIT];
    unsigned field_count;
    const char *field[FIELD_COUNT]; /* of the row, by that column; NULL if absent */
    FILE *out;
    struct problem *problem;
    uint64_t rows, differ;
    uint64_t values; /* that were compared */
    bool row_differs;
    bool partial; /* Ctrl-C ended it: this row was not compared */
    struct progress progress;
};

static bool row_fail(struct comparison *c, const char *what, const char *text)
{
    return problem_say(c->problem, "%s, line %" PRIu64 ": %s, not '%.60s'", c->csv.name, c->csv.line, what,
                       text ? text : "");
}

static bool row_range_fail(struct comparison *c, const char *name, uint64_t least, uint64_t most,
                           const char *text)
{
    char what[120];
    (void)snprintf(what, sizeof what, "%s must be a number from %" PRIu64 " to %" PRIu64, name, least, most);
    return row_fail(c, what, text);
}

/* A number of a table of accesses. */
static bool row_number(struct comparison *c, enum access_column column, uint64_t least, uint64_t most,
                       uint64_t *value)
{
    if (c->field[column] && parse_number(c->field[column], least, most, value))
        return true;
    return row_range_fail(c, access_columns[column], least, most, c->field[column]);
}

/* One measured value beside its prediction, which may be exceeded up to `most` (UINT64_MAX: without limit).
 */
struct judgement_line {
    const char *row, *counter;
    uint64_t predicted, most, measured;
    bool agrees;
};

static void judge(struct comparison *c, const struct judgement_line *j)
{
    c->values++;
    c->row_differs = c->row_differs || !j->agrees;
    if (!j->agrees || c->format != FORMAT_TEXT)
        progress_clear(&c->progress);
    if (c->format == FORMAT_TEXT) {
        if (!j->agrees)
            (void)fprintf(c->out, "line %" PRIu64 ": %s: %s: predicted %" PRIu64 ", measured %" PRIu64 "\n",
                          c->csv.line, j->row, j->counter, j->predicted, j->measured);
        return;
    }
    stream_count(&c->stream, c->csv.line);
    stream_text(&c->stream, j->row);
    stream_text(&c->stream, j->counter);
    stream_count(&c->stream, j->predicted);
    if (j->most == UINT64_MAX)
        stream_absent(&c->stream);
    else
        stream_count(&c->stream, j->most);
    stream_count(&c->stream, j->measured);
    stream_text(&c->stream, j->agrees ? "yes" : "no");
    stream_device(&c->stream, c->device);
}

static bool judge_access_column(struct comparison *c, enum access_column column, uint64_t predicted)
{
    uint64_t measured;
    if (!c->field[column] || !*c->field[column])
        return true;
    if (!row_number(c, column, 0, UINT64_MAX, &measured))
        return false;
    judge(c, &(struct judgement_line){c->field[ACCESS_COLUMN_NAME] ? c->field[ACCESS_COLUMN_NAME] : "",
                                      access_columns[column], predicted, predicted, measured,
                                      measured == predicted});
    return true;
}

static bool read_offsets(struct comparison *c, int64_t offsets[32])
{
    const char *at = c->field[ACCESS_COLUMN_OFFSETS];
    for (int lane = 0; lane < 32; lane++) {
        char *end;
        offsets[lane] = strtoll(at, &end, 10);
        if (end == at || offsets[lane] < 0 || offsets[lane] > INT64_C(1) << 46 ||
            (lane < 31 && *end != ' ') || (lane == 31 && *end))
            return row_fail(c, "offsets must be 32 byte offsets with blanks between them", at);
        at = end;
    }
    return true;
}

static bool compare_access(struct comparison *c)
{
    uint64_t bytes, mask;
    int64_t offsets[32];
    if (!row_number(c, ACCESS_COLUMN_BYTES, 1, 16, &bytes) ||
        !row_number(c, ACCESS_COLUMN_MASK, 0, UINT32_MAX, &mask) || !read_offsets(c, offsets))
        return false;
    if (bytes & (bytes - 1))
        return row_fail(c, "bytes must be 1, 2, 4, 8 or 16", c->field[ACCESS_COLUMN_BYTES]);
    bool shared = strcmp(c->field[ACCESS_COLUMN_SPACE], "shared") == 0,
         load = strcmp(c->field[ACCESS_COLUMN_OP], "load") == 0;
    if (!shared && strcmp(c->field[ACCESS_COLUMN_SPACE], "global") != 0)
        return row_fail(c, "space must be shared or global", c->field[ACCESS_COLUMN_SPACE]);
    if (!load && strcmp(c->field[ACCESS_COLUMN_OP], "store") != 0)
        return row_fail(c, "op must be load or store", c->field[ACCESS_COLUMN_OP]);
    struct lanes lanes = {
        .lane_bytes = (unsigned)bytes, .is_load = load, .mask = (uint32_t)mask, .delta = offsets};
    if (shared) {
        struct bank_cost cost = bank_cost_of(&lanes);
        return judge_access_column(c, ACCESS_COLUMN_WAVEFRONTS, cost.wavefronts) &&
               judge_access_column(c, ACCESS_COLUMN_BANK_CONFLICTS, cost.wavefronts - cost.ideal);
    }
    return judge_access_column(c, ACCESS_COLUMN_REQUESTS, mask != 0) &&
           judge_access_column(c, ACCESS_COLUMN_SECTORS, sector_cost_of(&lanes).sectors);
}

static bool launch_options(struct comparison *c, struct scenario_options *options)
{
    *options = (struct scenario_options){0};
    for (enum launch_column i = LAUNCH_ROWS; i < LAUNCH_COLUMN_COUNT; i++) {
        const struct launch_column_row *row = &launch_columns[i];
        bool absent = row->is_optional && !c->field[i];
        if (!absent && !launch_column_read(i, c->field[i], options))
            return row_range_fail(c, row->name, row->least, row->most, c->field[i]);
    }
    return true;
}

static bool judge_metrics(struct comparison *c, const struct tally *tally, const struct program *program)
{
    char row[160];
    (void)snprintf(row, sizeof row, "%.30s %.12s x %.12s, tile %.6s, block rows %.6s, pitch %.9s, %.3s bytes",
                   c->field[LAUNCH_KERNEL], c->field[LAUNCH_ROWS], c->field[LAUNCH_COLS],
                   c->field[LAUNCH_TILE], c->field[LAUNCH_BLOCK_ROWS], c->field[LAUNCH_PITCH],
                   c->field[LAUNCH_ELEM_BYTES]);
    for (unsigned i = 0; i < c->field_count; i++) {
        const struct metric *metric = c->metric[i];
        uint64_t measured;
        if (!metric || metric->judgement == JUDGE_SHOWN || !*c->csv.fields[i])
            continue;
        if (!parse_number(c->csv.fields[i], 0, UINT64_MAX, &measured))
            return row_fail(c, "a counter must be a whole number", c->csv.fields[i]);
        struct prediction predicted = metric_predict(metric, tally, program);
        judge(c, &(struct judgement_line){row, metric->name, predicted.value,
                                          metric->judgement == JUDGE_AT_LEAST ? UINT64_MAX : predicted.most,
                                          measured, metric_agrees(metric, &predicted, measured)});
    }
    return true;
}

static bool compare_launch(struct comparison *c)
{
    struct scenario_options options;
    struct scenario scenario;
    const struct rung *rung = rung_find(c->field[LAUNCH_KERNEL]);
    if (!rung)
        return row_fail(c, "kernel must be a rung of the ladder", c->field[LAUNCH_KERNEL]);
    if (!launch_options(c, &options))
        return false;
    if (!scenario_open(&scenario, &rung->source, &options, c->problem)) {
        problem_within(c->problem, "%s, line %" PRIu64, c->csv.name, c->csv.line);
        return false;
    }
    const struct totals_how how = {.workers = c->workers, .progress = &c->progress};
    struct totals totals;
    bool ok = totals_of(&totals, &scenario, &how, c->problem) &&
              (totals.partial || judge_metrics(c, &totals.tally, scenario.program));
    c->partial = totals.partial;
    totals_free(&totals);
    scenario_close(&scenario);
    if (!ok && c->problem->file[0]) /* a place in the rung's text */
        problem_within(c->problem, "%s, line %" PRIu64, c->csv.name, c->csv.line);
    return ok;
}

static const char *column_name(bool accesses, int column)
{
    return accesses ? access_columns[column] : launch_columns[column].name;
}

static bool is_needed(bool accesses, int column)
{
    return accesses ? column != ACCESS_COLUMN_NAME && column < ACCESS_COLUMN_MEASURED
                    : !launch_columns[column].is_optional;
}

static int find_column(bool accesses, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(column_name(accesses, i), name) == 0)
            return i;
    return -1;
}

/* Which kind of table is it, and where are its columns? */
static bool read_header(struct comparison *c, bool *accesses)
{
    bool seen[FIELD_COUNT] = {false};
    if (!csv_header(&c->csv, c->problem))
        return false;
    c->field_count = c->csv.count;
    *accesses = false;
    for (unsigned i = 0; i < c->field_count; i++)
        *accesses = *accesses || strcmp(c->csv.fields[i], access_columns[ACCESS_COLUMN_OFFSETS]) == 0;
    int count = *accesses ? (int)ACCESS_COLUMN_COUNT : (int)LAUNCH_COLUMN_COUNT;
    for (unsigned i = 0; i < c->field_count; i++) {
        c->place[i] = find_column(*accesses, count, c->csv.fields[i]);
        c->metric[i] = *accesses ? NULL : metric_find(c->csv.fields[i], strlen(c->csv.fields[i]));
        if (c->place[i] >= 0)
            seen[c->place[i]] = true;
        else if (!c->metric[i])
            (void)fprintf(stderr, "lanescope: %s: the column '%.80s' is not known and is ignored\n",
                          c->csv.name, c->csv.fields[i]);
    }
    for (int i = 0; i < count; i++)
        if (!seen[i] && is_needed(*accesses, i))
            return problem_say(c->problem, "%s has no column %s, which a table of %s needs", c->csv.name,
                               column_name(*accesses, i), *accesses ? "accesses" : "launches");
    return true;
}

static bool compare_row(struct comparison *c, bool accesses)
{
    if (c->csv.count != c->field_count)
        return problem_say(c->problem, "%s, line %" PRIu64 " has %u fields where the header has %u",
                           c->csv.name, c->csv.line, c->csv.count, c->field_count);
    memset(c->field, 0, sizeof c->field);
    for (unsigned i = 0; i < c->field_count; i++)
        if (c->place[i] >= 0)
            c->field[c->place[i]] = c->csv.fields[i];
    c->row_differs = false;
    if (!(accesses ? compare_access(c) : compare_launch(c)))
        return false;
    c->rows += !c->partial;
    c->differ += c->row_differs;
    return true;
}

int command_compare(const struct options *options, FILE *out, struct problem *problem)
{
    struct text text;
    bool accesses = false;
    if (!text_read_file(&text, options->operands[0], FILE_LIMIT, problem))
        return EXIT_TROUBLE;
    struct comparison *c = memory_take(1, sizeof *c);
    c->out = out;
    c->problem = problem;
    c->format = options->format;
    c->device = options->scenario.device;
    c->workers = options_workers(options);
    csv_open(&c->csv, &text.source);
    if (c->format != FORMAT_TEXT)
        stream_begin(&c->stream, c->format, columns, sizeof columns / sizeof *columns, out);
    progress_begin(&c->progress, "compare");
    interrupt_begin();
    bool ok = read_header(c, &accesses);
    for (const char *row = c->csv.at; ok && !c->partial && csv_next(&c->csv, problem); row = c->csv.at) {
        double size = (double)text.source.size;
        c->progress.from = (double)(row - text.source.bytes) / size;
        c->progress.to = (double)(c->csv.at - text.source.bytes) / size;
        c->partial = interrupt_asked();
        ok = c->partial || compare_row(c, accesses);
        progress_show(&c->progress, 1, 1);
    }
    progress_clear(&c->progress);
    interrupt_end();
    ok = ok && !problem->set;
    if (ok && c->partial)
        (void)fprintf(c->format == FORMAT_TEXT ? out : stderr,
                      "partial: Ctrl-C ended this; line %" PRIu64 " and what follows it were not compared\n",
                      c->csv.line);
    if (ok && !c->values && !c->partial)
        ok = problem_say(problem, "%s has no measured value that could be compared", c->csv.name);
    if (c->format != FORMAT_TEXT)
        stream_finish(&c->stream);
    else if (ok)
        (void)fprintf(out, "%" PRIu64 " rows, %" PRIu64 " differ\n", c->rows, c->differ);
    int code = !ok ? EXIT_TROUBLE : c->partial ? EXIT_INTERRUPTED : c->differ ? EXIT_NO : EXIT_FINE;
    csv_close(&c->csv);
    text_close(&text);
    free(c);
    return code;
}

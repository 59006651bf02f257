/* cmd_trace.c - every access of a block, lane by lane. */
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "../base/progress.h"
#include "../base/text.h"
#include "../sim/count/tally.h"
#include "../sim/model/sector.h"
#include "../sim/report/device_columns.h"
#include "../sim/report/matrix.h"
#include "command.h"
#include "operand.h"
#include "report.h"

static const struct column columns[] = {
    {"step", NULL},       {"block_x", NULL},    {"block_y", NULL}, {"block_z", NULL},  {"warp", NULL},
    {"site", NULL},       {"line", NULL},       {"visit", NULL},   {"op", NULL},       {"space", NULL},
    {"buffer", NULL},     {"lane_bytes", NULL}, {"lane", "lane"},  {"thread_x", "tx"}, {"thread_y", "ty"},
    {"thread_z", NULL},   {"active", "active"}, {"row", "row"},    {"col", "col"},     {"byte", "byte"},
    {"sector", "sector"}, {"word", "word"},     {"bank", "bank"},  {"fault", "fault"}, DEVICE_COLUMNS,
    {"assumed", NULL},
};

enum { COLUMNS = sizeof columns / sizeof *columns };

struct trace {
    const struct options *options;
    const struct scenario *scenario;
    struct stream stream; /* csv, json */
    FILE *out;
    uint64_t shown;
    uint64_t faults;
    struct progress progress;
    bool filtered;
    bool cut;  /* by --limit */
    bool stop; /* that, or the output cannot be written */
};

static bool passes(const struct range_filter *filter, uint64_t value)
{
    return !filter->given || (value >= filter->first && value <= filter->last);
}

static const char *fault_of(const struct access *access, unsigned lane)
{
    if (access->out_of_bounds >> lane & 1)
        return "out of bounds";
    if (access->misaligned >> lane & 1)
        return "misaligned";
    if (access->uninitialized >> lane & 1)
        return "unset";
    return access->hazard >> lane & 1 ? "race" : "";
}

struct lane_view {
    uint32_t tx, ty, tz;
    bool present, active, has_element;
    int64_t row, col, byte;
};

static struct lane_view view_lane(const struct trace *trace, const struct access *access, unsigned lane)
{
    const struct launch *launch = &trace->scenario->launch;
    uint32_t id = access->warp * 32 + lane;
    struct lane_view view = {.tx = id % launch->block[0],
                             .ty = id / launch->block[0] % launch->block[1],
                             .tz = id / launch->block[0] / launch->block[1],
                             .present = id < launch_threads(launch),
                             .active = access->mask >> lane & 1,
                             .byte = access_offset(access, lane)};
    view.has_element = scenario_element(trace->scenario, access, lane, &view.row, &view.col);
    return view;
}

static void stream_lane(struct trace *trace, const struct access *access, unsigned lane)
{
    struct stream *stream = &trace->stream;
    struct lane_view view = view_lane(trace, access, lane);
    bool shared = access->site->kind->space == SPACE_SHARED;
    if (!view.present)
        return;
    stream_integer(stream, (int64_t)access->step);
    for (int i = 0; i < 3; i++)
        stream_integer(stream, access->block[i]);
    stream_integer(stream, access->warp);
    stream_integer(stream, access->site->id);
    stream_integer(stream, access->site->line);
    stream_integer(stream, access->visit);
    stream_text(stream, access->site->kind->op_name);
    stream_text(stream, shared ? "shared" : "global");
    stream_text(stream, scenario_buffer_name(trace->scenario, access));
    stream_integer(stream, access->site->lane_bytes);
    stream_integer(stream, lane);
    stream_integer(stream, view.tx);
    stream_integer(stream, view.ty);
    stream_integer(stream, view.tz);
    stream_integer(stream, view.active);
    if (view.has_element) {
        stream_integer(stream, view.row);
        stream_integer(stream, view.col);
    } else {
        stream_absent(stream);
        stream_absent(stream);
    }
    if (view.active) {
        int64_t address = view.byte + access->misalignment;
        stream_integer(stream, view.byte);
        if (shared)
            stream_absent(stream);
        else
            stream_integer(stream, unit_of(address, SECTOR_BYTES));
        stream_integer(stream, unit_of(address, BANK_BYTES));
        if (shared)
            stream_integer(stream, bank_of(view.byte));
        else
            stream_absent(stream);
        stream_text(stream, fault_of(access, lane));
    } else {
        for (int i = 0; i < 4; i++)
            stream_absent(stream);
        stream_text(stream, "");
    }
    stream_device(stream, trace->scenario->device);
    if (*trace->scenario->assumed)
        stream_text(stream, trace->scenario->assumed);
    else
        stream_absent(stream);
}

static void print_lane(const struct trace *trace, const struct access *access, unsigned lane)
{
    struct lane_view view = view_lane(trace, access, lane);
    bool shared = access->site->kind->space == SPACE_SHARED;
    if (!view.present)
        return;
    (void)fprintf(trace->out, "    lane %2u  thread (%u,%u,%u)  ", lane, view.tx, view.ty, view.tz);
    if (!view.active) {
        (void)fputs("inactive\n", trace->out);
        return;
    }
    if (view.has_element)
        (void)fprintf(trace->out, "element (%" PRId64 ",%" PRId64 ")  ", view.row, view.col);
    int64_t address = view.byte + access->misalignment;
    (void)fprintf(trace->out, "byte %" PRId64 "  ", view.byte);
    if (shared)
        (void)fprintf(trace->out, "word %" PRId64 "  bank %u", unit_of(view.byte, BANK_BYTES),
                      bank_of(view.byte));
    else
        (void)fprintf(trace->out, "sector %" PRId64, unit_of(address, SECTOR_BYTES));
    const char *fault = fault_of(access, lane);
    (void)fprintf(trace->out, "%s%s\n", *fault ? "  " : "", fault);
}

/* The file of a compiled access; the device part goes to a compiler under a name of its own. */
static const char *origin_of(const struct scenario *s, const struct site *site)
{
    const char *slash = strrchr(site->origin_file, '/');
    bool is_part =
        s->compiled.compiler && strcmp(slash ? slash + 1 : site->origin_file, DEVICE_PART_FILE) == 0;
    return is_part ? s->text.name : site->origin_file;
}

static void print_access(const struct trace *trace, const struct access *access)
{
    const struct site *site = access->site;
    struct access_cost cost = access_cost_of(access);
    (void)fprintf(trace->out, "step %" PRIu64 ": block (%u,%u,%u) warp %u, site %u, line %d: %s %.*s\n",
                  access->step, access->block[0], access->block[1], access->block[2], access->warp, site->id,
                  site->line, site->kind->op_name, (int)(site->place.end - site->place.begin),
                  site->place.source->bytes + site->place.begin);
    if (site->origin_file)
        (void)fprintf(trace->out, "    compiled from %s, line %d\n", origin_of(trace->scenario, site),
                      site->origin_line);
    if (site->atomic == ATOMIC_EMULATED)
        (void)fprintf(trace->out,
                      "    %d of 32 lanes, %u bytes each: a loop of the compiler's, not predicted\n",
                      __builtin_popcount(access->mask), site->lane_bytes);
    else
        (void)fprintf(trace->out, "    %d of 32 lanes, %u bytes each: %u %s, ideal %u\n",
                      __builtin_popcount(access->mask), site->lane_bytes, cost.units,
                      cost.units == 1 ? site->kind->unit : site->kind->units, cost.ideal);
}

static void take_access(void *self, const struct access *access)
{
    struct trace *trace = self;
    const struct options *o = trace->options;
    bool passing = passes(&o->at_warp, access->warp) && passes(&o->at_site, access->site->id) &&
                   passes(&o->at_step, access->step);
    trace->cut = passing && o->limit && trace->shown == o->limit;
    trace->stop = trace->cut || ferror(trace->out);
    if (trace->stop)
        return;
    trace->faults += (access->out_of_bounds | access->misaligned | access->hazard) != 0;
    if (trace->filtered)
        progress_count(&trace->progress, access->step + 1, "accesses", 0);
    else
        progress_count(&trace->progress, trace->shown, "accesses", o->limit);
    if (!passing)
        return;
    trace->shown++;
    if (o->format == FORMAT_TEXT)
        print_access(trace, access);
    for (unsigned lane = 0; lane < 32; lane++) {
        if (o->format == FORMAT_TEXT)
            print_lane(trace, access, lane);
        else
            stream_lane(trace, access, lane);
    }
}

static bool choose_block(const struct options *o, const struct launch *launch, uint32_t block[3],
                         struct problem *problem)
{
    for (unsigned i = 0; i < 3; i++) {
        block[i] = i < o->at_block.count ? o->at_block.size[i] : 0;
        if (block[i] >= launch->grid[i])
            return problem_say(problem, "block (%u,%u,%u) lies outside the grid of %u x %u x %u",
                               o->at_block.size[0], i < 1 ? 0 : o->at_block.size[1],
                               i < 2 ? 0 : o->at_block.size[2], launch->grid[0], launch->grid[1],
                               launch->grid[2]);
    }
    return true;
}

/* The last words of a trace that is not whole: in text where it breaks off, otherwise beside the rows. */
static void say_cut(const struct trace *trace)
{
    bool text = trace->options->format == FORMAT_TEXT;
    (void)fflush(trace->out);
    (void)fprintf(text ? trace->out : stderr,
                  "%scut after %" PRIu64
                  " accesses, the --limit; what follows was not run. --limit N shows more (0: "
                  "all), --at-warp, --at-site and --at-step show less\n",
                  text ? "\n" : "lanescope: ", trace->shown);
}

static int run(struct trace *trace, struct problem *problem)
{
    uint32_t block[3];
    const struct options *o = trace->options;
    if (!choose_block(o, &trace->scenario->launch, block, problem))
        return EXIT_TROUBLE;
    struct execution *execution =
        execution_new(trace->scenario->program, &trace->scenario->launch, true, problem);
    if (!execution)
        return EXIT_TROUBLE;
    if (o->format == FORMAT_TEXT)
        report_data(trace->scenario, trace->out);
    else
        stream_begin(&trace->stream, o->format, columns, COLUMNS, trace->out);
    struct sink sink = {.self = trace, .access = take_access, .stop = &trace->stop};
    progress_begin(&trace->progress, "trace");
    trace->progress.on =
        trace->progress.on && !isatty(fileno(trace->out)); /* there the trace itself is seen */
    trace->filtered = o->at_warp.given || o->at_site.given || o->at_step.given;
    bool ok = execution_run_block(execution, block, &sink, problem) || trace->stop;
    progress_clear(&trace->progress);
    if (o->format != FORMAT_TEXT)
        stream_finish(&trace->stream);
    if (trace->cut)
        say_cut(trace);
    struct noticed noticed = execution_noticed(execution);
    bool overflow = report_overflow(&noticed);
    execution_free(execution);
    if (ok && !trace->shown)
        (void)fprintf(stderr, "lanescope: no access of block (%u,%u,%u) passes these filters\n", block[0],
                      block[1], block[2]);
    if (trace->faults)
        (void)fprintf(stderr,
                      "lanescope: %" PRIu64 " accesses have lanes out of bounds, misaligned or in a race\n",
                      trace->faults);
    return !ok ? EXIT_TROUBLE : overflow || trace->faults ? EXIT_NO : EXIT_FINE;
}

int command_trace(const struct options *options, FILE *out, struct problem *problem)
{
    struct text text;
    struct scenario scenario;
    int code = EXIT_TROUBLE;
    if (!operand_open(&text, options->operands[0], problem))
        return EXIT_TROUBLE;
    struct scenario_options all = options->scenario;
    all.assume = true;
    if (scenario_open(&scenario, &text.source, &all, problem)) {
        report_passed_over(&scenario);
        report_launch(&scenario, options->format == FORMAT_TEXT, out);
        struct trace trace = {.options = options, .scenario = &scenario, .out = out};
        code = run(&trace, problem);
        scenario_close(&scenario);
    }
    text_close(&text);
    return code;
}

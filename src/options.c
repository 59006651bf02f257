#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"

struct option_row {
    enum option_id id;
    const char *name;
    char letter;          /* 0: none */
    const char *argument; /* NULL: takes none */
    const char *help;
};

static const struct option_row rows[] = {
    {OPTION_ROWS, "rows", 'm', "N", "rows of the input matrix (default 100)"},
    {OPTION_COLS, "cols", 'n', "N", "columns of the input matrix (default 70)"},
    {OPTION_TILE, "tile", 't', "N", "TILE, the tile's edge in elements (ladder: 32)"},
    {OPTION_BLOCK_ROWS, "block-rows", 'b', "N",
     "BLOCK_ROWS, rows of threads in a block (ladder: 8, at most TILE)"},
    {OPTION_PITCH, "pitch", 'p', "N[,N]",
     "PITCH, elements from one tile row to the next (banks takes several)"},
    {OPTION_ELEM, "elem", 'e', "BYTES", "bytes of an element: 1, 2, 4, 8 or 16 (default 4)"},
    {OPTION_IN_OFFSET, "in-offset", 0, "N", "elements that the input begins past a 256-byte boundary"},
    {OPTION_OUT_OFFSET, "out-offset", 0, "N", "elements that the output begins past a 256-byte boundary"},
    {OPTION_DEVICE, "device", 0, "SM", "architecture, sm_70 to sm_121 (default sm_90)"},
    {OPTION_DEFINE, "define", 'D', "NAME=VALUE", "define a macro"},
    {OPTION_KERNEL, "kernel", 0, "NAME",
     "which __global__ function of the file; one of several of a name: NAME:LINE"},
    {OPTION_BLOCK, "block", 0, "XxYxZ", "threads of a block, instead of the file's `// block:` line"},
    {OPTION_GRID, "grid", 0, "XxYxZ", "blocks of the grid, instead of the file's `// grid:` line"},
    {OPTION_ARG, "arg", 0, "NAME=FORMULA", "a scalar parameter's value; rows and cols may be used"},
    {OPTION_SHARED, "shared", 0, "BYTES", "bytes of extern __shared__ memory"},
    {OPTION_REGISTERS, "registers", 0, "N",
     "registers a thread, for occupancy (default: taken not to limit)"},
    {OPTION_BUDGET, "budget", 0, "N",
     "interpreter steps a warp may take in a block before it is called endless"},
    {OPTION_TIME_LIMIT, "time-limit", 0, "SECONDS",
     "time a warp may take between barriers before it is called endless; 0 for any (default 10)"},
    {OPTION_IN, "in", 0, "NAME", "the parameter that is the input (default: the first that is only read)"},
    {OPTION_OUT, "out", 0, "NAME", "the parameter that is the output (default: the first that is written)"},
    {OPTION_TASK, "task", 0, "transpose|copy", "what is right: out[j][i] = in[i][j], or out = in"},
    {OPTION_LANES, "lanes", 'l', NULL, "lane by lane"},
    {OPTION_METRICS, "metrics", 0, NULL, "name the hardware counter behind each column"},
    {OPTION_AT_BLOCK, "at-block", 0, "X,Y,Z", "only this block (default 0,0,0)"},
    {OPTION_AT_WARP, "at-warp", 0, "N[-N]", "only these warps of the block"},
    {OPTION_AT_SITE, "at-site", 0, "N[-N]", "only these access sites"},
    {OPTION_AT_STEP, "at-step", 0, "N[-N]", "only these steps of the block"},
    {OPTION_LIMIT, "limit", 0, "N", "accesses to show, 0 for all (default 10000)"},
    {OPTION_SPACE, "space", 0, "shared|global", "memory that is accessed (default shared)"},
    {OPTION_OP, "op", 0, "load|store", "direction (default load)"},
    {OPTION_LANE_BYTES, "lane-bytes", 0, "N", "bytes that a lane moves: 1, 2, 4, 8 or 16 (default 4)"},
    {OPTION_INDEX_BYTES, "index-bytes", 0, "N", "bytes of one step of the index (default: the lane bytes)"},
    {OPTION_BASE, "base", 0, "BYTES", "added to every address"},
    {OPTION_BLOCK_IDX, "block-idx", 0, "XxYxZ", "blockIdx (default 0x0x0)"},
    {OPTION_ACTIVE, "active", 0, "CONDITION", "lanes that take part, for example 'lane < 16'"},
    {OPTION_MODULUS, "modulus", 'm', "N", "the modulus m, 1 to 128 (default 16)"},
    {OPTION_STRIDE, "stride", 'a', "N", "the step a, 0 to 1024 (default 1)"},
    {OPTION_CONFIGS, "configs", 0, "FILE.csv",
     "the configurations to confirm, one a row, as compare reads them"},
    {OPTION_RANDOM, "random", 0, "N", "this many random configurations instead of the built-in ones"},
    {OPTION_SEED, "seed", 0, "N", "what random configurations, blocks and patterns begin with (default 1)"},
    {OPTION_COUNTERS, "counters", 0, NULL, "also hardware counters, through Nsight Compute"},
    {OPTION_RECORD, "record", 0, "FILE.csv", "write the counters as a table for lanescope compare"},
    {OPTION_RECORD_ACCESSES, "record-accesses", 0, "FILE.csv",
     "measure single accesses instead, and write them as a table for lanescope compare"},
    {OPTION_PATTERNS, "patterns", 0, "FILE.csv", "the accesses to measure (default: --random of them)"},
    {OPTION_LAUNCH_ONLY, "launch-only", 0, NULL, "launch each once and check nothing: for a profiler"},
    {OPTION_FORMAT, "format", 'f', "text|csv|json", "how to print (default text)"},
    {OPTION_OUTPUT, "output", 'o', "FILE", "write there instead of to the standard output"},
    {OPTION_COLOR, "color", 0, "auto|always|never", "colours in text (default auto; NO_COLOR is honoured)"},
    {OPTION_HELP, "help", 'h', NULL, "this help"},
};

enum { TRACE_LIMIT = 10000 };

enum { ROW_COUNT = sizeof rows / sizeof *rows };

const char *option_name(enum option_id id)
{
    for (size_t i = 0; i < ROW_COUNT; i++)
        if (rows[i].id == id)
            return rows[i].name;
    return "";
}

static const struct option_row *row_of(enum option_id id)
{
    for (size_t i = 0; i < ROW_COUNT; i++)
        if (rows[i].id == id)
            return &rows[i];
    return NULL;
}

const char *option_argument(enum option_id id)
{
    return row_of(id)->argument;
}

void options_print_help(const enum option_id *ids, FILE *out)
{
    for (; *ids; ids++) {
        const struct option_row *row = row_of(*ids);
        char left[64];
        (void)snprintf(left, sizeof left, "%c%c%s--%s%s%s", row->letter ? '-' : ' ',
                       row->letter ? row->letter : ' ', row->letter ? ", " : "  ", row->name,
                       row->argument ? " " : "", row->argument ? row->argument : "");
        (void)fprintf(out, "  %-32s %s\n", left, row->help);
    }
}

static void set_defaults(struct options *o)
{
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    *o = (struct options){
        .lane_bytes = 4, .space = SPACE_SHARED, .modulus = 16, .stride = 1, .limit = TRACE_LIMIT};
    o->confirm.seed = 1;
    o->patience.seconds = PATIENCE_SECONDS;
    o->scenario.rows = 100;
    o->scenario.cols = 70;
    o->scenario.device = device_find(DEVICE_DEFAULT);
    o->scenario.definition_name = "-D";
    o->scenario.argument_name = "--arg";
    o->color = isatty(STDOUT_FILENO) && !(no_color && *no_color) && term && strcmp(term, "dumb") != 0;
}

/* The tables that getopt_long wants, for the options of one command. */
static void fill(const enum option_id *ids, struct option *longs, char *shorts)
{
    *shorts++ = ':'; /* a missing value is told from an unknown option */
    for (; *ids; ids++) {
        const struct option_row *row = row_of(*ids);
        *longs++ = (struct option){row->name, row->argument ? required_argument : no_argument, NULL,
                                   256 + (int)row->id};
        if (row->letter) {
            *shorts++ = row->letter;
            if (row->argument)
                *shorts++ = ':';
        }
    }
    *longs = (struct option){0};
    *shorts = '\0';
}

/* Commands may give one letter to different options. */
static enum option_id id_of(const enum option_id *ids, int value)
{
    if (value >= 256)
        return (enum option_id)(value - 256);
    for (; *ids; ids++)
        if (row_of(*ids)->letter == value)
            return *ids;
    return OPTION_HELP;
}

bool options_parse(struct options *options, const struct command *command, int argc, char **argv,
                   struct problem *problem)
{
    struct option longs[OPTION_COUNT + 1];
    char shorts[2 * OPTION_COUNT + 4];
    int value;
    set_defaults(options);
    fill(command->options, longs, shorts);
    optind = 1;
    while ((value = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
        if (value == ':')
            return problem_say(problem, "%s needs a value; see lanescope %s --help", argv[optind - 1],
                               command->name);
        if (value == '?' && optopt >= 256)
            return problem_say(problem, "--%s takes no value", option_name(id_of(command->options, optopt)));
        if (value == '?' && optopt)
            return problem_say(
                problem,
                "-%c is no option of lanescope %s; see lanescope %s --help, and put -- before an "
                "operand that begins with -",
                optopt, command->name, command->name);
        if (value == '?')
            return problem_say(problem, "%s is no option of lanescope %s; see lanescope %s --help",
                               argv[optind - 1], command->name, command->name);
        if (!option_set(options, id_of(command->options, value), optarg, problem))
            return false;
    }
    for (; optind < argc; optind++) {
        if (options->operand_count == 4)
            return problem_say(problem, "%s: one operand too many", argv[optind]);
        options->operands[options->operand_count++] = argv[optind];
    }
    return true;
}

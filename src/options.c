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
    {OPTION_KERNEL, "kernel", 0, "NAME", "which __global__ function of the file"},
    {OPTION_BLOCK, "block", 0, "XxYxZ", "threads of a block, instead of the file's `// block:` line"},
    {OPTION_GRID, "grid", 0, "XxYxZ", "blocks of the grid, instead of the file's `// grid:` line"},
    {OPTION_ARG, "arg", 0, "NAME=FORMULA", "a scalar parameter's value; rows and cols may be used"},
    {OPTION_SHARED, "shared", 0, "BYTES", "bytes of extern __shared__ memory"},
    {OPTION_REGISTERS, "registers", 0, "N",
     "registers a thread, for occupancy (default: taken not to limit)"},
    {OPTION_BUDGET, "budget", 0, "N",
     "interpreter steps a warp may take in a block before it is called endless"},
    {OPTION_IN, "in", 0, "NAME", "the parameter that is the input (default: the first that is only read)"},
    {OPTION_OUT, "out", 0, "NAME", "the parameter that is the output (default: the first that is written)"},
    {OPTION_TASK, "task", 0, "transpose|copy", "what is right: out[j][i] = in[i][j], or out = in"},
    {OPTION_LANES, "lanes", 'l', NULL, "lane by lane"},
    {OPTION_METRICS, "metrics", 0, NULL, "name the hardware counter behind each column"},
    {OPTION_AT_BLOCK, "at-block", 0, "X,Y,Z", "only this block (default 0,0,0)"},
    {OPTION_AT_WARP, "at-warp", 0, "N[-N]", "only these warps of the block"},
    {OPTION_AT_SITE, "at-site", 0, "N[-N]", "only these access sites"},
    {OPTION_AT_STEP, "at-step", 0, "N[-N]", "only these steps of the block"},
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

bool parse_number(const char *text, uint64_t low, uint64_t high, uint64_t *value)
{
    char *end;
    if (*text < '0' || *text > '9')
        return false;
    bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    errno = 0;
    unsigned long long number = strtoull(text, &end, hex ? 16 : 10);
    if (errno || *end || number < low || number > high)
        return false;
    *value = number;
    return true;
}

bool parse_shape(const char *text, uint32_t low, struct shape *shape)
{
    *shape = (struct shape){.size = {1, 1, 1}};
    for (unsigned i = 0; i < 3; i++) {
        char part[16];
        size_t length = strcspn(text, "x,");
        uint64_t value;
        if (length == 0 || length >= sizeof part)
            return false;
        memcpy(part, text, length);
        part[length] = '\0';
        if (!parse_number(part, low, UINT32_MAX, &value))
            return false;
        shape->size[i] = (uint32_t)value;
        shape->count = i + 1;
        text += length;
        if (!*text)
            return true;
        text++;
    }
    return false;
}

static bool parse_range(const char *text, struct range_filter *range)
{
    char first[32];
    const char *dash = strchr(text, '-');
    size_t length = dash ? (size_t)(dash - text) : strlen(text);
    if (length >= sizeof first)
        return false;
    memcpy(first, text, length);
    first[length] = '\0';
    range->given = true;
    return parse_number(first, 0, UINT64_MAX, &range->first) &&
           parse_number(dash ? dash + 1 : first, range->first, UINT64_MAX, &range->last);
}

static bool bad(struct problem *problem, enum option_id id, const char *text, const char *right)
{
    return problem_say(problem, "--%s takes %s, not '%s'", option_name(id), right, text);
}

static bool number32(struct problem *problem, enum option_id id, const char *text, uint32_t low,
                     uint32_t high, uint32_t *value)
{
    uint64_t number;
    char right[80];
    if (parse_number(text, low, high, &number)) {
        *value = (uint32_t)number;
        return true;
    }
    (void)snprintf(right, sizeof right, "a whole number from %u to %u", low, high);
    return bad(problem, id, text, right);
}

static bool number64(struct problem *problem, enum option_id id, const char *text, uint64_t high,
                     uint64_t *value)
{
    char right[80];
    if (parse_number(text, 0, high, value))
        return true;
    (void)snprintf(right, sizeof right, "a whole number from 0 to %" PRIu64, high);
    return bad(problem, id, text, right);
}

static bool width(struct problem *problem, enum option_id id, const char *text, unsigned *value)
{
    uint64_t number;
    if (!parse_number(text, 1, 16, &number) || (number & (number - 1)))
        return bad(problem, id, text, "1, 2, 4, 8 or 16");
    *value = (unsigned)number;
    return true;
}

static bool pitches(struct options *o, const char *text, struct problem *problem)
{
    o->pitch_count = 0;
    while (*text) {
        char part[16];
        size_t length = strcspn(text, ",");
        if (o->pitch_count == OPTION_PITCH_LIMIT || length >= sizeof part)
            return bad(problem, OPTION_PITCH, text, "at most 16 numbers with commas between them");
        memcpy(part, text, length);
        part[length] = '\0';
        if (!number32(problem, OPTION_PITCH, part, 1, 1 << 24, &o->pitches[o->pitch_count++]))
            return false;
        text += length;
        if (*text == ',' && !*++text)
            return bad(problem, OPTION_PITCH, ",", "a number after each comma");
    }
    if (!o->pitch_count)
        return bad(problem, OPTION_PITCH, text, "a number");
    o->scenario.pitch = o->pitches[0];
    return true;
}

static bool device(struct options *o, const char *text, struct problem *problem)
{
    char names[200] = "";
    o->scenario.device = device_find(text);
    if (o->scenario.device)
        return true;
    for (size_t i = 0; i < device_count; i++) {
        size_t used = strlen(names);
        (void)snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "one of ", devices[i].name);
    }
    return bad(problem, OPTION_DEVICE, text, names);
}

static bool choice(struct problem *problem, enum option_id id, const char *text, const char *const *words,
                   unsigned count, unsigned *index)
{
    for (*index = 0; *index < count; ++*index)
        if (strcmp(text, words[*index]) == 0)
            return true;
    return bad(problem, id, text, row_of(id)->argument);
}

static bool signed_number(struct problem *problem, enum option_id id, const char *text, int64_t *value)
{
    uint64_t number;
    bool negative = *text == '-';
    if (!parse_number(text + negative, 0, UINT64_C(1) << 46, &number))
        return bad(problem, id, text, "a number of bytes");
    *value = negative ? -(int64_t)number : (int64_t)number;
    return true;
}

static bool shape_option(struct problem *problem, enum option_id id, const char *text, uint32_t low,
                         struct shape *shape)
{
    if (parse_shape(text, low, shape))
        return true;
    return bad(problem, id, text, "one to three numbers such as 32x8");
}

static bool add_text(struct problem *problem, enum option_id id, const char **list, unsigned *count,
                     const char *text)
{
    if (*count == SCENARIO_TEXT_LIMIT)
        return problem_say(problem, "--%s can be given at most %u times", option_name(id),
                           SCENARIO_TEXT_LIMIT);
    list[(*count)++] = text;
    return true;
}

static bool set_choice(struct options *o, enum option_id id, const char *text, struct problem *problem)
{
    static const char *const tasks[] = {"transpose", "copy"}, *const spaces[] = {"global", "shared"};
    static const char *const ops[] = {"load", "store"}, *const formats[] = {"text", "csv", "json"};
    static const char *const colors[] = {"auto", "always", "never"};
    unsigned i = 0;
    switch (id) {
    case OPTION_TASK:
        if (!choice(problem, id, text, tasks, 2, &i))
            return false;
        o->scenario.task = i ? TASK_COPY : TASK_TRANSPOSE;
        return true;
    case OPTION_SPACE:
        if (!choice(problem, id, text, spaces, 2, &i))
            return false;
        o->space = i ? SPACE_SHARED : SPACE_GLOBAL;
        return true;
    case OPTION_OP:
        if (!choice(problem, id, text, ops, 2, &i))
            return false;
        o->op = i ? ACCESS_STORE : ACCESS_LOAD;
        return true;
    case OPTION_FORMAT:
        if (!choice(problem, id, text, formats, 3, &i))
            return false;
        o->format = (enum format)i;
        return true;
    default:
        if (!choice(problem, id, text, colors, 3, &i))
            return false;
        if (i)
            o->color = i == 1;
        return true;
    }
}

static bool set(struct options *o, enum option_id id, const char *text, struct problem *problem)
{
    struct scenario_options *s = &o->scenario;
    switch (id) {
    case OPTION_ROWS:
        o->rows_given = true;
        return number32(problem, id, text, 1, INT32_MAX, &s->rows);
    case OPTION_COLS:
        o->cols_given = true;
        return number32(problem, id, text, 1, INT32_MAX, &s->cols);
    case OPTION_TILE:
        return number32(problem, id, text, 1, 1024, &s->tile);
    case OPTION_BLOCK_ROWS:
        return number32(problem, id, text, 1, 1024, &s->block_rows);
    case OPTION_PITCH:
        return pitches(o, text, problem);
    case OPTION_ELEM:
        o->elem_given = true;
        return width(problem, id, text, &s->elem_bytes);
    case OPTION_IN_OFFSET:
        return number64(problem, id, text, UINT64_C(1) << 40, &s->in_offset);
    case OPTION_OUT_OFFSET:
        return number64(problem, id, text, UINT64_C(1) << 40, &s->out_offset);
    case OPTION_DEVICE:
        return device(o, text, problem);
    case OPTION_DEFINE:
        return add_text(problem, id, s->definitions, &s->definition_count, text);
    case OPTION_KERNEL:
        s->kernel = text;
        return true;
    case OPTION_IN:
        s->in = text;
        return true;
    case OPTION_OUT:
        s->out = text;
        return true;
    case OPTION_BLOCK:
        return shape_option(problem, id, text, 1, &s->block);
    case OPTION_GRID:
        return shape_option(problem, id, text, 1, &s->grid);
    case OPTION_ARG:
        return add_text(problem, id, s->arguments, &s->argument_count, text);
    case OPTION_SHARED:
        return number64(problem, id, text, UINT64_C(1) << 31, &s->dynamic_shared);
    case OPTION_REGISTERS:
        return number32(problem, id, text, 1, 255, &o->registers);
    case OPTION_BUDGET:
        return number64(problem, id, text, UINT64_C(1) << 50, &s->budget);
    case OPTION_LANES:
        return o->lanes = true;
    case OPTION_METRICS:
        return o->metrics = true;
    case OPTION_AT_BLOCK:
        return shape_option(problem, id, text, 0, &o->at_block);
    case OPTION_AT_WARP:
        return parse_range(text, &o->at_warp) || bad(problem, id, text, "a number, or two with a dash");
    case OPTION_AT_SITE:
        return parse_range(text, &o->at_site) || bad(problem, id, text, "a number, or two with a dash");
    case OPTION_AT_STEP:
        return parse_range(text, &o->at_step) || bad(problem, id, text, "a number, or two with a dash");
    case OPTION_LANE_BYTES:
        return width(problem, id, text, &o->lane_bytes);
    case OPTION_INDEX_BYTES:
        return parse_number(text, 1, UINT64_C(1) << 32, &o->index_bytes) ||
               bad(problem, id, text, "a number of bytes from 1 to 4294967296");
    case OPTION_BASE:
        return signed_number(problem, id, text, &o->base);
    case OPTION_BLOCK_IDX:
        return shape_option(problem, id, text, 0, &o->block_idx);
    case OPTION_ACTIVE:
        o->active = text;
        return true;
    case OPTION_MODULUS:
        return number32(problem, id, text, 1, 128, &o->modulus);
    case OPTION_STRIDE:
        return number32(problem, id, text, 0, 1024, &o->stride);
    case OPTION_CONFIGS:
        o->confirm.configs = text;
        return true;
    case OPTION_RANDOM:
        return number64(problem, id, text, 1000000, &o->confirm.random);
    case OPTION_SEED:
        return number64(problem, id, text, UINT64_MAX, &o->confirm.seed);
    case OPTION_COUNTERS:
        return o->confirm.counters = true;
    case OPTION_RECORD:
        o->confirm.record = text;
        return true;
    case OPTION_RECORD_ACCESSES:
        o->confirm.record_accesses = text;
        return true;
    case OPTION_PATTERNS:
        o->confirm.patterns = text;
        return true;
    case OPTION_LAUNCH_ONLY:
        return o->confirm.launch_only = true;
    case OPTION_OUTPUT:
        o->output = text;
        return true;
    case OPTION_HELP:
        return o->help = true;
    default:
        return set_choice(o, id, text, problem);
    }
}

static void set_defaults(struct options *o)
{
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    *o = (struct options){.lane_bytes = 4, .space = SPACE_SHARED, .modulus = 16, .stride = 1};
    o->confirm.seed = 1;
    o->scenario.rows = 100;
    o->scenario.cols = 70;
    o->scenario.device = device_find(DEVICE_DEFAULT);
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
        if (!set(options, id_of(command->options, value), optarg, problem))
            return false;
    }
    for (; optind < argc; optind++) {
        if (options->operand_count == 4)
            return problem_say(problem, "%s: one operand too many", argv[optind]);
        options->operands[options->operand_count++] = argv[optind];
    }
    return true;
}

/* options.h - the command line: one table of options, one of commands.
 *
 * Both tables drive parsing, `--help` and the shell completion; a new option is one row here and its case in
 * options.c, a new command is one row in command.c.
 */
#ifndef LANESCOPE_OPTIONS_H
#define LANESCOPE_OPTIONS_H

#include "../base/parse_number.h"
#include "../sim/report/scenario.h"
#include "exit_code.h"
#include "patience.h"
#include "../base/table.h"

enum option_id {
    OPTION_ROWS = 1,
    OPTION_COLS,
    OPTION_TILE,
    OPTION_BLOCK_ROWS,
    OPTION_PITCH,
    OPTION_ELEM,
    OPTION_IN_OFFSET,
    OPTION_OUT_OFFSET,
    OPTION_DEVICE,
    OPTION_DEFINE,
    OPTION_KERNEL,
    OPTION_BLOCK,
    OPTION_GRID,
    OPTION_ARG,
    OPTION_SHARED,
    OPTION_REGISTERS,
    OPTION_BUDGET,
    OPTION_TIME_LIMIT,
    OPTION_TASK,
    OPTION_IN,
    OPTION_OUT,
    OPTION_LANES,
    OPTION_METRICS,
    OPTION_AT_BLOCK,
    OPTION_AT_WARP,
    OPTION_AT_SITE,
    OPTION_AT_STEP,
    OPTION_LIMIT,
    OPTION_SPACE,
    OPTION_OP,
    OPTION_LANE_BYTES,
    OPTION_INDEX_BYTES,
    OPTION_BASE,
    OPTION_BLOCK_IDX,
    OPTION_ACTIVE,
    OPTION_MODULUS,
    OPTION_STRIDE,
    OPTION_CONFIGS,
    OPTION_RANDOM,
    OPTION_SEED,
    OPTION_COUNTERS,
    OPTION_RECORD,
    OPTION_RECORD_ACCESSES,
    OPTION_PATTERNS,
    OPTION_LAUNCH_ONLY,
    OPTION_FORMAT,
    OPTION_OUTPUT,
    OPTION_COLOR,
    OPTION_HELP,
    OPTION_COUNT
};

#define OPTION_PITCH_LIMIT 16u

struct range_filter { /* "3" or "2-5" or absent */
    bool given;
    uint64_t first, last;
};

struct options {
    struct scenario_options scenario;
    uint32_t pitches[OPTION_PITCH_LIMIT];
    unsigned pitch_count;
    unsigned registers;
    bool lanes;   /* lane by lane */
    bool metrics; /* name the counters */
    struct shape at_block, block_idx;
    struct range_filter at_warp, at_site, at_step;
    uint64_t limit; /* accesses that are shown; 0: all */
    enum memory_space space;
    enum access_op op;
    unsigned lane_bytes;
    uint64_t index_bytes;
    int64_t base;
    const char *active;
    unsigned modulus, stride;                                      /* of the modular lab */
    struct {                                                       /* confirm */
        const char *configs, *record, *record_accesses, *patterns; /* files; NULL: not asked for */
        uint64_t random;                                           /* configurations; 0: not asked for */
        uint64_t seed;
        bool counters, launch_only;
    } confirm;
    struct patience patience; /* scenario.watch, once the command line is read */
    enum format format;
    const char *output; /* NULL: standard output */
    bool color;
    bool help;
    bool rows_given, cols_given, elem_given;
    const char *operands[4]; /* RUNG, FILE, INDEX */
    unsigned operand_count;
};

struct command;

/* Parses what follows the command's name. False after filling the problem. */
bool options_parse(struct options *options, const struct command *command, int argc, char **argv,
                   struct problem *problem);
void options_print_help(const enum option_id *ids, FILE *out);
const char *option_name(enum option_id id); /* without the dashes */

const char *option_argument(enum option_id id); /* "N", "load|store"; NULL if it takes none */

/* option_values.c: gives an option its value. False after filling the problem. */
bool option_set(struct options *options, enum option_id id, const char *text, struct problem *problem);

/* "32x8", "2,1" or "7": one to three numbers. */
bool parse_shape(const char *text, uint32_t low, struct shape *shape);

#endif

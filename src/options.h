/* options.h - the command line, read.
 *
 * The table of options (option_table.c) and the table of commands (command.c) drive both parsing and
 * `--help`. A new option is one row of the first and its name in the lists of the second: see option_row.h.
 */
#ifndef LANESCOPE_OPTIONS_H
#define LANESCOPE_OPTIONS_H

#include "../base/table.h"
#include "../sim/report/audit.h"
#include "../sim/report/scenario.h"
#include "include_files.h"
#include "patience.h"
#include "via.h"

#define OPTION_PITCH_LIMIT   16u
#define OPTION_PATH_LIMIT    8u
#define OPTION_OPERAND_LIMIT 4u

/* What a picture shows (src/picture). */
enum picture_kind { KIND_COALESCING, KIND_BANKS, KIND_PUNCHCARD, KIND_OWNERS, KIND_LADDER, KIND_PITCHES };

struct range_filter { /* "3" or "2-5" or absent */
    bool given;
    uint64_t first, last;
};

struct options {
    struct scenario_options scenario;
    uint32_t pitches[OPTION_PITCH_LIMIT];
    unsigned pitch_count;
    unsigned registers;
    unsigned workers; /* threads; 0: not given */
    bool lanes;       /* lane by lane */
    bool metrics;     /* name the counters */
    bool enumerate;   /* every block */
    bool code;        /* of cycles: the kernel alone */
    bool compare;     /* of heatmap: two side by side */
    int picture_kind; /* of heatmap */
    struct audit_options audit;
    const char *assertion; /* of an audit; NULL: none */
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
        bool counters, launch_only, only_addresses, dry_run;
    } confirm;
    struct { /* bench */
        unsigned repeats, warmups;
        bool warm, pipeline, tune, no_model;
        const char *replay; /* a recorded table; NULL: measured here */
        const char *sizes;  /* "8192x8192,257x1000003"; NULL: rows and cols */
    } bench;
    struct { /* quiz */
        unsigned count;
        const char *topics; /* NULL: all */
        bool sheet, answers, json;
    } quiz;
    struct {                                   /* sweep */
        const char *axes[SCENARIO_TEXT_LIMIT]; /* NAME=VALUES */
        unsigned axis_count;
        const char *sort, *heatmap; /* columns; NULL: not given */
        bool best;
    } sweep;
    const char *include_folders[SCENARIO_TEXT_LIMIT];
    unsigned include_folder_count;
    int via;                       /* enum via */
    struct ways ways;              /* scenario.compiler, once the command line is read */
    struct include_files includes; /* scenario.includes, likewise */
    struct patience patience;      /* scenario.watch, once the command line is read */
    enum format format;
    const char *output; /* NULL: standard output */
    bool color;
    bool help;
    const char *operands[OPTION_OPERAND_LIMIT]; /* RUNG, FILE, INDEX */
    unsigned operand_count;
};

struct command;

/* Parses what follows the command's name. False after filling the problem. */
bool options_parse(struct options *options, const struct command *command, int argc, char **argv,
                   struct problem *problem);
/* The files that were named by options, not operands: those that are read, or those that are written. Returns
 * their number. */
unsigned options_paths(const struct options *options, bool written, const char *paths[OPTION_PATH_LIMIT]);

unsigned options_workers(const struct options *options); /* threads: as given, or one a processor */

void options_print_help(const char *const *names, FILE *out); /* the options of these names, NULL ends */

#endif

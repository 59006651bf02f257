/* confirm_run.h - what the files of `lanescope confirm` share: one run of the command.
 *
 * cuda/ confirms and measures and returns verdicts; what people and programs read of them is written here.
 * The run belongs to cmd_confirm.c, which frees what it points to.
 */
#ifndef LANESCOPE_CONFIRM_RUN_H
#define LANESCOPE_CONFIRM_RUN_H

#include "../base/output_file.h"
#include "../cuda/measure.h"
#include "../cuda/workers.h"
#include "command.h"

/* The argument by which a run under Nsight Compute only launches. */
#define CONFIRM_LAUNCH_ONLY "--launch-only"

enum { DIFFERENCES_SHOWN = 20 };

/* Configurations of one kernel and size. */
struct group {
    const char *name;
    uint32_t rows, cols;
    uint64_t configurations, cells, wrong, guard, owners, lanes, addresses, recorded, blocks;
};

struct confirm_run {
    const struct options *options;
    struct confirmer confirmer;
    const struct device *device; /* whose limits are simulated; NULL: not in the table, so the default */
    struct device named;         /* the real one, as tables name it */
    struct sweep sweep;
    struct group *groups;
    size_t group_count;
    struct group total;
    uint64_t differing; /* configurations */
    bool partial;       /* Ctrl-C ended it before all were confirmed */
    FILE *out;
    struct output_file record; /* the table of --record or --record-accesses */
    struct problem *problem;
};

/* confirm_table.c: the tables. In text each is printed by itself. For programs one document has both: rows of
 * a column `table`, "values" or "counters", in which a column of the other table is absent. */
void confirm_print_values(const struct confirm_run *run);
void confirm_print_counters(const struct confirm_run *run, const struct measurement *measurement);
/* csv and json; measurement NULL: the counters could not be measured. */
void confirm_print_both(const struct confirm_run *run, const struct measurement *measurement);

/* Device, driver, toolkit and rules: one line each, each after `before`. */
void confirm_print_device(const struct confirmer *confirmer, const char *before, FILE *out);

/* The comment lines that a recorded table begins with: the device's, then the date. */
void confirm_print_head(const struct confirmer *confirmer, FILE *out);

/* A configuration as a table of launches has it: the columns' names, or their values, without a newline. */
void confirm_print_columns(FILE *out);
void confirm_print_configuration(const struct configuration *configuration, FILE *out);

/* Where sentences go: to the output in text, beside the document that programs read otherwise. */
FILE *confirm_people(const struct confirm_run *run);

/* "differs: COLUMNS = VALUES", for people. Returns the stream, for what differs. */
FILE *confirm_say_differs(const struct confirm_run *run, const struct configuration *configuration);

/* How many single accesses were measured, how many differ: a sentence, or a table of one row. */
void confirm_print_accesses(const struct confirm_run *run, uint64_t accesses, uint64_t differ);

/* confirm_counters.c, confirm_accesses.c: measure, print, record. They return an exit code: EXIT_ABSENT where
 * the counters cannot be read here (the problem says why). */
int confirm_counters(struct confirm_run *run);
int confirm_accesses(struct confirm_run *run);

#endif

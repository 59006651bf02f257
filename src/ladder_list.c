#include "ladder_list.h"

#include <inttypes.h>

#include "../sim/report/rung.h"
#include "report.h"

/* Of a rung among all: those that a census may take it apart into, and those that may be run one by one. */
enum { MOST_REGIONS = 64, MOST_BLOCKS = 1 << 22 };

bool ladder_open_row(struct ladder_row *row, const struct source *source, const char *name,
                     const struct options *options, struct progress *progress, struct problem *problem)
{
    struct scenario_options all = options->scenario;
    row->name = name;
    all.any_grid = !options->enumerate;
    all.assume = options->operand_count > 0;
    if (!scenario_open(&row->scenario, source, &all, problem))
        return false;
    report_passed_over(&row->scenario);
    bool is_large = !options->operand_count && launch_blocks(&row->scenario.launch) > MOST_BLOCKS;
    const struct totals_how how = {.workers = options_workers(options),
                                   .registers = options->registers,
                                   .enumerate = options->enumerate,
                                   .most_regions = is_large ? MOST_REGIONS : 0,
                                   .most_blocks = is_large ? MOST_BLOCKS : 0,
                                   .progress = progress};
    return ladder_row_count(row, &how, true, problem);
}

bool ladder_open_rungs(struct ladder_row *ladder, size_t *done, const struct options *options,
                       struct progress *progress, struct problem *problem)
{
    bool ok = true;
    *done = 0;
    for (size_t i = 0; ok && i < rung_count && !(*done && ladder[*done - 1].totals.partial); i++) {
        struct ladder_row *row = &ladder[(*done)++];
        progress_part(progress, rungs[i].name, i, rung_count);
        ok = ladder_open_row(row, &rungs[i].source, rungs[i].name, options, progress, problem);
        if (!ok || !row->totals.left_out)
            continue;
        (void)fprintf(stderr,
                      "lanescope: %s is left out: its %" PRIu64
                      " blocks would have to be run one by one; lanescope ladder %s does that\n",
                      row->name, row->totals.blocks, row->name);
        scenario_close(&row->scenario);
        *row = (struct ladder_row){0};
        --*done;
    }
    return ok;
}

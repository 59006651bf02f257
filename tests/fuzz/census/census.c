/* census.c - random launches by census and block by block.
 *
 *     census [--ladder N] [--kernels N] [--language N] [--seed S] [--only K] [--verbose]
 *
 * The ladder in random configurations; random kernels of sums of multiples of blockIdx (affine.h); random
 * kernels of the whole language (../semantic/gen.h) with larger grids. Totals of each site, findings and
 * problems must be equal; of kernels also each access of each block must be the one that its region promises.
 * `--only K` is kernel K of one list again, and prints it. Exit code 1 if something differed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../sim/lang/lang.h"
#include "../../../sim/report/matrix.h"
#include "../../../sim/report/rung.h"
#include "../../../sim/report/scenario.h"
#include "../../proof_support.h"
#include "../semantic/gen.h"
#include "affine.h"

struct totals {
    unsigned long compared, refused, given_up, differ, proofs, unproved, renumbered;
    uint64_t blocks, regions;
};

struct options {
    unsigned long ladder, kernels, language;
    uint64_t seed;
    long only;
    bool verbose;
};

static uint64_t seed_of(const struct options *options, unsigned long number)
{
    return options->seed * UINT64_C(0xd1342543de82ef95) + number * UINT64_C(0x2545f4914f6cdd1d) + 1;
}

static bool is_wanted(const struct options *options, unsigned long number)
{
    return options->only < 0 || (unsigned long)options->only == number;
}

static void judge(struct totals *totals, const struct launch *launch, const struct census_count *count,
                  const char *differs, const char *what, unsigned long number)
{
    totals->compared += !count->census.given_up;
    totals->given_up += count->census.given_up;
    totals->renumbered += count->census.numbering.splits > 0;
    totals->blocks += launch_blocks(launch);
    totals->regions += count->census.regions;
    totals->differ += differs != NULL;
    if (differs)
        printf("differs: %s %lu, grid %ux%ux%u block %ux%ux%u: %s\n", what, number, launch->grid[0],
               launch->grid[1], launch->grid[2], launch->block[0], launch->block[1], launch->block[2],
               differs);
}

static void run_program(struct totals *totals, const struct program *program, const struct launch *launch,
                        const char *what, unsigned long number)
{
    struct census_count count;
    const char *differs = census_agrees(program, launch, number & 1, &count);
    if (!differs && !count.census.given_up)
        differs = census_foresees(program, launch, number & 1);
    judge(totals, launch, &count, differs, what, number);
}

/* As a copy or a transpose, which few of them are. */
static void run_proof(struct totals *totals, const struct program *program, const struct launch *launch,
                      const struct owners_task *task, const char *what, unsigned long number)
{
    struct proof proof;
    const char *differs = proof_agrees(program, launch, task, &proof);
    totals->proofs += !proof.given_up;
    totals->unproved += proof.given_up;
    totals->differ += differs != NULL;
    if (differs)
        printf("differs: %s %lu, grid %ux%ux%u block %ux%ux%u: the audit: %s\n", what, number,
               launch->grid[0], launch->grid[1], launch->grid[2], launch->block[0], launch->block[1],
               launch->block[2], differs);
}

static void run_text(struct totals *totals, const char *text, const struct launch *launch,
                     const struct owners_task *task, const char *what, unsigned long number)
{
    struct problem problem = {0};
    struct source source = {"k.cu", text, strlen(text)};
    struct unit *unit = unit_open(&source, NULL, 0, &problem);
    const struct program *program = unit ? unit_compile(unit, "k", &problem) : NULL;
    if (program)
        run_program(totals, program, launch, what, number);
    if (program && task && number % 4 == 0)
        run_proof(totals, program, launch, task, what, number);
    if (!program)
        totals->refused++;
    unit_close(unit);
}

static void run_kernels(const struct options *options, struct totals *totals)
{
    static struct affine_kernel kernel;
    for (unsigned long n = 0; n < options->kernels; n++) {
        if (!is_wanted(options, n))
            continue;
        affine_make(&kernel, seed_of(options, n));
        if (options->verbose)
            printf("%s", kernel.text);
        struct owners_task task = {.rows = (uint32_t)kernel.launch.arguments[2].value,
                                   .cols = (uint32_t)kernel.launch.arguments[3].value,
                                   .elem_bytes = kernel.elem_bytes,
                                   .in = 0,
                                   .out = 1,
                                   .is_copy = n / 4 & 1};
        run_text(totals, kernel.text, &kernel.launch, &task, "kernel", n);
    }
}

static void run_language(const struct options *options, struct totals *totals)
{
    static struct gen g;
    for (unsigned long n = 0; n < options->language; n++) {
        if (!is_wanted(options, n))
            continue;
        gen_kernel(&g, seed_of(options, n), 0);
        struct launch launch = {.dynamic_shared_bytes = g.dynamic_bytes, .budget = 300000};
        memcpy(launch.block, g.block, sizeof launch.block);
        launch.grid[0] = 1 + chance(&g, 9);
        launch.grid[1] = 1 + chance(&g, 4);
        launch.grid[2] = 1 + chance(&g, 3);
        for (unsigned i = 0; i < g.parameter_count; i++)
            if (g.parameter_is_pointer[i])
                launch.arguments[i] = (struct argument){.bytes = (uint64_t)g.parameter_value[i],
                                                        .misalignment = g.parameter_misalignment[i]};
            else
                launch.arguments[i].value = g.parameter_value[i];
        if (options->verbose)
            printf("%s", g.cu.at);
        run_text(totals, g.cu.at, &launch, NULL, "language", n);
    }
    gen_free(&g);
}

/* Sizes and tiles as the issue has them: degenerate, skinny, all elements, offsets. */
static struct scenario_options random_configuration(struct affine_kernel *k)
{
    struct scenario_options o = {.rows = 1 + affine_chance(k, affine_chance(k, 3) ? 200 : 8),
                                 .cols = 1 + affine_chance(k, affine_chance(k, 3) ? 200 : 8)};
    o.elem_bytes = 1u << affine_chance(k, 5);
    o.tile = 1 + affine_chance(k, affine_chance(k, 4) ? 32 : 64);
    o.block_rows = 1 + affine_chance(k, o.tile);
    if (o.tile * o.block_rows > 1024)
        o.block_rows = 1024 / o.tile;
    o.pitch = o.tile + affine_chance(k, 129 - o.tile);
    o.in_offset = affine_chance(k, 3) ? 0 : affine_chance(k, 70);
    o.out_offset = affine_chance(k, 3) ? 0 : affine_chance(k, 70);
    if (affine_chance(k, 8) == 0)
        o.grid =
            (struct shape){3, {1 + affine_chance(k, 9), 1 + affine_chance(k, 9), 1 + affine_chance(k, 3)}};
    return o;
}

static void run_ladder(const struct options *options, struct totals *totals)
{
    for (unsigned long n = 0; n < options->ladder; n++) {
        if (!is_wanted(options, n))
            continue;
        struct affine_kernel k = {.state = seed_of(options, n)};
        struct problem problem = {0};
        const struct rung *rung = &rungs[affine_chance(&k, (uint32_t)rung_count)];
        struct scenario_options o = random_configuration(&k);
        struct scenario s;
        struct census_count count;
        if (!strstr(rung->source.bytes, "// pitch: any"))
            o.pitch = 0;
        if (!scenario_open(&s, &rung->source, &o, &problem)) {
            totals->refused++;
            if (options->verbose)
                printf("%s: %s\n", rung->name, problem.message);
            continue;
        }
        const char *differs = census_agrees(s.program, &s.launch, n & 1, &count);
        judge(totals, &s.launch, &count, differs, rung->name, n);
        struct owners_task task = scenario_task(&s);
        if (n % 4 == 0)
            run_proof(totals, s.program, &s.launch, &task, rung->name, n);
        scenario_close(&s);
    }
}

static void print(const char *what, const struct totals *t)
{
    printf(
        "census: %s: %lu equal, %lu differ, %lu given up, %lu refused; %llu blocks in %llu regions, %lu with "
        "blocks by other numbers; audits: %lu by census, %lu not\n",
        what, t->compared - t->differ, t->differ, t->given_up, t->refused, (unsigned long long)t->blocks,
        (unsigned long long)t->regions, t->renumbered, t->proofs, t->unproved);
}

int main(int argc, char **argv)
{
    struct options options = {.ladder = 2000, .kernels = 2000, .language = 2000, .seed = 1, .only = -1};
    struct totals ladder = {0}, kernels = {0}, language = {0};
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "0";
        if (strcmp(argv[i], "--verbose") == 0) {
            options.verbose = true;
            continue;
        }
        if (strcmp(argv[i], "--ladder") == 0)
            options.ladder = strtoul(value, NULL, 10);
        else if (strcmp(argv[i], "--kernels") == 0)
            options.kernels = strtoul(value, NULL, 10);
        else if (strcmp(argv[i], "--language") == 0)
            options.language = strtoul(value, NULL, 10);
        else if (strcmp(argv[i], "--seed") == 0)
            options.seed = strtoull(value, NULL, 10);
        else if (strcmp(argv[i], "--only") == 0)
            options.only = strtol(value, NULL, 10);
        else {
            (void)fprintf(stderr, "census: %s is no option; see tests/fuzz/census/census.c\n", argv[i]);
            return 2;
        }
        i++;
    }
    run_ladder(&options, &ladder);
    run_kernels(&options, &kernels);
    run_language(&options, &language);
    print("ladder", &ladder);
    print("kernels", &kernels);
    print("language", &language);
    return ladder.differ || kernels.differ || language.differ;
}

/* audit_trials.c - causes that only another launch shows: right with the grid's axes exchanged, with a block
 * more, with the block that the constants say, with sizes that are multiples of the tile. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../base/arena.h"
#include "audit_parts.h"
#include "scenario_parts.h"

static bool has_leading(const struct findings *findings, enum finding_kind kind)
{
    for (size_t i = 0; i < findings->count; i++)
        if (findings->at[i].kind == kind && findings->at[i].cause < 0)
            return true;
    return false;
}

/* The line of the text that says the grid or the block; 0 where the options do, or nobody. */
static int line_of(const struct scenario *s, const struct source *note, bool given)
{
    int line = 0, column;
    const char *bytes = s->text.bytes;
    if (given)
        return 0;
    if (note->size && note->bytes >= bytes && note->bytes < bytes + s->text.size)
        source_place(&s->text, (size_t)(note->bytes - bytes), &line, &column);
    else if (s->from && s->from->found)
        line = s->from->launch.line;
    return line;
}

static struct trial *add_trial(struct audit *audit, enum finding_kind kind, int line)
{
    struct trial *trial = &audit->trials[audit->trial_count];
    if (audit->trial_count == TRIAL_LIMIT)
        return NULL;
    audit->trial_count++;
    *trial = (struct trial){.kind = kind, .launch = audit->launch, .line = line};
    return trial;
}

static void grid_name(const uint32_t grid[3], char out[40])
{
    if (grid[2] > 1)
        (void)snprintf(out, 40, "%u x %u x %u", grid[0], grid[1], grid[2]);
    else
        (void)snprintf(out, 40, "%u x %u", grid[0], grid[1]);
}

static void plan_grid(struct audit *audit)
{
    const struct scenario *s = audit->scenario;
    const uint32_t *grid = audit->launch.grid;
    int line = line_of(s, &s->note.grid, s->options.grid.count != 0);
    char before[40], after[40];
    if (grid[0] != grid[1]) {
        struct trial *trial = add_trial(audit, FINDING_GRID_SWAPPED, line);
        if (!trial)
            return;
        trial->launch.grid[0] = grid[1];
        trial->launch.grid[1] = grid[0];
        (void)snprintf(trial->text, sizeof trial->text,
                       "the grid is %u x %u, and with %u x %u everything is right: its axes are exchanged",
                       grid[0], grid[1], grid[1], grid[0]);
    }
    for (unsigned more = 1; more <= 4; more++) {
        bool wanted = more < 4 || s->task.batch > 1;
        struct trial *trial = wanted ? add_trial(audit, FINDING_GRID_SHORT, line) : NULL;
        if (!trial)
            return;
        trial->launch.grid[0] += more & 1;
        trial->launch.grid[1] += more >> 1 & 1;
        trial->launch.grid[2] += more >> 2;
        grid_name(grid, before);
        grid_name(trial->launch.grid, after);
        (void)snprintf(trial->text, sizeof trial->text, "the grid is %s, and with %s everything is right: %s",
                       before, after,
                       more < 4 ? "a division that rounds down leaves the last blocks out"
                                : "a matrix of the batch has no blocks");
    }
}

static void plan_block(struct audit *audit)
{
    const struct scenario *s = audit->scenario;
    const uint32_t *block = audit->launch.block;
    int line = line_of(s, &s->note.block, s->options.block.count != 0);
    const uint64_t wanted[4][2] = {
        {s->tile, s->block_rows}, {s->tile, block[1]}, {s->tile, s->tile}, {block[1], block[0]}};
    for (unsigned i = 0; i < 4; i++) {
        uint64_t x = wanted[i][0], y = wanted[i][1];
        if (!x || !y || x * y > LAUNCH_BLOCK_THREADS_LIMIT || (x == block[0] && y == block[1]))
            continue;
        struct trial *trial = add_trial(audit, FINDING_BLOCK_MISMATCH, line);
        if (!trial)
            return;
        trial->launch.block[0] = (uint32_t)x;
        trial->launch.block[1] = (uint32_t)y;
        (void)snprintf(trial->text, sizeof trial->text,
                       "the block is %u x %u, and with %" PRIu64 " x %" PRIu64
                       ", as the constants of the text assume, everything is right",
                       block[0], block[1], x, y);
    }
}

/* The line of the kernel's text in which a width is made of gridDim; 0: none. A grid-stride loop's step is
 * none. */
static int grid_width_line(const struct scenario *s)
{
    static const char word[] = "gridDim";
    const struct source *text = s->program->source;
    for (size_t at = s->program->begin; at + sizeof word <= s->program->end; at++) {
        if (memcmp(text->bytes + at, word, sizeof word - 1) != 0)
            continue;
        size_t begin = at, end = at;
        while (begin > 0 && text->bytes[begin - 1] != '\n')
            begin--;
        while (end < text->size && text->bytes[end] != '\n')
            end++;
        bool step = false;
        for (size_t i = begin; i + 1 < end; i++)
            step = step || (text->bytes[i] == '+' && text->bytes[i + 1] == '=') ||
                   (text->bytes[i] == '/' && text->bytes[i + 1] == '/' && i < at);
        int line, column;
        source_place(text, at, &line, &column);
        if (!step)
            return line;
    }
    return 0;
}

/* Are rows and cols all that decides the launch? Then it may be tried with others. */
static bool sizes_are_free(const struct scenario *s)
{
    return !s->ptx && s->from && !s->from->found && !s->options.argument_count && !s->options.block.count &&
           !s->options.grid.count && !s->data_count && !s->options.axes.count && !s->map.source;
}

static uint32_t edge_of(const struct scenario *s)
{
    uint64_t edge = s->tile ? s->tile : s->launch.block[0];
    if (edge < s->launch.block[1])
        edge = s->launch.block[1];
    return edge && edge <= 64 ? (uint32_t)edge : 64;
}

/* Is the kernel one for square matrices, by what it takes? */
static bool is_square(const struct audit *audit)
{
    const struct program *program = audit->scenario->program;
    unsigned numbers = 0;
    for (unsigned i = 0; i < program->parameter_count; i++)
        numbers += program->parameters[i].type.kind != TYPE_POINTER;
    return audit->scenario->rows == audit->scenario->cols && (audit->gather.in_place || numbers < 2);
}

static void plan_sizes(struct audit *audit, enum finding_kind kind, int line)
{
    struct trial *trial = add_trial(audit, kind, line);
    uint32_t edge = edge_of(audit->scenario);
    bool multiple = kind == FINDING_GRID_WIDTH;
    if (!trial)
        return;
    trial->rows = multiple ? 4 * edge : 2 * edge + 4;
    trial->cols = multiple ? 8 * edge : is_square(audit) ? trial->rows : edge + 8;
    (void)snprintf(
        trial->text, sizeof trial->text,
        "a width is taken from the grid, which is right only where rows and cols are multiples of the "
        "tile: it is for %u x %u, not for %u x %u",
        trial->rows, trial->cols, audit->scenario->rows, audit->scenario->cols);
}

void audit_plan_trials(struct audit *audit)
{
    audit->concluded = false;
    audit_conclude(audit);
    audit->concluded = false; /* what is planned goes on in this step */
    const struct findings *findings = &audit->result.findings;
    bool missing = false;
    for (size_t i = 0; i < findings->count; i++)
        missing = missing || findings->at[i].kind == FINDING_MISSING;
    int width = grid_width_line(audit->scenario);
    if (audit->fault.set || has_leading(findings, FINDING_SHARED_RACE))
        return;
    if (findings->leading && width && sizes_are_free(audit->scenario))
        plan_sizes(audit, FINDING_GRID_WIDTH, width);
    if (missing) {
        plan_grid(audit);
        plan_block(audit);
    }
    if (!findings->leading && sizes_are_free(audit->scenario))
        plan_sizes(audit, FINDING_GUARD_ONE_SIDED, 0);
}

void audit_free_trial(struct audit *audit)
{
    audit_free(audit->trial);
    audit->trial = NULL;
    if (audit->sizes) {
        scenario_close(audit->sizes);
        free(audit->sizes);
        audit->sizes = NULL;
    }
}

/* Opens the next trial; one that cannot be opened tells nothing. */
static void open_trial(struct audit *audit)
{
    const struct trial *trial = &audit->trials[audit->trial_at];
    struct problem problem = {0};
    if (!trial->rows) {
        if (launch_check(&trial->launch, &problem))
            audit->trial = audit_begin_trial(audit->scenario, &trial->launch, &problem);
    } else {
        struct scenario_options options = audit->scenario->options;
        options.rows = trial->rows;
        options.cols = trial->cols;
        audit->sizes = memory_take(1, sizeof *audit->sizes);
        if (scenario_open(audit->sizes, &audit->scenario->text, &options, &problem))
            audit->trial = audit_begin_trial(audit->sizes, &audit->sizes->launch, &problem);
        else {
            free(audit->sizes);
            audit->sizes = NULL;
        }
    }
    if (audit->trial)
        audit->result.total += audit->trial->blocks;
    else
        audit_free_trial(audit);
}

/* A clean launch is right for these sizes; the first fault of the trial is told as a note. */
static void tell_sizes(struct audit *audit, const struct audit_result *result)
{
    const struct scenario *s = audit->scenario;
    const struct trial *trial = &audit->trials[audit->trial_at];
    if (result->problem.set || !result->findings.leading ||
        has_leading(&result->findings, FINDING_MISALIGNED))
        return;
    const struct finding *first = &result->findings.at[0], *end = first + result->findings.leading;
    while (first < end && first->kind == FINDING_MISSING) /* the launch may be made for these sizes */
        first++;
    if (first == end)
        return;
    audit->has_told = true;
    audit->told = *first;
    audit->told.kind = FINDING_GUARD_ONE_SIDED;
    audit->told.severity = FINDING_NOTE;
    audit->told.has_thread = audit->told.has_other = audit->told.has_cell = false;
    audit->told.cells = audit->told.lanes = 0;
    bool own = first->source && first->source->bytes == s->text.bytes;
    audit->told.source = own ? &s->text : NULL; /* what is the trial's own is closed soon */
    findings_say(&audit->told, "right for %u x %u, but not for %u x %u: %s", s->rows, s->cols, trial->rows,
                 trial->cols, first->sentence);
}

void audit_step_trial(struct audit *audit, uint64_t blocks)
{
    struct audit_result *result = &audit->result;
    if (!audit->trial) {
        open_trial(audit);
        audit->trial_at += audit->trial == NULL;
        return;
    }
    uint64_t before = audit->trial->result.done, total = audit->trial->result.total;
    bool more = audit_step(audit->trial, blocks);
    result->done += audit->trial->result.done - before;
    result->total += audit->trial->result.total - total;
    if (more)
        return;
    const struct trial *trial = &audit->trials[audit->trial_at];
    const struct audit_result *told = audit_result(audit->trial);
    if (trial->kind == FINDING_GUARD_ONE_SIDED) {
        tell_sizes(audit, told);
    } else if (told->verdict == AUDIT_CORRECT) {
        audit->decided = true;
        audit->verdict = *trial;
    }
    audit_free_trial(audit);
    audit->trial_at = audit->decided ? audit->trial_count : audit->trial_at + 1;
}

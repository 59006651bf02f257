#include "ownership.h"

#include <stdlib.h>
#include <string.h>

#include "../../sim/audit/owners.h"

enum { NEARBY_EDGE = 9 }; /* blocks along the square around the current one */

static int64_t output_cols(const struct scenario *s)
{
    return s->is_copy ? s->cols : s->rows;
}

static int64_t output_rows(const struct scenario *s)
{
    return s->is_copy ? s->rows : s->cols;
}

void ownership_init(struct ownership *owners, const struct session *session, int64_t row0, int64_t col0,
                    int rows, int cols)
{
    const struct scenario *s = &session->scenario;
    struct problem problem = {0};
    *owners = (struct ownership){.row0 = row0, .col0 = col0};
    int64_t left = output_rows(s) - row0, right = output_cols(s) - col0;
    owners->rows = rows < 0 ? 0 : rows < left ? rows : (int)left;
    owners->cols = cols < 0 ? 0 : cols < right ? cols : (int)right;
    owners->cells = memory_take((size_t)(owners->rows * owners->cols) + 1, sizeof *owners->cells);
    owners->nearby = session->blocks > OWNERSHIP_WHOLE_BLOCKS;
    owners->count = owners->nearby ? NEARBY_EDGE * NEARBY_EDGE : session->blocks;
    memcpy(owners->middle, session->trace.block, sizeof owners->middle);
    owners->execution = execution_new(s->program, &s->launch, true, &problem);
    owners->failed = !owners->execution || s->out < 0;
}

void ownership_free(struct ownership *owners)
{
    free(owners->cells);
    execution_free(owners->execution);
    *owners = (struct ownership){0};
}

struct owner_sink {
    struct ownership *owners;
    const struct session *session;
    struct owners_task task;
};

static void write_cell(struct owner_sink *sink, const struct access *access, unsigned lane, int64_t cell,
                       int64_t token)
{
    struct ownership *o = sink->owners;
    int64_t width = output_cols(&sink->session->scenario);
    int64_t row = cell / width - o->row0, col = cell % width - o->col0;
    if (cell < 0 || row < 0 || row >= o->rows || col < 0 || col >= o->cols)
        return;
    struct owner_cell *at = &o->cells[row * o->cols + col];
    at->writes++;
    memcpy(at->block, access->block, sizeof at->block);
    at->warp = access->warp;
    at->lane = lane;
    at->wrong = sink->task.in < 0 ||
                token != data_token((unsigned)sink->task.in, owners_expected(&sink->task, (uint64_t)cell));
}

static void take_access(void *self, const struct access *access)
{
    struct owner_sink *sink = self;
    const struct scenario *s = &sink->session->scenario;
    int64_t elem = s->elem_bytes;
    if (access->site->space != SPACE_GLOBAL || access->site->op != ACCESS_STORE || access->buffer != s->out)
        return;
    unsigned components = access->site->components, width = access->site->lane_bytes / components;
    for (unsigned lane = 0; lane < LANES; lane++) {
        if (!(access->mask >> lane & 1))
            continue;
        for (unsigned i = 0; i < components; i++) {
            int64_t byte = access_offset(access, lane) + (int64_t)(i * width);
            if (byte >= 0 && byte % elem == 0)
                write_cell(sink, access, lane, byte / elem,
                           access->data[i].base + access->data[i].delta[lane]);
        }
    }
}

bool ownership_is_done(const struct ownership *owners)
{
    return owners->failed || owners->done == owners->count;
}

/* The done-th block to run; false where the square around the current block leaves the grid. */
static bool block_to_run(const struct ownership *owners, const struct launch *launch, uint32_t block[3])
{
    if (!owners->nearby) {
        launch_block_at(launch, owners->done, block);
        return true;
    }
    int64_t x = (int64_t)owners->middle[0] + (int64_t)(owners->done % NEARBY_EDGE) - NEARBY_EDGE / 2;
    int64_t y = (int64_t)owners->middle[1] + (int64_t)(owners->done / NEARBY_EDGE) - NEARBY_EDGE / 2;
    if (x < 0 || y < 0 || x >= launch->grid[0] || y >= launch->grid[1])
        return false;
    block[0] = (uint32_t)x;
    block[1] = (uint32_t)y;
    block[2] = owners->middle[2];
    return true;
}

bool ownership_advance(struct ownership *owners, const struct session *session, unsigned blocks)
{
    const struct scenario *s = &session->scenario;
    struct owner_sink self = {owners, session, {s->rows, s->cols, s->elem_bytes, s->in, s->out, s->is_copy}};
    struct sink sink = {.self = &self, .access = take_access};
    for (; blocks && !ownership_is_done(owners); blocks--, owners->done++) {
        struct problem problem = {0};
        uint32_t block[3];
        if (block_to_run(owners, &s->launch, block) &&
            !execution_run_block(owners->execution, block, &sink, &problem))
            owners->failed = true;
    }
    return !ownership_is_done(owners);
}

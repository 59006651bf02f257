#include "session.h"

#include "../census/count.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* What is being traced: the sink's own. */
struct recorder {
    const struct session *session;
    struct trace trace;
    size_t capacity;
    uint32_t phase;
};

static void box_include(struct box *box, int64_t row, int64_t col)
{
    if (box->row1 == box->row0)
        *box = (struct box){row, col, row + 1, col + 1};
    box->row0 = row < box->row0 ? row : box->row0;
    box->col0 = col < box->col0 ? col : box->col0;
    box->row1 = row >= box->row1 ? row + 1 : box->row1;
    box->col1 = col >= box->col1 ? col + 1 : box->col1;
}

static void include_lanes(struct recorder *recorder, const struct access *access)
{
    const struct scenario *s = &recorder->session->scenario;
    bool stores = access->site->kind->writes;
    struct box *box = stores ? &recorder->trace.target : &recorder->trace.source;
    if (access->site->kind->space != SPACE_GLOBAL || access->buffer != (stores ? s->out : s->in))
        return;
    for (unsigned lane = 0; lane < LANES; lane++) {
        int64_t row, col;
        if (session_element(recorder->session, access, lane, &row, &col))
            box_include(box, row, col);
    }
}

static void take_access(void *self, const struct access *access)
{
    struct recorder *recorder = self;
    struct trace *trace = &recorder->trace;
    if (trace->count == SESSION_TRACE_LIMIT) {
        trace->cut = true;
        return;
    }
    if (trace->count == recorder->capacity) {
        recorder->capacity = recorder->capacity ? 2 * recorder->capacity : 256;
        trace->at = memory_resize(trace->at, recorder->capacity, sizeof *trace->at);
    }
    struct trace_access *at = &trace->at[trace->count];
    memset(at, 0, sizeof *at);
    at->access = *access;
    memset(at->access.data, 0, sizeof at->access.data);
    memcpy(at->delta, access->delta, sizeof at->delta);
    at->cost = access_cost_of(access);
    at->phase = recorder->phase;
    if (trace->count)
        memcpy(at->so_far, trace->at[trace->count - 1].so_far, sizeof at->so_far);
    struct running *sum = &at->so_far[access->site->kind->id];
    sum->requests++;
    sum->units += at->cost.units;
    sum->ideal += at->cost.ideal;
    include_lanes(recorder, access);
    trace->count++;
}

static void take_barrier(void *self, const struct barrier *barrier)
{
    (void)barrier;
    ((struct recorder *)self)->phase++;
}

/* An execution keeps the first overflow it met; one that met none yet says whether this block has one. */
static bool forget_overflow(struct session *session, struct problem *problem)
{
    if (!execution_overflow(session->tracer)->lanes)
        return true;
    const struct scenario *s = &session->scenario;
    struct execution *fresh = execution_new(s->program, &s->launch, true, problem);
    if (!fresh)
        return false;
    execution_free(session->tracer);
    session->tracer = fresh;
    return true;
}

bool session_enter(struct session *session, const uint32_t block[3], struct problem *problem)
{
    struct recorder recorder = {.session = session};
    struct sink sink = {.self = &recorder, .access = take_access, .barrier = take_barrier};
    memcpy(recorder.trace.block, block, sizeof recorder.trace.block);
    if (!forget_overflow(session, problem) || !execution_run_block(session->tracer, block, &sink, problem)) {
        free(recorder.trace.at);
        return false;
    }
    for (size_t i = 0; i < recorder.trace.count; i++) /* only now does the array stay where it is */
        recorder.trace.at[i].access.delta = recorder.trace.at[i].delta;
    recorder.trace.overflow = *execution_overflow(session->tracer);
    free(session->trace.at);
    session->trace = recorder.trace;
    return true;
}

const struct overflow *session_overflow(const struct session *session)
{
    const struct overflow *counted = session->at_once ? &session->met : execution_overflow(session->counter);
    return session->trace.overflow.lanes ? &session->trace.overflow : counted->lanes ? counted : NULL;
}

/* So many regions take no longer than a person notices. */
static uint64_t regions_at_once(const struct session *session)
{
    uint64_t most = SESSION_WORK / (16 * session->trace.count + execution_work(session->tracer) + 1);
    return most > SESSION_REGIONS ? SESSION_REGIONS : most;
}

/* All blocks, where few stand for all of them. */
static bool count_at_once(struct session *session, struct problem *problem)
{
    const struct scenario *s = &session->scenario;
    struct census_count count;
    struct problem ignored = {0};
    uint64_t most = regions_at_once(session);
    if (!most)
        return true;
    if (census_count(session->counter, &s->launch, most, &session->tally, &count, &ignored)) {
        session->at_once = true;
        session->met = *execution_overflow(session->counter);
        session->counted = session->blocks;
    } else { /* begin anew, block by block */
        tally_free(&session->tally);
        tally_init(&session->tally, s->program->site_count);
    }
    execution_free(session->counter);
    session->counter = execution_new(s->program, &s->launch, false, problem);
    return session->counter != NULL;
}

struct session *session_open(const char *name, const struct source *text,
                             const struct scenario_options *options, struct problem *problem)
{
    struct session *session = memory_take(1, sizeof *session);
    const uint32_t first[3] = {0, 0, 0};
    session->name = name;
    if (!scenario_open(&session->scenario, text, options, problem)) {
        free(session);
        return NULL;
    }
    const struct scenario *s = &session->scenario;
    session->blocks = launch_blocks(&s->launch);
    session->tracer = execution_new(s->program, &s->launch, true, problem);
    if (session->tracer)
        session->counter = execution_new(s->program, &s->launch, false, problem);
    tally_init(&session->tally, s->program->site_count);
    tally_init(&session->ranking, s->program->site_count);
    worst_init(&session->worst, &session->ranking, launch_warps(&s->launch));
    if (session->counter && session_enter(session, first, problem) && count_at_once(session, problem))
        return session;
    session_free(session);
    return NULL;
}

void session_free(struct session *session)
{
    if (!session)
        return;
    execution_free(session->tracer);
    execution_free(session->counter);
    worst_free(&session->worst);
    tally_free(&session->ranking);
    tally_free(&session->tally);
    free(session->trace.at);
    scenario_close(&session->scenario);
    free(session);
}

bool session_is_counted(const struct session *session)
{
    return session->counted == session->blocks || session->count_problem.set;
}

bool session_is_ranked(const struct session *session)
{
    return session->ranked == session->blocks || session->count_problem.set;
}

bool session_count(struct session *session, uint64_t blocks)
{
    struct sink sink = {.self = &session->worst, .access = worst_access};
    if (session_is_ranked(session))
        return false;
    if (blocks > session->blocks - session->ranked)
        blocks = session->blocks - session->ranked;
    if (execution_run_blocks(session->counter, session->ranked, blocks, &sink, &session->count_problem))
        session->ranked += blocks;
    worst_settle(&session->worst);
    if (!session->at_once) {
        session->counted = session->ranked;
        memcpy(session->tally.sites, session->ranking.sites,
               session->tally.site_count * sizeof *session->tally.sites);
    }
    return !session_is_ranked(session);
}

struct summary session_summary(const struct session *session)
{
    return summary_of(&session->scenario, &session->tally, 0);
}

bool session_element(const struct session *session, const struct access *access, unsigned lane, int64_t *row,
                     int64_t *col)
{
    return scenario_element(&session->scenario, access, lane, row, col);
}

const struct source *session_text(const struct session *session)
{
    const struct scenario *s = &session->scenario;
    return s->compiled.compiler ? &s->compiled.ptx : &s->text;
}

struct source source_line(const struct source *text, int line)
{
    size_t at = 0;
    for (int i = 1; i < line && at < text->size; at++)
        i += text->bytes[at] == '\n';
    size_t end = at;
    while (end < text->size && text->bytes[end] != '\n')
        end++;
    return (struct source){text->name, text->bytes + at, end - at};
}

bool session_mentions(const struct session *session, const char *word)
{
    return text_mentions(&session->scenario.text, word);
}

bool text_mentions(const struct source *text, const char *word)
{
    size_t length = strlen(word);
    for (size_t i = 0; i + length <= text->size; i++) {
        char before = i ? text->bytes[i - 1] : ' ',
             after = i + length < text->size ? text->bytes[i + length] : ' ';
        if (memcmp(text->bytes + i, word, length) == 0 && !isalnum((unsigned char)before) && before != '_' &&
            !isalnum((unsigned char)after) && after != '_')
            return true;
    }
    return false;
}

unsigned access_parts(const struct trace_access *at)
{
    return at->cost.units;
}

uint32_t access_part_lanes(const struct trace_access *at, unsigned part)
{
    struct lanes lanes = access_lanes(&at->access);
    if (at->access.site->kind->id == GLOBAL_ATOMIC)
        return sector_taking(&lanes, part);
    if (at->access.site->kind->space == SPACE_GLOBAL) {
        struct sector sectors[SECTOR_LIMIT];
        return part < sectors_of(&lanes, sectors) ? sectors[part].lanes : 0;
    }
    struct bank_wavefront waves[BANK_WAVEFRONT_LIMIT];
    unsigned count = bank_wavefronts_of(&lanes, waves);
    return part < count ? waves[part].lanes : 0;
}

bool trace_match(const struct trace *other, const struct trace_access *here, size_t *index)
{
    for (size_t i = 0; i < other->count; i++) {
        const struct access *a = &other->at[i].access, *b = &here->access;
        if (a->warp == b->warp && a->visit == b->visit && a->site->kind->op == b->site->kind->op &&
            a->site->kind->space == b->site->kind->space) {
            *index = i;
            return true;
        }
    }
    return false;
}

size_t trace_costliest(const struct trace *trace)
{
    size_t worst = 0;
    for (size_t i = 1; i < trace->count; i++) {
        const struct access_cost *a = &trace->at[i].cost, *b = &trace->at[worst].cost;
        if ((uint64_t)a->units * b->ideal > (uint64_t)b->units * a->ideal)
            worst = i;
    }
    return worst;
}

/* bench_pipeline.c - a consumer of the transposed matrix: over the original, or over a converted copy. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../base/arena.h"
#include "bench_item.h"
#include "bench_texts.h"
#include "buffers.h"
#include "payload.h"

const char *const bench_step_names[BENCH_STEPS] = {"allocate", "convert", "convert back", "consume strided",
                                                   "consume dense"};
const char *const bench_form_names[BENCH_FORMS] = {"strided", "converted once", "converted and back"};

struct pipeline {
    struct bench *bench;
    const struct scenario *scenario, *back;
    struct confirmer returning; /* the kernel that converts back; device and compiler are the bench's */
    struct gpu_kernel strided, dense, compare;
    uint64_t strided_result, dense_result, differ;
    uint64_t rows, cols;
    struct buffers buffers, back_buffers;
};

static double milliseconds(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

/* Taking the converted matrix's memory and giving it back, by the host's clock: the driver does it in between
 * launches. */
static bool allocation(struct pipeline *p, struct timing *timing, struct problem *problem)
{
    enum { TIMES = 5 };
    double ms[TIMES];
    for (unsigned i = 0; i < TIMES; i++) {
        uint64_t address;
        double begin = milliseconds();
        if (!gpu_take(p->bench->confirmer.gpu, p->rows * p->cols * 4, &address, problem))
            return false;
        gpu_give(p->bench->confirmer.gpu, address);
        ms[i] = milliseconds() - begin;
    }
    *timing = timing_of(ms, TIMES);
    return true;
}

/* One launch of the kernel that converts, or of the one that converts back, from one matrix to another. */
static struct bench_kernel conversion(struct pipeline *p, bool is_back, uint64_t from, uint64_t to)
{
    const struct scenario *s = is_back ? p->back : p->scenario;
    struct buffers *buffers = is_back ? &p->back_buffers : &p->buffers;
    struct confirmer *confirmer = is_back ? &p->returning : &p->bench->confirmer;
    memcpy(buffers->arguments[s->program->parameters[s->in].position], &from, sizeof from);
    memcpy(buffers->arguments[s->program->parameters[s->out].position], &to, sizeof to);
    return (struct bench_kernel){confirmer->gpu, &confirmer->plain, &s->launch, buffers->arguments};
}

static bool convert(struct pipeline *p, bool is_back, uint64_t from, uint64_t to, struct problem *problem)
{
    struct bench_kernel kernel = conversion(p, is_back, from, to);
    return bench_begin_kernel(&kernel, problem);
}

static bool time_convert(struct pipeline *p, bool is_back, uint64_t from, uint64_t to, struct timing *timing,
                         struct problem *problem)
{
    struct bench_kernel kernel = conversion(p, is_back, from, to);
    struct bench_item item = {bench_begin_kernel, &kernel};
    return bench_time(p->bench, &item, timing, problem);
}

/* A consumer of a matrix, in either form. */
struct consumer {
    struct pipeline *pipeline;
    const struct gpu_kernel *kernel;
    uint64_t matrix, result;
};

static bool consume(void *self, struct problem *problem)
{
    struct consumer *c = self;
    uint64_t rows = c->pipeline->rows, cols = c->pipeline->cols;
    struct launch launch = {.grid = {(uint32_t)((cols * 32 + 255) / 256), 1, 1}, .block = {256, 1, 1}};
    void *arguments[] = {&c->matrix, &c->result, &rows, &cols};
    return gpu_enqueue(c->pipeline->bench->confirmer.gpu, c->kernel, &launch, arguments, problem);
}

static bool time_consume(struct consumer *consumer, struct timing *timing, struct problem *problem)
{
    struct bench_item item = {consume, consumer};
    return bench_time(consumer->pipeline->bench, &item, timing, problem);
}

static bool results_differ(struct pipeline *p, uint64_t *differ, struct problem *problem)
{
    static const uint64_t zero = 0;
    struct gpu *gpu = p->bench->confirmer.gpu;
    uint64_t cols = p->cols;
    void *arguments[] = {&p->strided_result, &p->dense_result, &cols, &p->differ};
    return gpu_write(gpu, p->differ, &zero, sizeof zero, problem) &&
           gpu_launch(gpu, &p->compare, &bench_everywhere, arguments, problem) &&
           gpu_read(gpu, differ, p->differ, sizeof *differ, problem);
}

/* From the original to the last of `uses` results, begun and not waited for. */
static bool begin_chain(struct pipeline *p, unsigned form, unsigned uses, uint64_t converted,
                        struct problem *problem)
{
    uint64_t in = p->buffers.base[p->scenario->in];
    struct consumer strided = {p, &p->strided, in, p->strided_result},
                    dense = {p, &p->dense, converted, p->dense_result};
    bool ok = form != 1 || convert(p, false, in, converted, problem);
    for (unsigned u = 0; ok && u < uses; u++) {
        ok = (form != 2 || convert(p, false, in, converted, problem)) &&
             consume(form == 0 ? &strided : &dense, problem) &&
             (form != 2 || convert(p, true, converted, in, problem)); /* the same values as before */
    }
    return ok;
}

static bool time_chain(struct pipeline *p, unsigned form, unsigned uses, struct bench_row *row,
                       struct problem *problem)
{
    const struct bench *bench = p->bench;
    struct gpu *gpu = bench->confirmer.gpu;
    double *ms = memory_take(bench->repeats + bench->warmups, sizeof *ms);
    bool ok = true;
    for (unsigned i = 0; ok && i < bench->repeats + bench->warmups; i++) {
        uint64_t converted = 0;
        ok = (form == 0 || gpu_set(gpu, p->dense_result, 0xff, p->cols * sizeof(float), problem)) &&
             (bench->is_warm || gpu_set(gpu, bench->flush, (uint8_t)i, bench->flush_bytes, problem)) &&
             gpu_wait(gpu, problem);
        double begin = milliseconds();
        ok = ok && (form == 0 || gpu_take(gpu, p->rows * p->cols * 4, &converted, problem)) &&
             begin_chain(p, form, uses, converted, problem) && gpu_wait(gpu, problem);
        gpu_give(gpu, converted);
        ms[i] = milliseconds() - begin;
    }
    row->timing = timing_of(ms + bench->warmups, ok ? bench->repeats : 0);
    free(ms);
    ok = ok && (form == 0 || results_differ(p, &row->wrong, problem));
    row->is_checked = ok;
    return ok;
}

static bool time_chains(struct pipeline *p, struct bench_row *row, struct problem *problem)
{
    char name[64];
    for (unsigned f = 0; f < BENCH_FORMS; f++)
        for (unsigned u = 0; u < BENCH_USES; u++, row++) {
            (void)snprintf(name, sizeof name, "%s x %u", bench_form_names[f], 1u << u);
            bench_describe(row, BENCH_STAGE, name, p->scenario->rows, p->scenario->cols, 4,
                           p->bench->is_warm);
            row->bytes = 0;
            if (!time_chain(p, f, 1u << u, row, problem))
                return false;
        }
    return true;
}

static bool open_all(struct pipeline *p, struct problem *problem)
{
    struct bench *b = p->bench;
    struct gpu *gpu = b->confirmer.gpu;
    uint64_t bytes = (p->cols + 1) * sizeof(float);
    uint64_t others =
        2 * bytes + 3 * (p->rows * p->cols * 4 + 2 * GUARD_BYTES); /* the way back's, the chains' */
    p->returning.gpu = gpu;
    p->returning.compiler = b->confirmer.compiler;
    return bench_load(b, bench_pipeline_text, "consume_strided", NULL, &p->strided, problem) &&
           bench_load(b, bench_pipeline_text, "consume_dense", NULL, &p->dense, problem) &&
           bench_load(b, bench_pipeline_text, "compare", NULL, &p->compare, problem) &&
           confirmer_compile_plain(&b->confirmer, p->scenario, problem) &&
           confirmer_compile_plain(&p->returning, p->back, problem) &&
           buffers_open(&p->buffers, gpu, p->scenario->program, &p->scenario->launch, NULL, others,
                        problem) &&
           buffers_open(&p->back_buffers, gpu, p->back->program, &p->back->launch, NULL, 0, problem) &&
           gpu_take(gpu, bytes, &p->strided_result, problem) &&
           gpu_take(gpu, bytes, &p->dense_result, problem) && gpu_take(gpu, 8, &p->differ, problem);
}

static void close_all(struct pipeline *p)
{
    struct gpu *gpu = p->bench->confirmer.gpu;
    gpu_unload(gpu, &p->strided);
    gpu_unload(gpu, &p->dense);
    gpu_unload(gpu, &p->compare);
    gpu_give(gpu, p->strided_result);
    gpu_give(gpu, p->dense_result);
    gpu_give(gpu, p->differ);
    buffers_close(&p->buffers);
    buffers_close(&p->back_buffers);
    confirmer_forget(&p->returning);
}

/* Each step alone, and both results against each other. */
static bool time_steps(struct pipeline *p, struct bench_row *row, struct problem *problem)
{
    uint64_t in = p->buffers.base[p->scenario->in], out = p->buffers.base[p->scenario->out];
    uint64_t again = p->back_buffers.base[p->back->out];
    struct consumer strided = {p, &p->strided, in, p->strided_result},
                    dense = {p, &p->dense, out, p->dense_result};
    bool ok = allocation(p, &row[0].timing, problem) &&
              time_convert(p, false, in, out, &row[1].timing, problem) &&
              time_convert(p, true, out, again, &row[2].timing, problem) &&
              time_consume(&strided, &row[3].timing, problem) &&
              time_consume(&dense, &row[4].timing, problem) && results_differ(p, &row[4].wrong, problem);
    row[4].is_checked = ok;
    return ok;
}

bool bench_pipeline(struct bench *bench, const struct scenario *scenario, const struct scenario *back,
                    struct bench_row row[BENCH_STAGES], struct problem *problem)
{
    struct gpu *gpu = bench->confirmer.gpu;
    struct pipeline p = {.bench = bench,
                         .scenario = scenario,
                         .back = back,
                         .rows = scenario->rows,
                         .cols = scenario->cols,
                         .buffers.gpu = gpu,
                         .back_buffers.gpu = gpu};
    for (unsigned i = 0; i < BENCH_STEPS; i++)
        bench_describe(&row[i], BENCH_STAGE, bench_step_names[i], scenario->rows, scenario->cols, 4,
                       bench->is_warm);
    row[0].bytes = 0;
    row[3].bytes /= 2; /* a consumer reads the matrix; its result is a column */
    row[4].bytes /= 2;
    if (scenario->in < 0 || scenario->out < 0 || scenario->in == scenario->out || scenario->is_copy ||
        scenario->elem_bytes != 4)
        return problem_say(problem, "the pipeline converts with a kernel that transposes elements of 4 bytes "
                                    "from one matrix to another");
    bool ok = open_all(&p, problem) && bench_load_cells(bench, 4, problem);
    if (ok) {
        uint64_t in = p.buffers.base[scenario->in];
        void *fill[] = {&in, &p.rows, &p.cols, &(int){0}, &(unsigned){0}};
        ok = gpu_launch(gpu, &bench->fill, &bench_everywhere, fill, problem) &&
             time_steps(&p, row, problem) && time_chains(&p, row + BENCH_STEPS, problem);
    }
    close_all(&p);
    return ok;
}

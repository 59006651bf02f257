/* bench_pipeline.c - a consumer of the transposed matrix: over the original, or over a converted copy. */
#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "bench_item.h"
#include "bench_texts.h"
#include "buffers.h"
#include "payload.h"

struct pipeline {
    struct bench *bench;
    const struct scenario *scenario, *back;
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

/* From one matrix to the other with the scenario's own kernel. */
static bool convert(struct pipeline *p, const struct scenario *s, struct buffers *buffers, uint64_t from,
                    uint64_t to, struct timing *timing, struct problem *problem)
{
    struct bench_kernel kernel = {p->bench->confirmer.gpu, &p->bench->confirmer.plain, &s->launch,
                                  buffers->arguments};
    struct bench_item item = {bench_begin_kernel, &kernel};
    memcpy(buffers->arguments[s->program->parameters[s->in].position], &from, sizeof from);
    memcpy(buffers->arguments[s->program->parameters[s->out].position], &to, sizeof to);
    return confirmer_compile_plain(&p->bench->confirmer, s, problem) &&
           bench_time(p->bench, &item, timing, problem);
}

static bool consume(struct pipeline *p, const struct gpu_kernel *kernel, uint64_t matrix, uint64_t result,
                    struct timing *timing, struct problem *problem)
{
    uint64_t rows = p->rows, cols = p->cols;
    struct launch launch = {.grid = {(uint32_t)((cols * 32 + 255) / 256), 1, 1}, .block = {256, 1, 1}};
    void *arguments[] = {&matrix, &result, &rows, &cols};
    struct bench_kernel self = {p->bench->confirmer.gpu, kernel, &launch, arguments};
    struct bench_item item = {bench_begin_kernel, &self};
    return bench_time(p->bench, &item, timing, problem);
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

static bool open_all(struct pipeline *p, struct problem *problem)
{
    struct bench *b = p->bench;
    struct gpu *gpu = b->confirmer.gpu;
    uint64_t bytes = (p->cols + 1) * sizeof(float);
    return bench_load(b, bench_pipeline_text, "consume_strided", NULL, &p->strided, problem) &&
           bench_load(b, bench_pipeline_text, "consume_dense", NULL, &p->dense, problem) &&
           bench_load(b, bench_pipeline_text, "compare", NULL, &p->compare, problem) &&
           gpu_take(gpu, bytes, &p->strided_result, problem) &&
           gpu_take(gpu, bytes, &p->dense_result, problem) && gpu_take(gpu, 8, &p->differ, problem) &&
           buffers_open(&p->buffers, gpu, p->scenario->program, &p->scenario->launch, NULL, problem) &&
           buffers_open(&p->back_buffers, gpu, p->back->program, &p->back->launch, NULL, problem);
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
}

bool bench_pipeline(struct bench *bench, const struct scenario *scenario, const struct scenario *back,
                    struct bench_row row[BENCH_STAGES], struct problem *problem)
{
    static const char *const names[BENCH_STAGES] = {"allocate", "convert", "convert back", "consume strided",
                                                    "consume dense"};
    struct gpu *gpu = bench->confirmer.gpu;
    struct pipeline p = {.bench = bench,
                         .scenario = scenario,
                         .back = back,
                         .rows = scenario->rows,
                         .cols = scenario->cols,
                         .buffers.gpu = gpu,
                         .back_buffers.gpu = gpu};
    for (unsigned i = 0; i < BENCH_STAGES; i++)
        bench_describe(&row[i], BENCH_STAGE, names[i], scenario->rows, scenario->cols, 4, bench->is_warm);
    row[0].bytes = 0;
    row[3].bytes /= 2; /* a consumer reads the matrix; its result is a column */
    row[4].bytes /= 2;
    if (scenario->in < 0 || scenario->out < 0 || scenario->in == scenario->out || scenario->is_copy ||
        scenario->elem_bytes != 4)
        return problem_say(problem, "the pipeline converts with a kernel that transposes elements of 4 bytes "
                                    "from one matrix to another");
    bool ok = open_all(&p, problem);
    if (ok) {
        uint64_t in = p.buffers.base[scenario->in], out = p.buffers.base[scenario->out];
        uint64_t again = p.back_buffers.base[back->out];
        void *fill[] = {&in, &p.rows, &p.cols, &(int){0}, &(unsigned){0}};
        ok = bench_load_cells(bench, 4, problem) &&
             gpu_launch(gpu, &bench->fill, &bench_everywhere, fill, problem) &&
             allocation(&p, &row[0].timing, problem) &&
             convert(&p, scenario, &p.buffers, in, out, &row[1].timing, problem) &&
             convert(&p, back, &p.back_buffers, out, again, &row[2].timing, problem) &&
             consume(&p, &p.strided, in, p.strided_result, &row[3].timing, problem) &&
             consume(&p, &p.dense, out, p.dense_result, &row[4].timing, problem) &&
             results_differ(&p, &row[4].wrong, problem);
    }
    row[4].is_checked = ok;
    close_all(&p);
    return ok;
}

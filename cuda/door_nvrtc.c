/* door_nvrtc.c - the door that is a library. */
#include <stdlib.h>

#include "compiler.h"
#include "door_parts.h"
#include "door_texts.h"
#include "process.h"

/* The toolkit's headers that NVRTC can read, and the words that tell that one is needed. */
static const struct {
    const char *word, *header;
} headers[] = {{"half", "cuda_fp16.h"},
               {"bfloat16", "cuda_bf16.h"},
               {"fp8", "cuda_fp8.h"},
               {"cooperative_groups", "cooperative_groups.h"},
               {"wmma", "mma.h"},
               {"Complex", "cuComplex.h"},
               {"curand", "curand_kernel.h"},
               {"__pipeline", "cuda_pipeline.h"},
               {"cuda::pipeline", "cuda/pipeline"},
               {"cuda::barrier", "cuda/barrier"},
               {"cuda::atomic", "cuda/atomic"},
               {"BlockReduce", "cub/block/block_reduce.cuh"},
               {"BlockScan", "cub/block/block_scan.cuh"},
               {"BlockLoad", "cub/block/block_load.cuh"},
               {"BlockStore", "cub/block/block_store.cuh"},
               {"BlockRadixSort", "cub/block/block_radix_sort.cuh"},
               {"WarpReduce", "cub/warp/warp_reduce.cuh"},
               {"WarpScan", "cub/warp/warp_scan.cuh"},
               {"CUDART_", "math_constants.h"},
               {"cg::reduce", "cooperative_groups/reduce.h"},
               {"memcpy_async", "cooperative_groups/memcpy_async.h"}};

static char *nvrtc_source(const struct device_part *part, const struct standins *standins, size_t *size)
{
    struct sheet sheet = {0};
    bool toolkit = compiler_include_folder() != NULL;
    put_text(&sheet, door_numbers_text);
    put_text(&sheet, door_nvrtc_text);
    for (size_t i = 0; toolkit && i < sizeof headers / sizeof *headers; i++)
        if (strstr(part->text, headers[i].word)) {
            put_text(&sheet, "#include <");
            put_text(&sheet, headers[i].header);
            put_text(&sheet, ">\n");
        }
    put_text(&sheet, strstr(part->text, "std") ? door_std_text : "");
    put_text(&sheet, !toolkit && strstr(part->text, "cooperative_groups") ? door_groups_text : "");
    door_put_standins(&sheet, standins);
    put_text(&sheet, "#line 1 \"" DOOR_FILE "\"\n");
    put(&sheet, part->text, part->size);
    *size = sheet.size;
    return sheet.bytes;
}

char *door_nvrtc_source(const struct device_part *part, size_t *size)
{
    return nvrtc_source(part, NULL, size);
}

/* NVRTC is a library that crashes on some texts, so it runs in a process of its own. */
struct nvrtc_job {
    const struct device_part_request *request;
    const struct device_part *part;
    const struct standins *standins;
    const struct workplace *place;
    struct problem problem;
};

static bool nvrtc_ptx(struct nvrtc_job *job)
{
    struct compiler *compiler;
    if (!compiler_open(&compiler, &job->problem))
        return false;
    struct source source = {DOOR_FILE, NULL, 0};
    char *text = nvrtc_source(job->part, job->standins, &source.size);
    char *kernel = door_kernel_expression(job->part);
    struct binary binary;
    int major, minor;
    char version[40], *log = NULL;
    source.bytes = text;
    struct compilation task = {.text = &source,
                               .definitions = job->request->definitions,
                               .definition_count = job->request->definition_count,
                               .kernel = kernel,
                               .architecture = 90,
                               .is_ptx = true,
                               .log = &log,
                               .has_headers = true};
    bool ok = compiler_compile(compiler, &task, &binary, &job->problem);
    if (ok) {
        compiler_version(compiler, &major, &minor);
        (void)snprintf(version, sizeof version, "NVRTC %d.%d", major, minor);
        ok = workplace_write(job->place, "out.ptx", binary.image, binary.size, &job->problem) &&
             workplace_write(job->place, "version", version, strlen(version), &job->problem);
        binary_free(&binary);
    } else if (log) {
        (void)workplace_write(job->place, "log", log, strlen(log), &job->problem);
    }
    free(log);
    free(kernel);
    free(text);
    compiler_close(compiler);
    return ok;
}

static bool nvrtc_apart(void *self)
{
    struct nvrtc_job *job = self;
    struct problem ignored = {0};
    if (nvrtc_ptx(job))
        return true;
    (void)workplace_write(job->place, "problem", (const char *)&job->problem, sizeof job->problem, &ignored);
    return false;
}

static bool take_nvrtc_result(const struct workplace *place, enum process_end end, const char *name,
                              struct door_result *result, struct problem *problem)
{
    size_t size = 0;
    if (end == PROCESS_FINE) {
        char *version = workplace_read(place, "version", sizeof result->compiler, &size);
        (void)snprintf(result->compiler, sizeof result->compiler, "%s", version ? version : "NVRTC");
        free(version);
        result->ptx = workplace_read(place, "out.ptx", PTX_LIMIT, &result->size);
        return result->ptx || problem_say_world(problem, "what NVRTC made of %.200s cannot be read", name);
    }
    char *said = workplace_read(place, "problem", sizeof *problem, &size);
    if (said && size == sizeof *problem)
        memcpy(problem, said, sizeof *problem);
    else
        (void)problem_say(problem, "NVRTC does not compile %.200s: it %s", name,
                          end == PROCESS_TIMEOUT ? "takes too long" : "crashes on it");
    free(said);
    return false;
}

bool door_compile_nvrtc(const struct device_part_request *request, const struct standins *standins,
                        struct door_result *result, char **log, struct problem *problem)
{
    struct workplace place;
    if (!workplace_open(&place, problem))
        return false;
    struct nvrtc_job job = {request, &result->part, standins, &place, {0}};
    enum process_end end = process_apart(nvrtc_apart, &job, DOOR_SECONDS);
    size_t size = 0;
    bool ok = take_nvrtc_result(&place, end, request->text->name, result, problem);
    if (!ok)
        *log = workplace_read(&place, "log", 1 << 20, &size);
    workplace_close(&place);
    return ok;
}

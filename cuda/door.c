/* door.c - device part, declarations, compiler, PTX. */
#include "door.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/arena.h"
#include "compiler.h"
#include "door_texts.h"
#include "process.h"

#define PTX_LIMIT ((size_t)256 << 20)

enum { COMMAND_LIMIT = 24 };

/* Texts one after the other. */
struct sheet {
    char *bytes;
    size_t size;
};

static void put(struct sheet *sheet, const char *bytes, size_t size)
{
    sheet->bytes = memory_resize(sheet->bytes, sheet->size + size + 1, 1);
    memcpy(sheet->bytes + sheet->size, bytes, size);
    sheet->size += size;
    sheet->bytes[sheet->size] = '\0';
}

static void put_text(struct sheet *sheet, const char *text)
{
    put(sheet, text, strlen(text));
}

char *door_kernel_expression(const struct device_part *part)
{
    struct sheet sheet = {0};
    put_text(&sheet, part->scope);
    put_text(&sheet, part->kernel);
    if (part->arguments) {
        put_text(&sheet, "<");
        put_text(&sheet, part->arguments);
        put_text(&sheet, ">");
    }
    return sheet.bytes;
}

/* -D as directives, so that a value is nobody's command line. */
static void put_definitions(struct sheet *sheet, const struct device_part_request *request)
{
    for (unsigned i = 0; i < request->definition_count; i++) {
        const char *text = request->definitions[i], *equals = strchr(text, '=');
        put_text(sheet, "#define ");
        put(sheet, text, equals ? (size_t)(equals - text) : strlen(text));
        put_text(sheet, " ");
        put_text(sheet, equals ? equals + 1 : "1");
        put_text(sheet, "\n");
    }
}

/* The text itself, and the line that instantiates a template. */
static void put_part(struct sheet *sheet, const struct device_part *part)
{
    put_text(sheet, "#line 1 \"" DOOR_FILE "\"\n");
    put(sheet, part->text, part->size);
    if (!part->arguments)
        return;
    char *kernel = door_kernel_expression(part);
    put_text(sheet, "\n#line 1 \"template\"\ntemplate __global__ decltype(");
    put_text(sheet, kernel);
    put_text(sheet, ") ");
    put_text(sheet, kernel);
    put_text(sheet, ";\n");
    free(kernel);
}

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
               {"CUDART_", "math_constants.h"},
               {"cg::reduce", "cooperative_groups/reduce.h"},
               {"memcpy_async", "cooperative_groups/memcpy_async.h"}};

char *door_nvrtc_source(const struct device_part *part, const char *before, size_t *size)
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
    put_text(&sheet, before);
    put_text(&sheet, "#line 1 \"" DOOR_FILE "\"\n");
    put(&sheet, part->text, part->size);
    *size = sheet.size;
    return sheet.bytes;
}

/* The first line of a compiler's output that speaks of an error, without its file's folder. */
static bool say_error(const struct workplace *place, const char *compiler, const struct source *text,
                      struct problem *problem)
{
    size_t size = 0;
    char *log = workplace_read(place, "log", 1 << 20, &size);
    const char *error = log ? strstr(log, "error: ") : NULL;
    if (!error && log)
        error = strstr(log, "error");
    const char *line = error;
    while (line && line > log && line[-1] != '\n')
        line--;
    (void)problem_say(problem, "%s does not compile %s: %.*s", compiler, text->name,
                      line ? (int)strcspn(line, "\n") : 32, line ? line : "it gives no line with an error");
    free(log);
    return false;
}

/* Runs a compiler on the sheet; its PTX. IN and OUT in the command are replaced. */
static bool run_compiler(const struct sheet *sheet, const char *const *command, const char *folder,
                         const struct source *text, struct door_result *result, struct problem *problem)
{
    struct workplace place;
    const char *arguments[COMMAND_LIMIT];
    char in[WORKPLACE_PATH + 40], out[WORKPLACE_PATH + 40];
    if (!workplace_open(&place, problem))
        return false;
    (void)snprintf(in, sizeof in, "%s/" DOOR_FILE, place.path);
    (void)snprintf(out, sizeof out, "%s/kernel.ptx", place.path);
    for (unsigned i = 0; i < COMMAND_LIMIT && (!i || arguments[i - 1]); i++)
        arguments[i] = !command[i]                      ? NULL
                       : strcmp(command[i], "IN") == 0  ? in
                       : strcmp(command[i], "OUT") == 0 ? out
                                                        : command[i];
    bool ok = workplace_write(&place, DOOR_FILE, sheet->bytes, sheet->size, problem);
    if (ok) {
        switch (process_run(&place, arguments, folder, "log", DOOR_SECONDS)) {
        case PROCESS_FINE:
            result->ptx = workplace_read(&place, "kernel.ptx", PTX_LIMIT, &result->size);
            ok = result->ptx || problem_say_world(problem, "%s wrote no PTX", arguments[0]);
            break;
        case PROCESS_MISSING:
            ok = problem_say(problem, "there is no %s here: it is looked for in PATH", arguments[0]);
            break;
        case PROCESS_TIMEOUT:
            ok = problem_say(problem, "%s takes longer than %d seconds for %s", arguments[0], DOOR_SECONDS,
                             text->name);
            break;
        default:
            ok = say_error(&place, arguments[0], text, problem);
        }
    }
    workplace_close(&place);
    return ok;
}

/* "clang 14" from the first number that --version prints after the word. */
static void find_version(const char *program, const char *word, char *out, size_t size)
{
    struct workplace place;
    struct problem ignored = {0};
    const char *arguments[] = {program, "--version", NULL};
    size_t length = 0;
    (void)snprintf(out, size, "%s", program);
    if (!workplace_open(&place, &ignored))
        return;
    if (process_run(&place, arguments, NULL, "log", 10) == PROCESS_FINE) {
        char *log = workplace_read(&place, "log", 1 << 16, &length);
        const char *at = log ? strstr(log, word) : NULL;
        if (at)
            (void)snprintf(out, size, "%s %.*s", program, (int)strspn(at + strlen(word), "0123456789"),
                           at + strlen(word));
        free(log);
    }
    workplace_close(&place);
}

/* IN and OUT stand for the paths of the two files. */
static const char *const clang[] = {"clang",
                                    "-x",
                                    "cuda",
                                    "--cuda-device-only",
                                    "-nocudainc",
                                    "-nocudalib",
                                    "--cuda-gpu-arch=sm_70",
                                    "-Xclang",
                                    "-target-feature",
                                    "-Xclang",
                                    "+ptx70",
                                    "-fdeclspec",
                                    "-std=c++17",
                                    "-O1",
                                    "-gline-tables-only",
                                    "-Wno-everything",
                                    "-S",
                                    "IN",
                                    "-o",
                                    "OUT",
                                    NULL};
static const char *const nvcc[] = {"nvcc", "-ptx", "-arch=sm_90", "-std=c++17", "-lineinfo", "-w",
                                   "-I.",  "IN",   "-o",          "OUT",        NULL};

static bool compile_clang(const struct device_part_request *request, struct door_result *result,
                          struct problem *problem)
{
    struct sheet sheet = {0};
    put_text(&sheet, "#line 1 \"declarations\"\n");
    put_text(&sheet, door_numbers_text);
    put_text(&sheet, door_clang_text);
    put_text(&sheet, door_std_text);
    put_text(&sheet, door_groups_text);
    put_definitions(&sheet, request);
    put_part(&sheet, &result->part);
    bool ok = run_compiler(&sheet, clang, NULL, request->text, result, problem);
    if (ok)
        find_version("clang", "version ", result->compiler, sizeof result->compiler);
    free(sheet.bytes);
    return ok;
}

/* The folder of a file, where its own headers are; in memory of its own. */
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) + 1 : 1;
    char *folder = memory_take(length + 1, 1);
    memcpy(folder, slash ? path : ".", length);
    return folder;
}

static bool compile_nvcc(const struct device_part_request *request, struct door_result *result,
                         struct problem *problem)
{
    struct sheet sheet = {0};
    put_definitions(&sheet, request);
    put_part(&sheet, &result->part);
    char *folder = folder_of(request->text->name); /* for the headers beside it */
    bool ok = run_compiler(&sheet, nvcc, folder, request->text, result, problem);
    free(folder);
    if (ok)
        find_version("nvcc", "release ", result->compiler, sizeof result->compiler);
    free(sheet.bytes);
    return ok;
}

/* NVRTC is a library that crashes on some texts, so it runs in a process of its own. */
struct nvrtc_job {
    const struct device_part_request *request;
    const struct device_part *part;
    const struct workplace *place;
    struct problem problem;
};

static bool nvrtc_ptx(struct nvrtc_job *job)
{
    struct compiler *compiler;
    if (!compiler_open(&compiler, &job->problem))
        return false;
    struct source source = {DOOR_FILE, NULL, 0};
    char *text = door_nvrtc_source(job->part, "", &source.size);
    char *kernel = door_kernel_expression(job->part);
    struct binary binary;
    int major, minor;
    char version[40];
    source.bytes = text;
    struct compilation task = {.text = &source,
                               .definitions = job->request->definitions,
                               .definition_count = job->request->definition_count,
                               .kernel = kernel,
                               .architecture = 90,
                               .is_ptx = true,
                               .has_headers = true};
    bool ok = compiler_compile(compiler, &task, &binary, &job->problem);
    if (ok) {
        compiler_version(compiler, &major, &minor);
        (void)snprintf(version, sizeof version, "NVRTC %d.%d", major, minor);
        ok = workplace_write(job->place, "out.ptx", binary.image, binary.size, &job->problem) &&
             workplace_write(job->place, "version", version, strlen(version), &job->problem);
        binary_free(&binary);
    }
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

static bool compile_nvrtc(const struct device_part_request *request, struct door_result *result,
                          struct problem *problem)
{
    struct workplace place;
    if (!workplace_open(&place, problem))
        return false;
    struct nvrtc_job job = {request, &result->part, &place, {0}};
    enum process_end end = process_apart(nvrtc_apart, &job, DOOR_SECONDS);
    bool ok = take_nvrtc_result(&place, end, request->text->name, result, problem);
    workplace_close(&place);
    return ok;
}

bool door_compile(enum door door, const struct device_part_request *request, struct door_result *result,
                  struct problem *problem)
{
    struct device_part_request own = *request;
    *result = (struct door_result){0};
    own.keeps_includes = door == DOOR_NVCC;
    bool ok = device_part_of(&own, &result->part, problem);
    if (ok && door == DOOR_CLANG)
        ok = compile_clang(&own, result, problem);
    else if (ok && door == DOOR_NVCC)
        ok = compile_nvcc(&own, result, problem);
    else if (ok)
        ok = compile_nvrtc(&own, result, problem);
    if (!ok)
        door_free(result);
    return ok;
}

void door_free(struct door_result *result)
{
    device_part_free(&result->part);
    free(result->ptx);
    *result = (struct door_result){0};
}

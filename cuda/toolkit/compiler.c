/* compiler.c - NVRTC behind compiler.h. */
#include "../compiler.h"

#include <dlfcn.h>
#include <nvrtc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../base/arena.h"
#include "library.h"

enum { HEADER_LIMIT = 32, HEADER_NAME = 120, DEFINITION_LIMIT = 80, DEFINITION_SIZE = 300 };

#define CALLS(X)                                                                                             \
    X(nvrtcVersion)                                                                                          \
    X(nvrtcGetNumSupportedArchs)                                                                             \
    X(nvrtcGetSupportedArchs)                                                                                \
    X(nvrtcGetErrorString)                                                                                   \
    X(nvrtcCreateProgram)                                                                                    \
    X(nvrtcDestroyProgram)                                                                                   \
    X(nvrtcAddNameExpression)                                                                                \
    X(nvrtcCompileProgram)                                                                                   \
    X(nvrtcGetLoweredName)                                                                                   \
    X(nvrtcGetCUBINSize)                                                                                     \
    X(nvrtcGetPTXSize)                                                                                       \
    X(nvrtcGetPTX)                                                                                           \
    X(nvrtcGetCUBIN)                                                                                         \
    X(nvrtcGetProgramLogSize)                                                                                \
    X(nvrtcGetProgramLog)

struct calls {
#define POINTER(name) __typeof__(&name) name;
    CALLS(POINTER)
#undef POINTER
};

static const struct library_symbol symbols[] = {
#define ROW(name) {SYMBOL_NAME(name), offsetof(struct calls, name)},
    CALLS(ROW)
#undef ROW
};

struct compiler {
    void *library;
    struct calls call;
    int major, minor;
};

bool compiler_open(struct compiler **out, struct problem *problem)
{
    struct compiler *compiler = memory_take(1, sizeof *compiler);
    *out = NULL;
    compiler->library = library_open("nvrtc", ".2");
    if (!compiler->library)
        (void)problem_say(problem,
                          "NVRTC is missing (libnvrtc.so.13, .12 or .11.2); install CUDA's nvrtc library, or "
                          "say where CUDA is with CUDA_HOME or LD_LIBRARY_PATH");
    else if (library_bind(compiler->library, "libnvrtc", symbols, sizeof symbols / sizeof *symbols,
                          &compiler->call, problem) &&
             compiler->call.nvrtcVersion(&compiler->major, &compiler->minor) == NVRTC_SUCCESS) {
        *out = compiler;
        return true;
    }
    compiler_close(compiler);
    return false;
}

/* The library stays loaded: it keeps memory of its own until the process ends, which unloading would lose. */
void compiler_close(struct compiler *compiler)
{
    free(compiler);
}

void compiler_version(const struct compiler *compiler, int *major, int *minor)
{
    *major = compiler->major;
    *minor = compiler->minor;
}

unsigned compiler_architectures(const struct compiler *compiler, int *list, unsigned limit)
{
    int count = 0;
    if (compiler->call.nvrtcGetNumSupportedArchs(&count) != NVRTC_SUCCESS || count <= 0)
        return 0;
    int *all = memory_take((size_t)count, sizeof *all);
    unsigned taken = 0;
    if (compiler->call.nvrtcGetSupportedArchs(all) == NVRTC_SUCCESS)
        for (; taken < limit && taken < (unsigned)count; taken++)
            list[taken] = all[taken];
    free(all);
    return taken;
}

struct headers {
    char names[HEADER_LIMIT][HEADER_NAME];
    const char *name[HEADER_LIMIT], *content[HEADER_LIMIT];
    int count;
};

/* The names of `#include <...>` lines: each gets an empty header. */
static void find_headers(const char *text, struct headers *headers)
{
    headers->count = 0;
    for (const char *at = text; (at = strstr(at, "#")) && headers->count < HEADER_LIMIT;) {
        at += 1 + strspn(at + 1, " \t");
        if (strncmp(at, "include", 7) != 0)
            continue;
        at += 7 + strspn(at + 7, " \t");
        size_t length = strcspn(at, ">\n");
        if (*at != '<' || at[length] != '>' || length > HEADER_NAME)
            continue;
        int i = headers->count++;
        (void)snprintf(headers->names[i], HEADER_NAME, "%.*s", (int)length - 1, at + 1);
        headers->name[i] = headers->names[i];
        headers->content[i] = "";
    }
}

/* The first line of the log that speaks of an error. */
static bool say_log(struct compiler *compiler, nvrtcProgram program, const char *result, char **whole,
                    struct problem *problem)
{
    size_t size = 0;
    if (compiler->call.nvrtcGetProgramLogSize(program, &size) != NVRTC_SUCCESS || size < 2)
        return problem_say(problem, "NVRTC does not compile this text: %s", result);
    char *log = memory_take(size + 1, 1);
    (void)compiler->call.nvrtcGetProgramLog(program, log);
    const char *error = strstr(log, "error");
    while (error && error > log && error[-1] != '\n')
        error--;
    const char *line = error ? error : log;
    (void)problem_say(problem, "NVRTC does not compile this text: %.*s", (int)strcspn(line, "\n"), line);
    if (whole)
        *whole = log;
    else
        free(log);
    return false;
}

const char *compiler_include_folder(void)
{
    static const char usual[] = "/usr/local/cuda/include";
    return access("/usr/local/cuda/include/cuda_fp16.h", R_OK) == 0 ? usual : NULL;
}

static bool take_result(struct compiler *compiler, nvrtcProgram program, const struct compilation *task,
                        struct binary *binary)
{
    const char *name = NULL;
    size_t size = 0;
    nvrtcResult result = task->is_ptx ? compiler->call.nvrtcGetPTXSize(program, &size)
                                      : compiler->call.nvrtcGetCUBINSize(program, &size);
    if (compiler->call.nvrtcGetLoweredName(program, task->kernel, &name) != NVRTC_SUCCESS ||
        result != NVRTC_SUCCESS || size == 0)
        return false;
    binary->image = memory_take(size + 1, 1);
    binary->size = task->is_ptx ? size - 1 : size; /* PTX comes with its NUL */
    size_t length = strlen(name) + 1;
    binary->name = memory_take(length, 1);
    memcpy(binary->name, name, length);
    result = task->is_ptx ? compiler->call.nvrtcGetPTX(program, binary->image)
                          : compiler->call.nvrtcGetCUBIN(program, binary->image);
    return result == NVRTC_SUCCESS;
}

static bool compile(struct compiler *compiler, const struct compilation *task, nvrtcProgram program,
                    struct binary *binary, struct problem *problem)
{
    static const char include[] = "-I", inner[] = "/cccl";
    char texts[DEFINITION_LIMIT + 1][DEFINITION_SIZE], folders[2][DEFINITION_SIZE];
    char registers[40];
    const char *options[DEFINITION_LIMIT + 9], *folder = compiler_include_folder();
    int count = 0;
    if (task->definition_count > DEFINITION_LIMIT)
        return problem_say(problem, "at most %d macros can be defined for NVRTC", DEFINITION_LIMIT);
    (void)snprintf(texts[DEFINITION_LIMIT], DEFINITION_SIZE, "-arch=%s_%d", task->is_ptx ? "compute" : "sm",
                   task->architecture);
    options[count++] = texts[DEFINITION_LIMIT];
    options[count++] = "-std=c++17";
    if (task->is_ptx)
        options[count++] = "-lineinfo";
    (void)snprintf(registers, sizeof registers, "--maxrregcount=%u", task->registers);
    if (task->registers)
        options[count++] = registers;
    for (unsigned i = 0; task->has_headers && folder && i < 2; i++) {
        (void)snprintf(folders[i], DEFINITION_SIZE, "%s%s%s", include, folder, i ? inner : "");
        options[count++] = folders[i];
    }
    for (unsigned i = 0; i < task->definition_count; i++, count++) {
        int length = snprintf(texts[i], DEFINITION_SIZE, "-D%s", task->definitions[i]);
        if (length >= DEFINITION_SIZE)
            return problem_say(problem, "the definition %.40s... is longer than %d bytes",
                               task->definitions[i], DEFINITION_SIZE - 3);
        options[count] = texts[i];
    }
    nvrtcResult result = compiler->call.nvrtcAddNameExpression(program, task->kernel);
    if (result == NVRTC_SUCCESS)
        result = compiler->call.nvrtcCompileProgram(program, count, options);
    if (result != NVRTC_SUCCESS)
        return say_log(compiler, program, compiler->call.nvrtcGetErrorString(result), task->log, problem);
    return take_result(compiler, program, task, binary) ||
           problem_say(problem, "NVRTC compiled the text but gave no code for the kernel %s", task->kernel);
}

bool compiler_compile(struct compiler *compiler, const struct compilation *task, struct binary *binary,
                      struct problem *problem)
{
    char *text = memory_take(task->text->size + 1, 1);
    struct headers *headers = memory_take(1, sizeof *headers);
    nvrtcProgram program = NULL;
    *binary = (struct binary){0};
    memcpy(text, task->text->bytes, task->text->size);
    if (!task->has_headers)
        find_headers(text, headers);
    nvrtcResult result = compiler->call.nvrtcCreateProgram(&program, text, task->text->name, headers->count,
                                                           headers->content, headers->name);
    bool ok = result == NVRTC_SUCCESS ? compile(compiler, task, program, binary, problem)
                                      : problem_say(problem, "nvrtcCreateProgram failed: %s",
                                                    compiler->call.nvrtcGetErrorString(result));
    if (program)
        (void)compiler->call.nvrtcDestroyProgram(&program);
    if (!ok)
        binary_free(binary);
    free(headers);
    free(text);
    return ok;
}

void binary_free(struct binary *binary)
{
    free(binary->image);
    free(binary->name);
    *binary = (struct binary){0};
}

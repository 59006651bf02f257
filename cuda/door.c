/* door.c - device part, declarations, compiler, PTX. */
#include "door_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/arena.h"
#include "door_texts.h"
#include "process.h"
#include "standin.h"

enum { COMMAND_LIMIT = 24 };

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

/* What stands in for names that nothing declares. */
void door_put_standins(struct sheet *sheet, const struct standins *standins)
{
    if (!standins)
        return;
    put_text(sheet, "#line 1 \"stand-ins\"\n");
    put_text(sheet, standins->has_loops ? door_loops_text : "");
    put_text(sheet, standins->has_vectors ? door_vectors_text : "");
    put_text(sheet, door_standin_text);
    put_text(sheet, standins->text.bytes ? standins->text.bytes : "");
}

/* The text itself, and the line that instantiates a template. */
static void put_part(struct sheet *sheet, const struct device_part *part, const struct standins *standins)
{
    door_put_standins(sheet, standins);
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

/* The first line of a compiler's output that speaks of an error, without its file's folder. */
static bool say_error(const struct workplace *place, const char *compiler, const struct source *text,
                      char **whole, struct problem *problem)
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
    *whole = log;
    return false;
}

/* Runs a compiler on the sheet; its PTX. IN and OUT in the command are replaced. What it says of a failure
 * goes into *log, in memory of its own. */
static bool run_compiler(const struct sheet *sheet, const char *const *command, const char *folder,
                         const struct source *text, struct door_result *result, char **log,
                         struct problem *problem)
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
            ok = say_error(&place, arguments[0], text, log, problem);
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
                                    "-ferror-limit=100",
                                    "-S",
                                    "IN",
                                    "-o",
                                    "OUT",
                                    NULL};
static const char *const nvcc[] = {"nvcc", "-ptx", "-arch=sm_90", "-std=c++17", "-lineinfo", "-w",
                                   "-I.",  "IN",   "-o",          "OUT",        NULL};

static bool compile_clang(const struct device_part_request *request, const struct standins *standins,
                          struct door_result *result, char **log, struct problem *problem)
{
    struct sheet sheet = {0};
    put_text(&sheet, "#line 1 \"declarations\"\n");
    put_text(&sheet, door_numbers_text);
    put_text(&sheet, door_clang_text);
    put_text(&sheet, door_texture_text);
    put_text(&sheet, door_std_text);
    put_text(&sheet, door_groups_text);
    put_definitions(&sheet, request);
    put_part(&sheet, &result->part, standins);
    bool ok = run_compiler(&sheet, clang, NULL, request->text, result, log, problem);
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

static bool compile_nvcc(const struct device_part_request *request, const struct standins *standins,
                         struct door_result *result, char **log, struct problem *problem)
{
    struct sheet sheet = {0};
    put_definitions(&sheet, request);
    put_part(&sheet, &result->part, standins);
    char *folder = folder_of(request->text->name); /* for the headers beside it */
    bool ok = run_compiler(&sheet, nvcc, folder, request->text, result, log, problem);
    free(folder);
    if (ok)
        find_version("nvcc", "release ", result->compiler, sizeof result->compiler);
    free(sheet.bytes);
    return ok;
}

/* What NAME=VALUE would help, of all names that are constants and nobody knows. */
static bool ask_for_constants(const struct standins *standins, const struct source *text,
                              struct problem *problem)
{
    for (unsigned i = 0; i < standins->count; i++)
        if (standins->list[i].is_constant)
            problem_want(problem, PROBLEM_CURE_DEFINITION, "%s=32", standins->list[i].name);
    problem_offer(problem, PROBLEM_CURE_DEFINITION);
    return problem_say(problem,
                       "%s does not define %s: a header that is not here may, or the compiler's command line",
                       text->name, standins->missing.bytes);
}

static bool compile_once(enum door door, const struct device_part_request *request,
                         const struct standins *standins, struct door_result *result, char **log,
                         struct problem *problem)
{
    return door == DOOR_CLANG  ? compile_clang(request, standins, result, log, problem)
           : door == DOOR_NVCC ? compile_nvcc(request, standins, result, log, problem)
                               : door_compile_nvrtc(request, standins, result, log, problem);
}

/* Again and again, with more stand-ins each time. The first complaint stands where they do not help. */
static bool compile_assuming(enum door door, const struct device_part_request *request,
                             struct door_result *result, struct problem *problem)
{
    struct standins standins = {0};
    bool ok = false, goes_on = true;
    for (unsigned round = 0; goes_on && round < STANDIN_ROUNDS; round++) {
        struct problem inner = {0};
        char *log = NULL;
        ok = compile_once(door, request, &standins, result, &log, &inner);
        goes_on = !ok && log && standins_learn(&standins, &result->part, log);
        if (!ok && !problem->set)
            *problem = inner;
        free(log);
    }
    if (ok) {
        *problem = (struct problem){0};
        ok = !standins.missing.size || ask_for_constants(&standins, request->text, problem);
    }
    if (ok && standins.note.size)
        (void)snprintf(result->assumed, sizeof result->assumed, "%s", standins.note.bytes);
    standins_free(&standins);
    return ok;
}

bool door_compile(enum door door, bool assumes, const struct device_part_request *request,
                  struct door_result *result, struct problem *problem)
{
    struct device_part_request own = *request;
    char *log = NULL;
    *result = (struct door_result){0};
    own.keeps_includes = door == DOOR_NVCC;
    bool ok = device_part_of(&own, &result->part, problem) &&
              (assumes ? compile_assuming(door, &own, result, problem)
                       : compile_once(door, &own, NULL, result, &log, problem));
    free(log);
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

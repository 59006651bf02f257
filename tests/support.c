#include "support.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../base/arena.h"
#include "../base/text.h"

static char *read_all(FILE *file)
{
    size_t size = 0, capacity = 4096, got;
    char *bytes = memory_take(capacity + 1, 1);
    rewind(file);
    while ((got = fread(bytes + size, 1, capacity - size, file)) > 0) {
        size += got;
        if (size == capacity)
            bytes = memory_resize(bytes, (capacity *= 2) + 1, 1);
    }
    bytes[size] = '\0';
    return bytes;
}

struct run run_arguments(char *const *arguments)
{
    struct run run = {0};
    FILE *out = tmpfile(), *err = tmpfile();
    assert_non_null(out);
    assert_non_null(err);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (dup2(fileno(out), 1) < 0 || dup2(fileno(err), 2) < 0 || !freopen("/dev/null", "r", stdin))
            _exit(127);
        (void)setenv("TERM", "dumb", 1);
        execv(arguments[0], arguments);
        _exit(127);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    run.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    run.out = read_all(out);
    run.err = read_all(err);
    (void)fclose(out);
    (void)fclose(err);
    return run;
}

struct run run_program(const char *first, ...)
{
    const char *program = getenv("LANESCOPE");
    const char *arguments[64] = {program ? program : "./lanescope", first};
    va_list list;
    va_start(list, first);
    for (size_t i = 2; i < 63 && arguments[i - 1]; i++)
        arguments[i] = va_arg(list, const char *);
    va_end(list);
    char *copy[64];
    memcpy(copy, arguments, sizeof copy);
    return run_arguments(copy);
}

void run_free(struct run *run)
{
    free(run->out);
    free(run->err);
    *run = (struct run){0};
}

void expect_run(struct run run, int code, const char *out, const char *err)
{
    if (run.code != code || !strstr(run.out, out) || !strstr(run.err, err))
        fail_msg("expected %d '%s' '%s', got %d '%.2000s' '%.1000s'", code, out, err, run.code, run.out,
                 run.err);
    run_free(&run);
}

void expect_output(struct run run, int code, const char *out)
{
    if (run.code != code || strcmp(run.out, out) != 0)
        fail_msg("expected %d\n%s\ngot %d\n%s\n%s", code, out, run.code, run.out, run.err);
    run_free(&run);
}

/* A text in a file of its own, which the test removes. */
const char *write_temporary(const char *text)
{
    static char name[40];
    (void)snprintf(name, sizeof name, "/tmp/lanescope-test-XXXXXX");
    int descriptor = mkstemp(name);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    assert_non_null(file);
    (void)fputs(text, file);
    assert_int_equal(fclose(file), 0);
    return name;
}

struct run run_shell(const char *line)
{
    char copy[1000];
    (void)setenv("LANESCOPE", "./lanescope", 0);
    (void)snprintf(copy, sizeof copy, "%s", line);
    char *arguments[] = {"/bin/sh", "-c", copy, NULL};
    return run_arguments(arguments);
}

void open_scenario(struct scenario *scenario, const struct source *text,
                   const struct scenario_options *options)
{
    struct problem problem = {0};
    if (scenario_open(scenario, text, options, &problem))
        return;
    char message[1200];
    problem_format(&problem, NULL, message, sizeof message);
    fail_msg("%s", message);
}

void tally_scenario(const struct scenario *scenario, struct tally *tally)
{
    struct problem problem = {0};
    struct execution *execution = execution_new(scenario->program, &scenario->launch, false, &problem);
    assert_non_null(execution);
    tally_init(tally, scenario->program->site_count);
    struct sink sink = {.self = tally, .access = tally_access};
    if (!execution_run_blocks(execution, 0, launch_blocks(&scenario->launch), &sink, &problem))
        fail_msg("%s", problem.message);
    execution_free(execution);
}

struct source text_source(const char *text)
{
    return (struct source){"test.cu", text, strlen(text)};
}

/* splitmix64 */
uint64_t random_next(struct random *random)
{
    uint64_t z = random->state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

uint32_t random_below(struct random *random, uint32_t limit)
{
    return (uint32_t)(random_next(random) % limit);
}

#if defined(__has_feature)
#define HAS_FEATURE(x) __has_feature(x)
#else
#define HAS_FEATURE(x) 0
#endif

bool is_sanitized(void)
{
#if defined(__SANITIZE_ADDRESS__) || HAS_FEATURE(address_sanitizer)
    return true;
#else
    return false;
#endif
}

bool text_matches(const char *expected, const char *got)
{
    while (*expected) {
        if (strncmp(expected, "...\n", 4) == 0) {
            expected += 4;
            while (!text_matches(expected, got)) {
                if (!*got)
                    return false;
                got += strcspn(got, "\n");
                got += *got == '\n';
            }
            return true;
        }
        size_t line = strcspn(expected, "\n"), other = strcspn(got, "\n");
        while (other && got[other - 1] == ' ' && other > line)
            other--; /* blanks at a line's end do not survive in documents */
        if (line != other || strncmp(expected, got, line) != 0)
            return false;
        expected += line + (expected[line] == '\n');
        got += strcspn(got, "\n");
        got += *got == '\n';
    }
    return !*got;
}

char *read_data(const char *name)
{
    char path[256];
    (void)snprintf(path, sizeof path, "tests/data/%s", name);
    FILE *file = fopen(path, "rb");
    if (!file)
        fail_msg("%s is missing: run the tests from the project's folder", path);
    char *bytes = read_all(file);
    (void)fclose(file);
    return bytes;
}

char *read_file(const char *path)
{
    struct problem problem = {0};
    struct text text;
    if (!text_read_file(&text, path, 1 << 20, &problem))
        fail_msg("%s", problem.message);
    char *copy = memory_take(text.source.size + 1, 1);
    memcpy(copy, text.source.bytes, text.source.size);
    text_close(&text);
    return copy;
}

/* The folder of the program, which examples find by its name. */
static void program_folder(char out[PATH_MAX])
{
    const char *program = getenv("LANESCOPE");
    assert_non_null(realpath(program ? program : "./lanescope", out));
    char *slash = strrchr(out, '/');
    assert_string_equal(slash, "/lanescope");
    *slash = '\0';
}

static void run_example(const char *path, const char *folder, const char *command, const char *expected)
{
    char program[PATH_MAX], line[PATH_MAX + 2000];
    program_folder(program);
    if (!strstr(command, "lanescope "))
        fail_msg("%s: $ %s: an example is one of this program", path, command);
    (void)snprintf(line, sizeof line, "PATH='%s':\"$PATH\" && export PATH && cd '%s' && { %s\n} 2>&1",
                   program, folder, command);
    char *arguments[] = {"/bin/sh", "-c", line, NULL};
    struct run run = run_arguments(arguments);
    if (!text_matches(expected, run.out))
        fail_msg("%s: $ %s\nshould print\n%s\nprints\n%s", path, command, expected, run.out);
    run_free(&run);
}

/* Runs the examples of one block; returns how many. */
static unsigned run_block(const char *path, const char *folder, char *block)
{
    unsigned count = 0;
    char *at = block;
    while (*at) {
        char command[1000], *output;
        assert_memory_equal(at, "$ ", 2);
        (void)snprintf(command, sizeof command, "%.*s", (int)strcspn(at + 2, "\n"), at + 2);
        output = at + strcspn(at, "\n") + 1;
        char *next = strstr(output, "\n$ ");
        if (strncmp(output, "$ ", 2) == 0)
            next = output - 1;
        char *end = next ? next + 1 : output + strlen(output);
        char keep = *end;
        *end = '\0';
        run_example(path, folder, command, output);
        *end = keep;
        at = end;
        count++;
    }
    return count;
}

unsigned run_examples(const char *path, const char *folder)
{
    unsigned count = 0;
    char *text = read_file(path);
    for (char *at = text; (at = strstr(at, "```console\n")) != NULL;) {
        at += strlen("```console\n");
        char *end = strstr(at, "```");
        assert_non_null(end);
        *end = '\0';
        count += run_block(path, folder, at);
        at = end + 1;
    }
    free(text);
    return count;
}

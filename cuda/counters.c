#include "counters.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../base/arena.h"
#include "../base/csv.h"
#include "../base/text.h"

enum { ARGUMENT_LIMIT = 400, OUTPUT_LIMIT = 1 << 30, LOG_LIMIT = 1 << 24 };

static char *copy_text(const char *text)
{
    size_t size = strlen(text) + 1;
    return memcpy(memory_take(size, 1), text, size);
}

static char *try_path(const char *folder, size_t length, const char *rest)
{
    char path[1024];
    int written = snprintf(path, sizeof path, "%.*s%s", (int)length, folder, rest);
    return written > 0 && (size_t)written < sizeof path && access(path, X_OK) == 0 ? copy_text(path) : NULL;
}

char *counters_find_ncu(void)
{
    const char *path = getenv("PATH"), *home = getenv("CUDA_HOME");
    char *found = NULL;
    for (const char *at = path ? path : ""; *at && !found;) {
        size_t length = strcspn(at, ":");
        found = try_path(at, length, "/ncu");
        at += length + (at[length] == ':');
    }
    if (!found && home)
        found = try_path(home, strlen(home), "/bin/ncu");
    if (!found)
        found = try_path("/usr/local/cuda", 15, "/bin/ncu");
    glob_t matches;
    if (!found && glob("/opt/nvidia/nsight-compute/*/ncu", 0, NULL, &matches) == 0) {
        found = copy_text(matches.gl_pathv[matches.gl_pathc - 1]); /* sorted: the newest */
        globfree(&matches);
    }
    return found;
}

void counter_table_free(struct counter_table *table)
{
    free(table->rows);
    *table = (struct counter_table){0};
}

/* "1,234" is 1234; anything else than digits and separators is absent. */
static uint64_t counter_value(const char *text)
{
    uint64_t value = 0;
    if (*text < '0' || *text > '9')
        return COUNTER_ABSENT;
    for (; *text; text++) {
        if (*text == ',')
            continue;
        if (*text < '0' || *text > '9')
            return COUNTER_ABSENT;
        value = value * 10 + (uint64_t)(*text - '0');
    }
    return value;
}

static bool find_columns(const struct csv *csv, const char *const *names, size_t count, unsigned *column,
                         struct problem *problem)
{
    for (size_t i = 0; i < count; i++) {
        column[i] = csv_find(csv, names[i]);
        if (column[i] == CSV_FIELD_LIMIT)
            return problem_say(problem, "ncu's table has no column %s", names[i]);
    }
    return true;
}

bool counters_parse(const struct source *text, const char *const *names, size_t name_count,
                    struct counter_table *table, struct problem *problem)
{
    struct csv csv;
    unsigned column[COUNTERS_METRIC_LIMIT];
    size_t capacity = 0;
    unsigned row = 0;
    bool ok = true;
    *table = (struct counter_table){0};
    csv_open(&csv, text);
    while (ok && csv_next(&csv, problem)) {
        if (strncmp(csv.fields[0], "==", 2) == 0)
            continue;
        if (row++ == 0) {
            ok = find_columns(&csv, names, name_count, column, problem);
            continue;
        }
        if (row == 2) /* the units */
            continue;
        if (table->count == capacity) {
            capacity = capacity ? 2 * capacity : 64;
            table->rows = memory_resize(table->rows, capacity, sizeof *table->rows);
        }
        struct counter_row *values = &table->rows[table->count++];
        for (size_t i = 0; i < name_count; i++)
            values->value[i] = counter_value(csv_field(&csv, column[i]));
    }
    csv_close(&csv);
    ok = ok && !problem->set && (row > 2 || problem_say(problem, "ncu measured no launch"));
    if (!ok)
        counter_table_free(table);
    return ok;
}

struct ncu_call {
    char *ncu;
    char folder[200], output[240], log[240];
    char *arguments[ARGUMENT_LIMIT];
    unsigned count;
    char *command_line; /* this program's, its texts one after the other */
    char self[1024];
};

static bool add(struct ncu_call *call, char *argument)
{
    if (call->count + 1 >= ARGUMENT_LIMIT)
        return false;
    call->arguments[call->count++] = argument;
    call->arguments[call->count] = NULL;
    return true;
}

/* This program and its arguments, as the system keeps them, and one more. */
static bool add_self(struct ncu_call *call, char *more, struct problem *problem)
{
    struct text text;
    ssize_t length = readlink("/proc/self/exe", call->self, sizeof call->self - 1);
    if (length < 0 || !text_read_file(&text, "/proc/self/cmdline", LOG_LIMIT, problem))
        return problem_say(problem, "this program's own path and arguments cannot be read from /proc/self");
    call->self[length] = '\0';
    call->command_line = memory_take(text.source.size + 1, 1);
    memcpy(call->command_line, text.source.bytes, text.source.size);
    size_t size = text.source.size;
    text_close(&text);
    bool ok = add(call, call->self);
    for (size_t at = strlen(call->command_line) + 1; ok && at < size;
         at += strlen(call->command_line + at) + 1)
        ok = add(call, call->command_line + at);
    return (ok && add(call, more)) ||
           problem_say(problem, "the command line has more arguments than can be handed to ncu");
}

/* In the child: output into the log, then ncu. */
static void become_ncu(const struct ncu_call *call)
{
    int log = open(call->log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (log >= 0) {
        (void)dup2(log, STDOUT_FILENO);
        (void)dup2(log, STDERR_FILENO);
    }
    (void)signal(SIGPIPE, SIG_DFL);
    execv(call->ncu, call->arguments);
    _exit(127);
}

/* The first line of a file that speaks of an error. */
static bool say_error_of(const char *path, struct problem *problem)
{
    struct text text;
    struct problem ignored = {0};
    if (!text_read_file(&text, path, LOG_LIMIT, &ignored))
        return false;
    const char *at = text.source.bytes, *end = at + text.source.size;
    bool said = false;
    while (at < end && !said) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        size_t length = newline ? (size_t)(newline - at) : (size_t)(end - at);
        said = (length > 9 && memcmp(at, "==ERROR==", 9) == 0) ||
               (length > 11 && memcmp(at, "lanescope: ", 11) == 0);
        if (said)
            (void)problem_say(problem, "Nsight Compute did not measure: %.*s", (int)length, at);
        at += length + 1;
    }
    text_close(&text);
    return said;
}

static bool run_ncu(const struct ncu_call *call, struct problem *problem)
{
    int status = 0;
    pid_t child = fork();
    if (child < 0)
        return problem_say(problem, "ncu cannot be started: %s", strerror(errno));
    if (child == 0)
        become_ncu(call);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return true;
    if (say_error_of(call->output, problem) || say_error_of(call->log, problem))
        return false;
    return problem_say(problem, "Nsight Compute (%s) ended with status %d and gave no reason", call->ncu,
                       WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

static bool prepare(struct ncu_call *call, char *metric_list, char *more, struct problem *problem)
{
    const char *temporary = getenv("TMPDIR");
    (void)snprintf(call->folder, sizeof call->folder, "%s/lanescope.XXXXXX", temporary ? temporary : "/tmp");
    call->ncu = counters_find_ncu();
    if (!call->ncu)
        return problem_say(problem, "Nsight Compute is missing: ncu is not on PATH, in CUDA_HOME/bin or in "
                                    "/opt/nvidia/nsight-compute; install it to read hardware counters");
    if (!mkdtemp(call->folder))
        return problem_say(problem, "no folder can be made for ncu's output in %s: %s",
                           temporary ? temporary : "/tmp", strerror(errno));
    (void)snprintf(call->output, sizeof call->output, "%s/counters.csv", call->folder);
    (void)snprintf(call->log, sizeof call->log, "%s/log", call->folder);
    static char *const fixed[] = {"--csv", "--page",          "raw",  "--print-units",
                                  "base",  "--clock-control", "none", "--cache-control",
                                  "all",   "--log-file"};
    (void)add(call, call->ncu);
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        (void)add(call, fixed[i]);
    return add(call, call->output) && add(call, "--metrics") && add(call, metric_list) &&
           add_self(call, more, problem);
}

static void remove_files(const struct ncu_call *call)
{
    (void)unlink(call->output);
    (void)unlink(call->log);
    (void)rmdir(call->folder);
}

bool counters_run(const char *const *names, size_t name_count, const char *launch_only,
                  struct counter_table *table, struct problem *problem)
{
    struct ncu_call *call = memory_take(1, sizeof *call);
    char *more = copy_text(launch_only); /* execv() wants texts that could be written to */
    struct text text;
    char list[COUNTERS_METRIC_LIMIT * 100] = "";
    *table = (struct counter_table){0};
    for (size_t i = 0; i < name_count; i++) {
        size_t used = strlen(list);
        (void)snprintf(list + used, sizeof list - used, "%s%s", i ? "," : "", names[i]);
    }
    bool ok = prepare(call, list, more, problem) && run_ncu(call, problem) &&
              text_read_file(&text, call->output, OUTPUT_LIMIT, problem);
    if (ok) {
        ok = counters_parse(&text.source, names, name_count, table, problem);
        text_close(&text);
    }
    remove_files(call);
    free(call->command_line);
    free(call->ncu);
    free(call);
    free(more);
    return ok;
}

bool counters_are_of(const struct counter_table *table, size_t launches, struct problem *problem)
{
    return table->count == launches ||
           problem_say(problem, "ncu measured %zu launches where %zu were made", table->count, launches);
}

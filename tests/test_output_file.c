/* test_output_file.c - what is written is there whole or not at all, and never takes an input's place. */
#include "support.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../base/output_file.h"

static char folder[] = "/tmp/lanescope-test-XXXXXX";

static const char *in_folder(const char *name)
{
    static char paths[64][300];
    static unsigned next;
    char *path = paths[next++ % 64];
    (void)snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static void put(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    (void)fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void expect_text(const char *path, const char *text)
{
    char got[200] = "";
    FILE *file = fopen(path, "r");
    if (!file)
        fail_msg("%s is not there", path);
    got[fread(got, 1, sizeof got - 1, file)] = '\0';
    (void)fclose(file);
    assert_string_equal(got, text);
}

/* Names in the folder, without . and .. */
static unsigned count_files(void)
{
    unsigned count = 0;
    DIR *open = opendir(folder);
    assert_non_null(open);
    for (struct dirent *entry; (entry = readdir(open)) != NULL;)
        count += entry->d_name[0] != '.' || strncmp(entry->d_name, ".lanescope", 10) == 0;
    (void)closedir(open);
    return count;
}

static void clear(void)
{
    DIR *open = opendir(folder);
    assert_non_null(open);
    for (struct dirent *entry; (entry = readdir(open)) != NULL;)
        (void)unlink(in_folder(entry->d_name));
    (void)closedir(open);
}

static int set_up(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    clear();
    return rmdir(folder);
}

static void open_file(struct output_file *file, const char *path, enum output_rule rule)
{
    struct problem problem = {0};
    if (!output_file_open(file, path, rule, &problem))
        fail_msg("%s", problem.message);
    (void)fputs("new", file->stream);
}

static void the_old_file_stays_until_the_new_one_is_whole(void **state)
{
    (void)state;
    struct problem problem = {0};
    struct output_file file;
    const char *path = in_folder("a");
    clear();
    put(path, "old");
    assert_int_equal(chmod(path, 0640), 0);
    open_file(&file, path, OUTPUT_REPLACES);
    expect_text(path, "old");
    assert_int_equal(count_files(), 2);
    assert_true(output_file_finish(&file, false, &problem));
    expect_text(path, "old");
    assert_int_equal(count_files(), 1);
    open_file(&file, path, OUTPUT_REPLACES);
    assert_true(output_file_finish(&file, true, &problem));
    expect_text(path, "new");
    assert_int_equal(count_files(), 1);
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0640);
}

static void links_are_followed_and_stay(void **state)
{
    (void)state;
    struct problem problem = {0};
    struct output_file file;
    struct stat status;
    clear();
    put(in_folder("a"), "old");
    assert_int_equal(symlink("a", in_folder("link")), 0);
    assert_int_equal(symlink("link", in_folder("far")), 0);
    assert_int_equal(symlink("nothing", in_folder("dangling")), 0);
    assert_int_equal(symlink("loop", in_folder("loop")), 0);
    open_file(&file, in_folder("far"), OUTPUT_REPLACES);
    assert_true(output_file_finish(&file, true, &problem));
    expect_text(in_folder("a"), "new");
    assert_int_equal(lstat(in_folder("far"), &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    open_file(&file, in_folder("dangling"), OUTPUT_REPLACES);
    assert_true(output_file_finish(&file, true, &problem));
    expect_text(in_folder("nothing"), "new");
    assert_false(output_file_open(&file, in_folder("loop"), OUTPUT_REPLACES, &problem));
    assert_non_null(strstr(problem.message, "cannot be written"));
}

static void a_new_file_replaces_nothing(void **state)
{
    (void)state;
    struct problem problem = {0};
    struct output_file file;
    clear();
    open_file(&file, in_folder("a"), OUTPUT_IS_NEW);
    assert_int_equal(access(in_folder("a"), F_OK), -1);
    put(in_folder("a"), "meanwhile");
    assert_false(output_file_finish(&file, true, &problem));
    assert_non_null(strstr(problem.message, "exists already"));
    expect_text(in_folder("a"), "meanwhile");
    assert_int_equal(count_files(), 1);
    problem = (struct problem){0};
    assert_false(output_file_open(&file, in_folder("a"), OUTPUT_IS_NEW, &problem));
    open_file(&file, in_folder("b"), OUTPUT_IS_NEW);
    problem = (struct problem){0};
    assert_true(output_file_finish(&file, true, &problem));
    expect_text(in_folder("b"), "new");
    assert_int_equal(count_files(), 2);
}

static void a_signal_removes_what_was_written(void **state)
{
    (void)state;
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    clear();
    for (unsigned i = 0; i < 3; i++) {
        int status;
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            struct output_file file;
            struct problem problem = {0};
            (void)signal(signals[i], SIG_DFL); /* a test may run under nohup */
            (void)output_file_open(&file, in_folder("a"), OUTPUT_REPLACES, &problem);
            (void)raise(signals[i]);
            _exit(0);
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status));
        assert_int_equal(WTERMSIG(status), signals[i]);
        assert_int_equal(count_files(), 0);
    }
}

#define KERNEL                                                                                               \
    "// block: 32\n// grid: 1\n__global__ void k(const float *in, float *out)\n{ out[0] = in[0]; }\n"

static void an_input_is_never_written_over(void **state)
{
    (void)state;
    const char *kernel = in_folder("k.cu"), *link = in_folder("link.txt");
    clear();
    put(kernel, KERNEL);
    assert_int_equal(symlink("k.cu", link), 0);
    expect_run(run_program("trace", kernel, "-o", kernel, NULL), 2, "",
               "is read, so it cannot be written too");
    expect_run(run_program("trace", kernel, "-o", link, NULL), 2, "", "is read, so it cannot be written too");
    expect_run(run_program("ladder", link, "-o", kernel, NULL), 2, "",
               "is read, so it cannot be written too");
    expect_run(run_program("compare", kernel, "-o", link, NULL), 2, "",
               "is read, so it cannot be written too");
    expect_run(run_program("confirm", "--configs", kernel, "--record", link, NULL), 2, "", "is read, so");
    expect_run(run_program("confirm", "--patterns", kernel, "--record-accesses", kernel, NULL), 2, "",
               "is read, so");
    expect_run(run_program("confirm", "-o", "x", "--record", "./x", NULL), 2, "", "x and ./x are one file");
    expect_run(run_program("confirm", "-o", "x", "--record-accesses", "x", NULL), 2, "", "are one file");
    expect_text(kernel, KERNEL);
    expect_run(run_program("trace", kernel, "-o", in_folder("out"), NULL), 0, "", "");
}

static void failures_leave_the_old_output(void **state)
{
    (void)state;
    const char *kernel = in_folder("k.cu"), *out = in_folder("out");
    clear();
    put(kernel, "__global__ void k(float *out) { out[0] = }\n");
    put(out, "old");
    expect_run(run_program("trace", kernel, "-o", out, NULL), 2, "", "k.cu:1:");
    expect_text(out, "old");
    expect_run(run_program("trace", "missing.cu", "-o", out, NULL), 2, "", "cannot be read");
    expect_text(out, "old");
    put(kernel, "// block: 32\n// grid: 1\n__global__ void k(float *out)\n"
                "{ out[0] = 1.f; if (threadIdx.x) __syncthreads(); __syncthreads(); }\n");
    expect_run(run_program("trace", kernel, "-o", out, NULL), 1, "", "only some lanes");
    expect_text(out, "old");
    assert_int_equal(count_files(), 2);
    if (geteuid() != 0) {
        assert_int_equal(chmod(out, 0444), 0);
        expect_run(run_program("ladder", "copy", "-o", out, NULL), 2, "", "cannot be written: Permission");
        expect_text(out, "old");
    }
    /* an answer "no" is an answer */
    assert_int_equal(chmod(out, 0644), 0);
    expect_run(run_program("owners", "copy", "--task", "transpose", "-f", "csv", "-o", out, NULL), 1, "", "");
    char first[8] = "";
    FILE *file = fopen(out, "r");
    assert_non_null(file);
    assert_non_null(fgets(first, sizeof first, file));
    (void)fclose(file);
    assert_string_equal(first, "missing");
}

/* A command line in the folder, with the program as $P. */
static struct run run_in_folder(const char *line)
{
    const char *program = getenv("LANESCOPE");
    char whole[1200], here[600] = "";
    if (!program || program[0] != '/')
        assert_non_null(getcwd(here, sizeof here));
    (void)snprintf(whole, sizeof whole, "P='%s/%s'; cd %s && %s", here, program ? program : "lanescope",
                   folder, line);
    char *arguments[] = {"/bin/sh", "-c", whole, NULL};
    return run_arguments(arguments);
}

static void devices_and_pipes_are_written_directly(void **state)
{
    (void)state;
    clear();
    expect_run(run_program("ladder", "copy", "-o", "/dev/stdout", NULL), 0, "global memory", "");
    expect_run(run_program("ladder", "copy", "-o", "/dev/null", NULL), 0, "", "");
    expect_run(run_in_folder("mkfifo pipe && (cat pipe & \"$P\" ladder copy -o pipe; wait)"), 0,
               "global memory", "");
    assert_int_equal(count_files(), 1);
    expect_run(
        run_in_folder("rm pipe; (echo first; \"$P\" modular -m 2 -o /dev/stdout; echo last) >a; cat a"), 0,
        "first\nm = 2, a = 1: period 2 = m / gcd(a, m)\nk * a mod m: 0 1\nlast\n", "");
    expect_run(run_in_folder("\"$P\" modular -m 2 -o /dev/fd/3 3>a; cat a"), 0, "k * a mod m: 0 1\n", "");
    assert_int_equal(count_files(), 1);
    /* read from there, it cannot be written there */
    put(in_folder("k.cu"), KERNEL);
    expect_run(run_in_folder("\"$P\" trace /dev/stdin -o k.cu <k.cu"), 2, "",
               "is read, so it cannot be written too");
    expect_text(in_folder("k.cu"), KERNEL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_old_file_stays_until_the_new_one_is_whole),
        cmocka_unit_test(links_are_followed_and_stay),
        cmocka_unit_test(a_new_file_replaces_nothing),
        cmocka_unit_test(a_signal_removes_what_was_written),
        cmocka_unit_test(an_input_is_never_written_over),
        cmocka_unit_test(failures_leave_the_old_output),
        cmocka_unit_test(devices_and_pipes_are_written_directly),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

/* test_includes.c - #include "file": beside the text, in a folder of -I, once, in circles, hostile. */
#include "support.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

#define HEAD   "// block: 32\n// grid: 1\n"
#define KERNEL "__global__ void k(const elem *in, elem *out) { out[AT(threadIdx.x)] = in[threadIdx.x]; }\n"

static int set_up(void **state)
{
    static char folder[] = "build/includes-XXXXXX";
    char path[100];
    if (!mkdtemp(folder))
        return -1;
    *state = folder;
    (void)snprintf(path, sizeof path, "%s/sub", folder);
    assert_int_equal(mkdir(path, 0700), 0);
    (void)snprintf(path, sizeof path, "%s/types.h", folder);
    write_text(path, "#pragma once\n#include \"types.h\"\n#include \"sub/more.h\"\ntypedef double elem;\n");
    (void)snprintf(path, sizeof path, "%s/sub/more.h", folder);
    write_text(path, "#include \"../types.h\"\n#include \"beside.h\"\n");
    (void)snprintf(path, sizeof path, "%s/sub/beside.h", folder);
    write_text(path, "#define AT(x) (31 - (x))\n");
    (void)snprintf(path, sizeof path, "%s/k.cu", folder);
    write_text(path, HEAD "#include \"types.h\"\n#include <vector>\n" KERNEL);
    (void)snprintf(path, sizeof path, "%s/loop.h", folder);
    write_text(path, "#include \"loop.h\"\n#define DEEP 1\n");
    (void)snprintf(path, sizeof path, "%s/bad.h", folder);
    write_text(path, "typedef float elem;\n#error not this way\n#define AT(x) x\n");
    return 0;
}

static int tear_down(void **state)
{
    static const char *const names[] = {"types.h", "sub/more.h", "sub/beside.h", "k.cu", "loop.h",
                                        "bad.h",   "l.cu",       "sub",          ""};
    char path[100];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        (void)snprintf(path, sizeof path, "%s/%s", (char *)*state, names[i]);
        (void)remove(path);
    }
    return 0;
}

static void texts_beside_and_below_are_read(void **state)
{
    char path[100];
    (void)snprintf(path, sizeof path, "%s/k.cu", (char *)*state);
    struct run run = run_program("trace", path, "-f", "csv", "-m", "8", "-n", "8", NULL);
    assert_int_equal(run.code, 0);
    assert_non_null(strstr(run.out, ",248,")); /* element 31 of 8 bytes */
    run_free(&run);
}

static void folders_of_an_option_are_searched(void **state)
{
    char path[100], folder[100];
    (void)snprintf(path, sizeof path, "%s/sub/l.cu", (char *)*state);
    write_text(path, HEAD "#include \"types.h\"\n" KERNEL);
    struct run run = run_program("ladder", path, NULL);
    assert_int_equal(run.code, 2);
    run_free(&run);
    (void)snprintf(folder, sizeof folder, "%s", (char *)*state);
    run = run_program("ladder", path, "-I", folder, "-m", "8", "-n", "8", NULL);
    assert_int_equal(run.code, 0);
    run_free(&run);
    assert_int_equal(remove(path), 0);
}

static void circles_and_texts_that_stop_end_well(void **state)
{
    char path[100];
    (void)snprintf(path, sizeof path, "%s/l.cu", (char *)*state);
    write_text(path, HEAD
               "#include \"loop.h\"\n#ifdef DEEP\n#define AT(x) x\ntypedef float elem;\n#endif\n" KERNEL);
    struct run run = run_program("ladder", path, "-m", "8", "-n", "8", NULL);
    assert_int_equal(run.code, 0);
    run_free(&run);
    write_text(path, HEAD "#include \"bad.h\"\n" KERNEL); /* what stood before the #error counts */
    run = run_program("ladder", path, "-m", "8", "-n", "8", NULL);
    assert_int_equal(run.code, 2);
    assert_non_null(strstr(run.err, "AT cannot be called"));
    run_free(&run);
    write_text(
        path, HEAD
        "#include \"/etc/passwd\"\n#include \"nowhere.h\"\n#define AT(x) x\ntypedef float elem;\n" KERNEL);
    run = run_program("ladder", path, "-m", "8", "-n", "8", NULL);
    assert_int_equal(run.code, 0);
    assert_non_null(strstr(run.err, "2 #include lines were passed over"));
    run_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_beside_and_below_are_read),
        cmocka_unit_test(folders_of_an_option_are_searched),
        cmocka_unit_test(circles_and_texts_that_stop_end_well),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

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

static void folders_of_an_option_come_first(void **state)
{
    char path[100], folder[100], other[100];
    (void)snprintf(path, sizeof path, "%s/sub/l.cu", (char *)*state);
    (void)snprintf(folder, sizeof folder, "%s/other", (char *)*state);
    (void)snprintf(other, sizeof other, "%s/other/types.h", (char *)*state);
    write_text(path, HEAD "#include <types.h>\n#define AT(x) (31 - (x))\n" KERNEL);
    assert_int_equal(mkdir(folder, 0700), 0);
    write_text(other, "typedef char elem;\n");
    struct run run = run_program("trace", path, "-I", folder, "-f", "csv", "-m", "8", "-n", "8", NULL);
    assert_int_equal(run.code, 0);
    assert_non_null(strstr(run.out, ",31,")); /* element 31 of 1 byte */
    assert_null(strstr(run.err, "search"));
    run_free(&run);
    assert_int_equal(remove(other), 0);
    assert_int_equal(remove(folder), 0);
    assert_int_equal(remove(path), 0);
}

/* #include "NAME" in sub/l.cu; the header's elements have 8 bytes. */
static struct run with_include(void **state, const char *name)
{
    char path[100], text[400];
    (void)snprintf(path, sizeof path, "%s/sub/l.cu", (char *)*state);
    (void)snprintf(text, sizeof text, HEAD "#include %s\n#define AT(x) (31 - (x))\n" KERNEL, name);
    write_text(path, text);
    struct run run = run_program("trace", path, "--via", "builtin", "-m", "8", "-n", "8", NULL);
    assert_int_equal(remove(path), 0);
    return run;
}

static void a_project_is_searched_for_headers(void **state)
{
    static const char *const names[] = {"\"types.h\"", "<types.h>", "\"../../types.h\""};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct run run = with_include(state, names[i]);
        assert_int_equal(run.code, 0);
        assert_non_null(strstr(run.out, "found by search: "));
        assert_non_null(strstr(run.out, "sub/../types.h; -I FOLDER says another place"));
        run_free(&run);
    }
}

/* Two that are equally near are not chosen between, and links are not followed. */
static void a_search_does_not_guess(void **state)
{
    char path[2][100], folder[2][100], link[100];
    for (int i = 0; i < 2; i++) {
        (void)snprintf(folder[i], sizeof folder[i], "%s/part%d", (char *)*state, i);
        (void)snprintf(path[i], sizeof path[i], "%s/part%d/two.h", (char *)*state, i);
        assert_int_equal(mkdir(folder[i], 0700), 0);
        write_text(path[i], "typedef double elem;\n");
    }
    struct run run = with_include(state, "\"two.h\"");
    assert_null(strstr(run.out, "by search"));
    assert_non_null(strstr(run.out, "float for elem"));
    run_free(&run);
    assert_int_equal(remove(path[1]), 0);
    (void)snprintf(link, sizeof link, "%s/part1/only.h", (char *)*state);
    assert_int_equal(symlink("../part0/two.h", link), 0);
    run = with_include(state, "\"only.h\"");
    assert_null(strstr(run.out, "by search"));
    run_free(&run);
    run = with_include(state, "\"two.h\"");
    assert_non_null(strstr(run.out, "part0/two.h; -I FOLDER"));
    run_free(&run);
    assert_int_equal(remove(link), 0);
    assert_int_equal(remove(path[0]), 0);
    assert_int_equal(remove(folder[0]), 0);
    assert_int_equal(remove(folder[1]), 0);
}

/* A header that is broken off in the middle does not swallow what comes after it. */
static void half_a_header_ends_well(void **state)
{
    char path[100];
    (void)snprintf(path, sizeof path, "%s/half.h", (char *)*state);
    write_text(path, "namespace a {\ntypedef double elem;\n__device__ int f(int x) {\n#error no\n}\n}\n");
    struct run run = with_include(state, "\"half.h\"");
    assert_int_equal(run.code, 0);
    run_free(&run);
    write_text(path, "#if __has_include(<nothing>) || 0\n#error no\n#endif\ntypedef double elem;\n");
    run = with_include(state, "\"half.h\"");
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
    char twice[100]; /* 2 to the power of 32 texts */
    (void)snprintf(twice, sizeof twice, "%s/twice.h", (char *)*state);
    write_text(twice, "#include \"twice.h\"\n#include \"twice.h\"\n");
    write_text(path, HEAD "#include \"twice.h\"\n#define AT(x) x\ntypedef float elem;\n" KERNEL);
    run = run_program("ladder", path, "-m", "8", "-n", "8", NULL);
    assert_int_equal(run.code, 0);
    run_free(&run);
    assert_int_equal(remove(twice), 0);
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
        cmocka_unit_test(folders_of_an_option_come_first),
        cmocka_unit_test(a_project_is_searched_for_headers),
        cmocka_unit_test(a_search_does_not_guess),
        cmocka_unit_test(half_a_header_ends_well),
        cmocka_unit_test(circles_and_texts_that_stop_end_well),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

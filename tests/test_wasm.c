/* test_wasm.c - the simulator compiled to WebAssembly says what the program of this machine says.
 *
 * `make test` builds build/wasm/lanescope.wasm where clang, wasi-libc and lld are; node runs it. Without them
 * these tests are skipped, and counted as that.
 */
#include "tui_support.h"

#include <unistd.h>

#define WASM "build/wasm/lanescope.wasm"

static struct run shell(const char *command)
{
    char line[1000];
    (void)snprintf(line, sizeof line, "%s", command);
    char *arguments[] = {"/bin/sh", "-c", line, NULL};
    return run_arguments(arguments);
}

/* Arguments as the shell takes them. */
static struct run run_wasm(const char *arguments)
{
    char line[1000];
    (void)snprintf(line, sizeof line, "node --no-warnings wasm/run.mjs " WASM " %s", arguments);
    return shell(line);
}

/* Says once what is missing. */
static void skip_without_tools(void)
{
    static bool told;
    struct run node = shell("node --no-warnings -e 'require(\"node:wasi\")'");
    bool compiled = access(WASM, R_OK) == 0, runs = node.code == 0;
    run_free(&node);
    if (compiled && runs)
        return;
    if (!told)
        print_message("note: skipped: WebAssembly is not %s here: %s\n", compiled ? "run" : "compiled",
                      compiled ? "node 18 or later does" : "make wasm");
    told = true;
    skip();
}

/* The `row`-th line's cell of the column `name` of a csv text without quotes. */
static const char *cell(const char *csv, unsigned row, const char *name, char out[100])
{
    unsigned column = 0;
    const char *at = csv;
    for (; strncmp(at, name, strlen(name)) != 0 || !strchr(",\n", at[strlen(name)]); column++) {
        at += strcspn(at, ",\n");
        if (*at++ != ',')
            fail_msg("there is no column %s", name);
    }
    for (at = csv; row; row--)
        at = strchr(at, '\n') + 1;
    for (; column; column--)
        at = strchr(at, ',') + 1;
    (void)snprintf(out, 100, "%.*s", (int)strcspn(at, ",\n"), at);
    return out;
}

static void compare_ladders(const char *wasm, const char *native)
{
    for (const char *name = wasm; name[-1 + (name == wasm)] != '\n'; name += strcspn(name, ",\n") + 1) {
        char column[100], one[100], other[100];
        (void)snprintf(column, sizeof column, "%.*s", (int)strcspn(name, ",\n"), name);
        for (unsigned row = 1; row <= rung_count; row++)
            assert_string_equal(cell(wasm, row, column, one), cell(native, row, column, other));
    }
}

static void the_ladder_is_the_program_s(void **state)
{
    (void)state;
    static const char *const sizes[][2] = {{"1000", "700"}, {"1", "1"}, {"33", "65"}, {"2048", "100"}};
    skip_without_tools();
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char arguments[100];
        (void)snprintf(arguments, sizeof arguments, "ladder %s %s", sizes[i][0], sizes[i][1]);
        struct run wasm = run_wasm(arguments);
        struct run native =
            run_program("ladder", "-m", sizes[i][0], "-n", sizes[i][1], "-f", "csv", (char *)NULL);
        if (wasm.code != 0)
            fail_msg("%s: %s", arguments, wasm.err);
        compare_ladders(wasm.out, native.out);
        if (i == 0) /* the README's */
            assert_non_null(strstr(wasm.out, "\npadded,1000,700,22000,41125,98500,88000,89.3,22400,"));
        run_free(&wasm);
        run_free(&native);
    }
}

/* Half a byte for each of 2^34 cells is 2^33: a size_t of 32 bits would make it 0. */
static void memory_that_is_not_there_is_told(void **state)
{
    (void)state;
    skip_without_tools();
    struct run run = run_wasm("owners padded 100 70");
    assert_int_equal(run.code, 0);
    assert_string_equal(run.out, "correct: 7000 cells, 0 missing, 0 wrong\n");
    run_free(&run);
    static const char *const too_large[] = {"owners padded 131072 131072", "owners padded 100000 100000"};
    for (size_t i = 0; i < 2; i++) {
        run = run_wasm(too_large[i]);
        assert_int_equal(run.code, 2);
        assert_string_equal(
            run.err, "there is not enough memory to audit this matrix: half a byte a cell is needed\n");
        run_free(&run);
    }
}

static void what_is_not_understood_is_told(void **state)
{
    (void)state;
    static const char *const lines[][2] = {
        {"", "usage: ladder ROWS COLS\n"},
        {"ladder 0 5", "a size is a whole number from 1 to 2147483647, not '0'\n"},
        {"ladder 5 4294967297", "a size is a whole number from 1 to 2147483647, not '4294967297'\n"},
        {"owners none 5 5", "there is no rung 'none'; ladder lists them\n"},
        {"frame tiled 5 5 24 5000", "a size is a whole number from 1 to 4096, not '5000'\n"}};
    skip_without_tools();
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct run run = run_wasm(lines[i][0]);
        assert_int_equal(run.code, 2);
        assert_string_equal(run.out, "");
        assert_memory_equal(run.err, lines[i][1], strlen(lines[i][1]));
        run_free(&run);
    }
}

static void frames_are_the_terminal_ui_s(void **state)
{
    (void)state;
    static const struct {
        const char *rung, *keys;
        int rows, cols;
    } frames[] = {{"tiled", "", 24, 80},   {"tiled", "+", 24, 80},     {"padded", "vvjjj", 50, 160},
                  {"naive", "c", 50, 160}, {"swizzled", "o", 40, 120}, {"copy", "?", 60, 200}};
    skip_without_tools();
    for (size_t i = 0; i < sizeof frames / sizeof *frames; i++) {
        struct state here;
        char arguments[200];
        (void)snprintf(arguments, sizeof arguments, "frame %s 100 70 %d %d '%s'", frames[i].rung,
                       frames[i].rows, frames[i].cols, frames[i].keys);
        struct run wasm = run_wasm(arguments);
        open_state(&here, frames[i].rung, (struct scenario_options){0}, frames[i].rows, frames[i].cols);
        press(&here, frames[i].keys);
        finish_work(&here);
        char *frame = frame_of(&here, false);
        if (wasm.code != 0 || strcmp(wasm.out, frame) != 0)
            fail_msg("%s: here\n%s\nthere\n%s%s", arguments, frame, wasm.out, wasm.err);
        free(frame);
        state_free(&here);
        run_free(&wasm);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_ladder_is_the_program_s),
        cmocka_unit_test(memory_that_is_not_there_is_told),
        cmocka_unit_test(what_is_not_understood_is_told),
        cmocka_unit_test(frames_are_the_terminal_ui_s),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

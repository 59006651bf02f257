/* test_cycles.c - the cycles of in-place transpositions against moving the elements; views against counting.
 */
#include "support.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../sim/report/cycles.h"

struct found {
    uint64_t cells, fixed, last_leader, rows, cols;
    bool first;
};

static void take(void *self, uint64_t leader, uint64_t length)
{
    struct found *f = self;
    assert_true(f->first || leader > f->last_leader);
    f->first = false;
    f->last_leader = leader;
    f->cells += length;
    f->fixed += length == 1;
    uint64_t k = leader;
    for (uint64_t i = 0; i < length; i++) {
        uint64_t row = k / f->cols, col = k % f->cols; /* by the definition of a transpose */
        assert_true(k >= leader);
        k = col * f->rows + row;
    }
    assert_int_equal(k, leader);
}

static uint64_t gcd(uint64_t a, uint64_t b)
{
    return b ? gcd(b, a % b) : a;
}

static void cycles_are_where_transposing_takes_each_element(void **state)
{
    (void)state;
    struct problem problem = {0};
    for (uint32_t rows = 1; rows < 24; rows++)
        for (uint32_t cols = 1; cols < 24; cols++) {
            struct found f = {.rows = rows, .cols = cols, .first = true};
            assert_true(cycles_each(rows, cols, &f, take, &problem));
            assert_int_equal(f.cells, rows * cols);
            uint64_t fixed = gcd(rows - 1, cols - 1) + 1;
            assert_int_equal(f.fixed, rows == 1 || cols == 1 ? (uint64_t)rows * cols : fixed);
        }
    assert_false(cycles_each(UINT32_C(1) << 20, UINT32_C(1) << 20, NULL, take, &problem));
    assert_non_null(strstr(problem.message, "at most 2^31 cells"));
}

static void the_kernel_that_follows_them_transposes_in_place(void **state)
{
    (void)state;
    static const char *const sizes[][2] = {{"5", "7"}, {"64", "37"}, {"33", "33"}, {"1", "9"}, {"2", "3"}};
    struct run code = run_program("cycles", "--code", NULL);
    char name[] = "/tmp/lanescope-cycles-XXXXXX.cu";
    int descriptor = mkstemps(name, 3);
    FILE *file = fdopen(descriptor, "w");
    assert_non_null(file);
    (void)fputs(code.out, file);
    assert_int_equal(fclose(file), 0);
    run_free(&code);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        expect_run(run_program("audit", name, "-m", sizes[i][0], "-n", sizes[i][1], NULL), 0,
                   "correct: a transpose", "");
    (void)unlink(name);
}

static void the_commands_print_what_they_know(void **state)
{
    (void)state;
    expect_run(run_program("cycles", "-m", "5", "-n", "7", NULL), 0,
               "2 cycles, 3 elements stay, the longest has 16", "");
    expect_output(
        run_program("cycles", "-m", "3", "-n", "4", "-f", "csv", NULL), 0,
        "rows,cols,leader,length,places\n3,4,0,1,0\n3,4,1,5,1 3 9 5 4\n3,4,2,5,2 6 7 10 8\n3,4,11,1,11\n");
    expect_output(run_program("view", "-m", "64", "-n", "32", "-f", "csv", NULL), 0,
                  "layout,shape_stride,elem_bytes,requests,sectors,sectors_per_request,ideal,efficiency,"
                  "sectors_moved_once,device,rules\n"
                  "matrix,\"(64,32):(32,1)\",4,64,256,4.00,256,100.0,0,sm_90,verified\n"
                  "view,\"(32,64):(1,32)\",4,64,2048,32.00,256,12.5,0,sm_90,verified\n"
                  "dense,\"(32,64):(64,1)\",4,64,256,4.00,256,100.0,512,sm_90,verified\n");
    expect_run(run_program("view", "-m", "64", "-n", "32", NULL), 0, "it pays from walk 1 on", "");
    expect_run(run_program("view", "-m", "1", "-n", "32", NULL), 0, "moves nothing and loses nothing", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cycles_are_where_transposing_takes_each_element),
        cmocka_unit_test(the_kernel_that_follows_them_transposes_in_place),
        cmocka_unit_test(the_commands_print_what_they_know),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

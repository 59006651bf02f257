/* test_pattern.c - the pattern table: numbers and pointers that last, and what happens when it is full. */
#include "support.h"

#include <stdlib.h>
#include <string.h>

enum { MANY = 70000 };

static pattern_id intern_multiple(struct pattern_table *table, int64_t factor)
{
    int64_t values[LANES], base;
    for (int lane = 0; lane < LANES; lane++)
        values[lane] = 5 + lane * factor;
    pattern_id id = pattern_intern(table, values, &base);
    assert_int_equal(base, 5);
    return id;
}

/* An access points into patterns while what it loads is interned, component after component. */
static void patterns_stay_where_they_are_while_others_come(void **state)
{
    (void)state;
    struct pattern_table table;
    pattern_table_init(&table);
    static const struct pattern *first[MANY];
    for (int i = 1; i < MANY; i++) {
        assert_int_equal(intern_multiple(&table, i), i);
        first[i] = table.at[i];
    }
    for (int i = 1; i < MANY; i++) {
        assert_ptr_equal(table.at[i], first[i]);
        assert_int_equal(first[i]->delta[31], 31 * i);
        assert_int_equal(intern_multiple(&table, i), i);
    }
    pattern_table_free(&table);
}

static void a_full_table_keeps_what_is_asked_for_under_new_numbers(void **state)
{
    (void)state;
    struct pattern_table table;
    pattern_table_init(&table);
    pattern_id kept[] = {0, 0, 0}, *keep[] = {&kept[0], &kept[1], &kept[2]};
    for (int i = 1; i < MANY; i++) {
        assert_int_equal(pattern_table_is_full(&table), i > 1 << 16);
        kept[i % 2 + 1] = intern_multiple(&table, i);
    }
    uint32_t generation = table.generation;
    pattern_table_collect(&table, keep, 3);
    assert_int_not_equal(table.generation, generation);
    assert_false(pattern_table_is_full(&table));
    assert_int_equal(kept[0], 0);
    assert_int_equal(table.at[kept[1]]->delta[1], MANY - 2);
    assert_int_equal(table.at[kept[2]]->delta[1], MANY - 1);
    pattern_table_free(&table);
}

struct both {
    struct tally tally;
    uint64_t units, requests;
    uint32_t generation;
};

static void take_both(void *self, const struct access *access)
{
    struct both *both = self;
    tally_access(&both->tally, access);
    both->units += access_cost_of(access).units;
    both->requests++;
    both->generation = access->generation;
}

/* Numbers come back with other meanings when a loop has filled the table: what was remembered under the old
 * ones must not be taken. */
static void costs_are_right_when_the_table_is_full_again_and_again(void **state)
{
    (void)state;
    const char *text = "__global__ void k(float *out) {\nint t = threadIdx.x;\n"
                       "for (int i = 1; i < 200000; i++) out[t * i % 60013] = 1.f; }";
    struct source source = text_source(text);
    struct problem problem = {0};
    struct unit *unit = unit_open(&source, NULL, 0, &problem);
    assert_non_null(unit);
    const struct program *program = unit_compile(unit, NULL, &problem);
    assert_non_null(program);
    struct launch launch = {.grid = {1, 1, 1}, .block = {32, 1, 1}, .arguments = {{.bytes = 1 << 20}}};
    struct execution *execution = execution_new(program, &launch, false, &problem);
    struct both both = {0};
    tally_init(&both.tally, program->site_count);
    struct sink sink = {.self = &both, .access = take_both};
    assert_true(execution_run_blocks(execution, 0, 1, &sink, &problem));
    assert_int_equal(both.requests, 199999);
    assert_in_range(both.generation, 2, 1000);
    assert_int_equal(both.tally.sites[0].units, both.units);
    tally_free(&both.tally);
    execution_free(execution);
    unit_close(unit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns_stay_where_they_are_while_others_come),
        cmocka_unit_test(a_full_table_keeps_what_is_asked_for_under_new_numbers),
        cmocka_unit_test(costs_are_right_when_the_table_is_full_again_and_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_arithmetic.c - random index expressions: the executor's 32 lanes against the constant folder, lane by
 * lane.
 *
 * The two share the parser but not a line of arithmetic: the folder computes one number at a time in two's
 * complement, the executor works on bases and patterns. For every lane the expression is also given to the
 * folder with the thread's own numbers in place of tx and ty; what it folds to must be the address that the
 * lane used. Where the folder finds an overflow, so must the executor, and nowhere else.
 */
#include "support.h"

#include <inttypes.h>
#include <string.h>

struct text {
    char bytes[1500];
    size_t size;
    struct random random;
};

static void put(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(struct text *text, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int n = vsnprintf(text->bytes + text->size, sizeof text->bytes - text->size, format, list);
    va_end(list);
    text->size += (size_t)n;
    assert_true(text->size < sizeof text->bytes);
}

static void put_leaf(struct text *text)
{
    static const char *const names[] = {"A",        "B",      "A", "B", "C", "(unsigned)A", "(long long)B",
                                        "(short)C", "(A < B)"};
    uint32_t kind = random_below(&text->random, 13);
    if (kind < 9)
        put(text, "%s", names[kind]);
    else if (kind < 12)
        put(text, "%u", random_below(&text->random, 40));
    else
        put(text, "%uu", random_below(&text->random, 3000000));
}

/* Divisors and shift counts are made harmless, the rest is free. */
static void put_expression(struct text *text, int depth)
{
    static const char *const plain[] = {"+", "-", "*", "&", "|", "^", "+", "*"};
    static const char *const compare[] = {"<", "<=", ">", ">=", "==", "!=", "&&", "||"};
    uint32_t kind = depth ? random_below(&text->random, 16) : 15;
    if (kind >= 14) {
        put_leaf(text);
        return;
    }
    put(text, "%s(", kind == 13 ? "min" : kind == 12 ? "max" : kind == 11 ? "-" : kind == 10 ? "~" : "");
    put_expression(text, depth - 1);
    if (kind < 8)
        put(text, " %s ", plain[kind]);
    else if (kind == 8)
        put(text, random_below(&text->random, 2) ? " / (1 + (7 & " : " %% (1 + (13 & ");
    else if (kind == 9)
        put(text, random_below(&text->random, 2) ? " << (3 & (" : " >> (7 & (");
    else if (kind >= 12)
        put(text, ", ");
    if (kind < 10 || kind >= 12)
        put_expression(text, depth - 1);
    put(text, "%s", kind == 8 || kind == 9 ? ")))" : ")");
    if (random_below(&text->random, 8) == 0) {
        put(text, " %s ", compare[random_below(&text->random, 8)]);
        put_leaf(text);
        put(text, " ? A : C");
    }
}

struct lanes_seen {
    bool any;
    int64_t offset[32];
};

static void take_offsets(void *self, const struct access *access)
{
    struct lanes_seen *seen = self;
    seen->any = true;
    for (unsigned lane = 0; lane < 32; lane++)
        seen->offset[lane] = access_offset(access, lane);
}

/* False where the folder finds that a signed result leaves its type. */
static bool fold(const char *expression, int64_t a, int64_t b, int64_t c, int64_t *value)
{
    struct problem problem = {0};
    char definitions[3][40];
    struct source nothing = {"", "", 0}, formula = {"f", expression, strlen(expression)}, list[3];
    /* typed like the kernel's variables */
    (void)snprintf(definitions[0], 40, "A=((int)%" PRId64 ")", a);
    (void)snprintf(definitions[1], 40, "B=((int)%" PRId64 ")", b);
    (void)snprintf(definitions[2], 40, "C=((int)%" PRId64 ")", c);
    for (int i = 0; i < 3; i++)
        list[i] = (struct source){"-D", definitions[i], strlen(definitions[i])};
    struct unit *unit = unit_open(&nothing, list, 3, &problem);
    assert_non_null(unit);
    bool defined = unit_evaluate(unit, &formula, NULL, 0, value, &problem);
    if (!defined && !strstr(problem.message, "within its type's range"))
        fail_msg("%s: %s", expression, problem.message);
    unit_close(unit);
    return defined;
}

static void check_expression(const char *expression, const uint32_t block[3])
{
    struct problem problem = {0};
    char kernel[2500];
    (void)snprintf(kernel, sizeof kernel,
                   "__global__ void k(float *out) { int A = threadIdx.x * 3 - 5; int B = blockIdx.x * 1000 + "
                   "threadIdx.y;"
                   "int C = threadIdx.x ^ blockIdx.y; long long value = %s; out[value] = 0.f; }",
                   expression);
    struct source source = text_source(kernel);
    struct unit *unit = unit_open(&source, NULL, 0, &problem);
    const struct program *program = unit ? unit_compile(unit, NULL, &problem) : NULL;
    if (!program)
        fail_msg("%s: %s", expression, problem.message);
    struct launch launch = {.grid = {100, 100, 1}, .block = {8, 4, 1}, .arguments = {{.bytes = 1 << 20}}};
    struct execution *execution = execution_new(program, &launch, false, &problem);
    assert_non_null(execution);
    struct lanes_seen seen = {0};
    struct sink sink = {.self = &seen, .access = take_offsets};
    if (!execution_run_block(execution, block, &sink, &problem))
        fail_msg("%s: %s", expression, problem.message);
    int undefined = 0;
    for (int lane = 0; lane < 32; lane++) {
        int tx = lane % 8, ty = lane / 8;
        int64_t a = tx * 3 - 5, b = (int64_t)block[0] * 1000 + ty, c = tx ^ (int)block[1];
        int64_t value = 0;
        if (!fold(expression, a, b, c, &value)) {
            if (!execution_overflow(execution)->lanes)
                fail_msg("%s, lane %d: an overflow was not found", expression, lane);
            undefined++;
            continue;
        }
        int64_t expected = (int64_t)((uint64_t)value * 4);
        if (seen.offset[lane] != expected)
            fail_msg("%s, lane %d: expected %" PRId64 ", got %" PRId64, expression, lane, expected,
                     seen.offset[lane]);
    }
    if (!undefined && execution_overflow(execution)->lanes)
        fail_msg("%s: an overflow was found where none is", expression);
    execution_free(execution);
    unit_close(unit);
}

static void random_expressions_agree_lane_by_lane(void **state)
{
    (void)state;
    struct text text = {.random = {2024}};
    int rounds = is_sanitized() ? 300 : 3000;
    for (int round = 0; round < rounds; round++) {
        text.size = 0;
        put_expression(&text, 1 + round % 4);
        uint32_t block[3] = {random_below(&text.random, 100), random_below(&text.random, 100), 0};
        check_expression(text.bytes, block);
    }
}

static void famous_corners_agree(void **state)
{
    (void)state;
    static const char *const corners[] = {
        "A / 3",
        "A % 3",
        "(unsigned)A / 3",
        "(unsigned)A > 5",
        "A > 5u",
        "A >> 1",
        "(unsigned)A >> 1",
        "(signed char)(A * 50)",
        "(unsigned char)A",
        "(unsigned short)A + 1",
        "A * 2147483647",
        "2147483647 + B",
        "(-2147483647 - 1) / (A == 0 ? 1 : A)",
        "(long long)B << 40",
        "(1ull << 63) / (B + 1)",
        "(unsigned long long)A > 3",
        "A < -2 ? -A : A * A",
        "sizeof(int) * A",
        "!A + !!B",
        "(bool)A + (bool)B",
        "A == A == 1",
        "A & 1 ? B : C ? A : B",
    };
    for (size_t i = 0; i < sizeof corners / sizeof *corners; i++)
        check_expression(corners[i], (uint32_t[3]){7, 3, 0});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_expressions_agree_lane_by_lane),
        cmocka_unit_test(famous_corners_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_quiz_answers.c - every answer of the quiz against brute force that reads nothing but the question's
 * words, and no question with two answers.
 *
 * The brute force shares no code with the simulator: an index is evaluated here, banks, sectors and lines are
 * counted byte by byte, kernels are loops.
 */
#include "support.h"

#include <stdlib.h>
#include <string.h>

#include "../src/quiz/quiz.h"

/* ----------------------------------------------------------------------------- an index, by recursive
 * descent */

struct index {
    const char *at;
    long tx, ty;
};

static long index_xor(struct index *index);

static void skip_blanks(struct index *index)
{
    index->at += strspn(index->at, " ");
}

static long index_leaf(struct index *index)
{
    char *end;
    skip_blanks(index);
    if (*index->at == '(') {
        index->at++;
        long value = index_xor(index);
        skip_blanks(index);
        assert_int_equal(*index->at, ')');
        index->at++;
        return value;
    }
    if (strncmp(index->at, "threadIdx.", 10) == 0) {
        char axis = index->at[10];
        index->at += 11;
        return axis == 'x' ? index->tx : index->ty;
    }
    long value = strtol(index->at, &end, 10);
    assert_true(end > index->at);
    index->at = end;
    return value;
}

static long index_product(struct index *index)
{
    long value = index_leaf(index);
    for (;;) {
        skip_blanks(index);
        char op = *index->at;
        if (op != '*' && op != '/' && op != '%')
            return value;
        index->at++;
        long right = index_leaf(index);
        value = op == '*' ? value * right : op == '/' ? value / right : value % right;
    }
}

static long index_sum(struct index *index)
{
    long value = index_product(index);
    for (;;) {
        skip_blanks(index);
        char op = *index->at;
        if (op != '+' && op != '-')
            return value;
        index->at++;
        long right = index_product(index);
        value = op == '+' ? value + right : value - right;
    }
}

static long index_xor(struct index *index)
{
    long value = index_sum(index);
    for (skip_blanks(index); *index->at == '^'; skip_blanks(index)) {
        index->at++;
        value ^= index_sum(index);
    }
    return value;
}

/* ------------------------------------------------------------------------------------- an access, byte by
 * byte */

enum { BYTES = 1 << 19 };

struct warp {
    long first[32], bytes; /* of each lane */
};

/* The question's own words: block, index, bytes of an element, where g[0] stands. */
static struct warp warp_of(const char *text)
{
    unsigned wide, high, base = 0, bytes;
    char expression[200];
    struct warp warp;
    assert_int_equal(sscanf(text, "The first warp of a %u x %u block", &wide, &high), 2);
    const char *open = strchr(text, '['), *close = strstr(text, "]`"), *of = strstr(text, "elements of ");
    assert_true(open && close && of);
    assert_int_equal(sscanf(of, "elements of %u byte", &bytes), 1);
    (void)snprintf(expression, sizeof expression, "%.*s", (int)(close - open - 1), open + 1);
    const char *behind = strstr(text, "g[0] stands ");
    if (behind)
        assert_int_equal(sscanf(behind, "g[0] stands %u bytes behind a multiple of 128", &base), 1);
    warp.bytes = bytes;
    for (unsigned lane = 0; lane < 32; lane++) {
        struct index index = {expression, lane % wide, lane / wide};
        warp.first[lane] = base + index_xor(&index) * (long)bytes;
        skip_blanks(&index);
        assert_int_equal(*index.at, '\0');
        assert_true(warp.first[lane] >= 0 && warp.first[lane] + (long)bytes <= BYTES);
    }
    return warp;
}

/* How many pieces of so many bytes are touched. */
static unsigned pieces(const struct warp *warp, long size)
{
    static bool touched[BYTES];
    unsigned count = 0;
    memset(touched, 0, sizeof touched);
    for (unsigned lane = 0; lane < 32; lane++)
        for (long i = 0; i < warp->bytes; i++)
            touched[(warp->first[lane] + i) / size] = true;
    for (long i = 0; i < BYTES; i++)
        count += touched[i];
    return count;
}

static unsigned banks(const struct warp *warp)
{
    bool touched[32] = {false};
    unsigned count = 0;
    for (unsigned lane = 0; lane < 32; lane++)
        for (long i = 0; i < warp->bytes; i++)
            touched[(warp->first[lane] + i) / 4 % 32] = true;
    for (unsigned bank = 0; bank < 32; bank++)
        count += touched[bank];
    return count;
}

/* Distinct words of one bank, over lanes [from, to). */
static unsigned words_in_bank(const struct warp *warp, unsigned from, unsigned to, long bank)
{
    long seen[32 * 4];
    unsigned count = 0;
    for (unsigned lane = from; lane < to; lane++)
        for (long word = warp->first[lane] / 4; word <= (warp->first[lane] + warp->bytes - 1) / 4; word++) {
            bool known = word % 32 != bank;
            for (unsigned i = 0; i < count; i++)
                known = known || seen[i] == word;
            if (!known)
                seen[count++] = word;
        }
    return count;
}

static unsigned wavefronts(const struct warp *warp)
{
    unsigned group = warp->bytes <= 4 ? 32 : warp->bytes == 8 ? 16 : 8, sum = 0;
    for (unsigned from = 0; from < 32; from += group) {
        unsigned most = 0;
        for (long bank = 0; bank < 32; bank++) {
            unsigned words = words_in_bank(warp, from, from + group, bank);
            most = words > most ? words : most;
        }
        sum += most;
    }
    return sum;
}

/* ---------------------------------------------------------------------------------------- the topics'
 * answers */

static void answer_period(const char *text, char *out, size_t size)
{
    unsigned a, m, k = 1;
    assert_int_equal(sscanf(text, "k * %u mod %u,", &a, &m), 2);
    while (k * a % m)
        k++;
    (void)snprintf(out, size, "%u", k);
}

/* Exactly one of the four pitches is free, or none is: more would be two right answers. */
static void answer_pitch(const char *text, char *out, size_t size)
{
    unsigned edge, bytes, wide, high, pitch[4], free_count = 0;
    const char *block = strstr(text, "the block has"), *list = strstr(text, "conflict: ");
    assert_true(block && list);
    assert_int_equal(sscanf(text, "A %u x %*u tile of %u-byte", &edge, &bytes), 2);
    assert_int_equal(sscanf(block, "the block has %u x %u threads", &wide, &high), 2);
    assert_int_equal(
        sscanf(list, "conflict: %u, %u, %u, %u, or none", &pitch[0], &pitch[1], &pitch[2], &pitch[3]), 4);
    unsigned least = bytes <= 4 ? 1 : bytes / 4;
    (void)snprintf(out, size, "none");
    for (unsigned i = 0; i < 4; i++) {
        struct warp row = {.bytes = bytes}, column = {.bytes = bytes};
        assert_true(pitch[i] >= edge);
        for (unsigned lane = 0; lane < 32; lane++) {
            row.first[lane] = (long)((lane / wide * pitch[i] + lane % wide) * bytes);
            column.first[lane] = (long)((lane % wide * pitch[i] + lane / wide) * bytes);
        }
        if (wavefronts(&row) != least || wavefronts(&column) != least)
            continue;
        free_count++;
        (void)snprintf(out, size, "%u", pitch[i]);
    }
    assert_true(free_count <= 1);
}

struct launch_said {
    char kernel[20];
    unsigned tile, block_rows, rows, cols;
};

static struct launch_said launch_of(const char *text)
{
    struct launch_said l;
    assert_int_equal(sscanf(text,
                            "%19[a-z-].cu, TILE %u, BLOCK_ROWS %u, on a matrix of %u rows and %u columns",
                            l.kernel, &l.tile, &l.block_rows, &l.rows, &l.cols),
                     5);
    return l;
}

/* The thread of a block, and the pass of its loop, that has to do with x and y of the input, or of a tiled
 * kernel's store. */
static void answer_owner(const char *text, char *out, size_t size)
{
    struct launch_said l = launch_of(text);
    unsigned row, col, found = 0;
    bool swap = strcmp(l.kernel, "naive-swap") == 0, tiled = strcmp(l.kernel, "tiled") == 0;
    assert_int_equal(sscanf(strstr(text, "out("), "out(%u,%u)", &row, &col), 2);
    for (unsigned by = 0; by <= l.rows / l.tile; by++)
        for (unsigned bx = 0; bx <= l.cols / l.tile; bx++)
            for (unsigned ty = 0; ty < l.block_rows; ty++)
                for (unsigned tx = 0; tx < l.tile; tx++)
                    for (unsigned j = ty; j < l.tile; j += l.block_rows) {
                        /* out[r][c]: r counts columns of the input */
                        unsigned r = bx * l.tile + (swap || tiled ? j : tx);
                        unsigned c = by * l.tile + (swap || tiled ? tx : j);
                        if (r != row || c != col || r >= l.cols || c >= l.rows)
                            continue;
                        unsigned id = ty * l.tile + tx;
                        (void)snprintf(out, size, "%u %u %u %u", bx, by, id / 32, id % 32);
                        found++;
                    }
    assert_int_equal(found, 1);
}

static void answer_lane(const char *text, char *out, size_t size)
{
    struct launch_said l = launch_of(text);
    unsigned bx, by, warp, pass, off = 0, lowest = 32, asked;
    bool swap = strcmp(l.kernel, "naive-swap") == 0, too_wide[32], too_high[32];
    assert_int_equal(
        sscanf(strstr(text, "In block "), "In block %u,%u, warp %u, pass %u", &bx, &by, &warp, &pass), 4);
    for (unsigned lane = 0; lane < 32; lane++) {
        unsigned id = warp * 32 + lane, tx = id % l.tile, j = id / l.tile + (pass - 1) * l.block_rows;
        assert_true(id < l.tile * l.block_rows && j < l.tile);
        too_wide[lane] = bx * l.tile + (swap ? j : tx) >= l.cols;
        too_high[lane] = by * l.tile + (swap ? tx : j) >= l.rows;
        off += too_wide[lane] || too_high[lane];
        lowest = lowest == 32 && (too_wide[lane] || too_high[lane]) ? lane : lowest;
    }
    assert_true(off > 0 && off < 32);
    const char *one = strstr(text, "Lane ");
    if (one) {
        assert_int_equal(sscanf(one, "Lane %u takes no part. Which of its coordinates", &asked), 1);
        assert_true(asked < 32 && too_wide[asked] != too_high[asked]); /* one reason, not both */
        (void)snprintf(out, size, "%c", too_wide[asked] ? 'x' : 'y');
    } else {
        assert_non_null(strstr(text, "lowest lane that takes no part"));
        (void)snprintf(out, size, "%u", lowest);
    }
}

static void answer(const struct question *q, char *out, size_t size)
{
    if (strcmp(q->topic, "period") == 0) {
        answer_period(q->text, out, size);
    } else if (strcmp(q->topic, "pitch") == 0) {
        answer_pitch(q->text, out, size);
    } else if (strcmp(q->topic, "owner") == 0) {
        answer_owner(q->text, out, size);
    } else if (strcmp(q->topic, "lane") == 0) {
        answer_lane(q->text, out, size);
    } else {
        const struct warp warp = warp_of(q->text);
        unsigned number = strcmp(q->topic, "banks") == 0        ? banks(&warp)
                          : strcmp(q->topic, "wavefronts") == 0 ? wavefronts(&warp)
                          : strcmp(q->topic, "sectors") == 0    ? pieces(&warp, 32)
                                                                : pieces(&warp, 128);
        (void)snprintf(out, size, "%u", number);
    }
}

/* How many numbers are in "... are 0-4 8 12: 7."; 0 where the list is cut short. */
static unsigned listed(const char *step)
{
    unsigned count = 0;
    const char *end = strrchr(step, ':'), *at = end;
    if (strstr(step, " ... "))
        return 0;
    while (at > step && strchr("0123456789- ", at[-1]))
        at--;
    while (at < end) {
        unsigned first, last;
        int used = 0;
        if (sscanf(at, " %u-%u%n", &first, &last, &used) == 2 && used)
            count += last - first + 1;
        else if (sscanf(at, " %u%n", &first, &used) == 1)
            count++;
        at += used;
    }
    return count;
}

/* The explanation lists as many as the answer says. */
static void check_list(const struct question *q)
{
    for (unsigned i = 0; i < q->step_count; i++) {
        const char *step = q->steps[i];
        bool list = strstr(step, "touched are ") || strstr(step, " which lie in bank");
        if (list && listed(step) && listed(step) != strtoul(q->answer, NULL, 10))
            fail_msg("the answer is %s, and the step lists %u: %s", q->answer, listed(step), step);
    }
}

static void open_quiz(struct quiz *quiz, uint64_t seed, unsigned count, const char *list)
{
    struct problem problem = {0};
    if (!quiz_make(quiz, seed, count, list, &problem))
        fail_msg("%s", problem.message);
    assert_int_equal(quiz->count, count);
}

static void every_answer_is_what_brute_force_says(void **state)
{
    (void)state;
    unsigned seeds = is_sanitized() ? 2 : 12;
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        struct quiz quiz;
        open_quiz(&quiz, seed * 977, 80, NULL);
        for (unsigned i = 0; i < quiz.count; i++) {
            const struct question *q = &quiz.questions[i];
            char expected[60], read_back[QUESTION_ANSWER_SIZE], complaint[300];
            answer(q, expected, sizeof expected);
            if (strcmp(expected, q->answer) != 0)
                fail_msg("seed %u, %s\nthe answer is %s, not %s", (unsigned)(seed * 977), q->text, expected,
                         q->answer);
            assert_true(question_read(q, q->answer, read_back, complaint));
            assert_string_equal(read_back, q->answer);
            assert_true(q->step_count >= 2);
            check_list(q);
            /* nothing was cut off */
            assert_true(strlen(q->text) < QUESTION_TEXT_SIZE - 1 &&
                        strlen(q->command) < QUESTION_COMMAND_SIZE - 1);
            for (unsigned k = 0; k < q->step_count; k++)
                assert_true(strlen(q->steps[k]) < QUESTION_STEP_SIZE - 1);
        }
        quiz_free(&quiz);
    }
}

/* Of 200 questions of a topic: none twice, no answer that a guess always finds, many different ones. */
int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_answer_is_what_brute_force_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

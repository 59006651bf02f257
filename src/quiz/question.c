#include "question.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "../../base/parse_number.h"
#include "../../cuda/random.h"

const struct topic topics[] = {
    {"banks", "how many banks of shared memory a warp touches", make_banks},
    {"sectors", "how many 32-byte sectors a warp asks of global memory", make_sectors},
    {"period", "after how many steps k * a mod m comes round", make_period},
    {"owner", "which thread writes a cell of the output", make_owner},
    {"wavefronts", "how many wavefronts an access of shared memory takes", make_wavefronts},
    {"lines", "how many 128-byte lines a warp touches", make_lines},
    {"pitch", "which pitch of a tile is free of conflicts", make_pitch},
    {"lane", "which lane is off, and why", make_lane},
};
const unsigned topic_count = sizeof topics / sizeof *topics;

uint32_t between(struct random *random, uint32_t least, uint32_t most)
{
    return least + (uint32_t)random_below(random, (uint64_t)most - least + 1);
}

struct words question_step(struct question *question)
{
    unsigned at = question->step_count < QUESTION_STEPS ? question->step_count++ : QUESTION_STEPS - 1;
    return words_in(question->steps[at], QUESTION_STEP_SIZE);
}

struct words question_text(struct question *question)
{
    return words_in(question->text, QUESTION_TEXT_SIZE);
}

struct words question_command(struct question *question)
{
    return words_in(question->command, QUESTION_COMMAND_SIZE);
}

void say_numbers(const int64_t *numbers, unsigned count, struct words *words)
{
    enum { SHOWN = 12 };
    unsigned said = 0;
    for (unsigned i = 0; i < count; i++) {
        unsigned last = i;
        while (last + 1 < count && numbers[last + 1] == numbers[last] + 1)
            last++;
        if (said == SHOWN && last + 1 < count) {
            words_say(words, " ... %" PRId64, numbers[count - 1]);
            return;
        }
        words_say(words, "%s%" PRId64, said++ ? " " : "", numbers[i]);
        if (last > i + 1)
            words_say(words, "-%" PRId64, numbers[last]);
        i = last > i + 1 ? last : i;
    }
}

void question_right_form(const struct question *question, char out[160])
{
    struct words w = words_in(out, 160);
    switch (question->kind) {
    case ANSWER_NUMBER:
        words_say(&w, "a whole number from %" PRIu64 " to %" PRIu64, question->least, question->most);
        break;
    case ANSWER_PITCH:
        for (unsigned i = 0; i < QUESTION_OFFERS; i++)
            words_say(&w, "%" PRIu32 ", ", question->offered[i]);
        words_say(&w, "or none");
        break;
    case ANSWER_THREAD:
        words_say(&w, "four numbers: block x, block y, warp, lane; for example 0 1 3 12");
        break;
    case ANSWER_AXIS:
        words_say(&w, "x or y");
        break;
    }
}

/* The whole numbers in a text, whatever stands between them; returns how many there are, at most `most` + 1.
 * A minus, a point or a word of letters and digits ("0x4", "3.5") makes it no list of whole numbers. */
static unsigned numbers_in(const char *text, uint64_t *out, unsigned most)
{
    unsigned count = 0;
    for (const char *at = text; *at && count <= most;) {
        char digits[16];
        size_t length = strspn(at, "0123456789");
        if (!length) {
            if ((*at == '-' || *at == '.') && isdigit((unsigned char)at[1]))
                return 0;
            at++;
            continue;
        }
        if (length >= sizeof digits || isalpha((unsigned char)at[length]))
            return 0;
        memcpy(digits, at, length);
        digits[length] = '\0';
        if (count == most || !parse_number(digits, 0, UINT32_MAX, &out[count]))
            return count == most ? most + 1 : 0;
        count++;
        at += length;
    }
    return count;
}

/* The text without the blanks around it and with small letters; "" where it does not fit. */
static void bare(const char *text, char out[40])
{
    size_t length;
    while (isspace((unsigned char)*text))
        text++;
    length = strlen(text);
    while (length && isspace((unsigned char)text[length - 1]))
        length--;
    if (length >= 40)
        length = 0;
    for (size_t i = 0; i < length; i++)
        out[i] = (char)tolower((unsigned char)text[i]);
    out[length] = '\0';
}

static bool read_number_answer(const struct question *q, const char *word, char out[QUESTION_ANSWER_SIZE],
                               struct words *complaint)
{
    uint64_t number;
    if (parse_number(word, q->least, q->most, &number)) {
        (void)snprintf(out, QUESTION_ANSWER_SIZE, "%" PRIu64, number);
        return true;
    }
    if (parse_number(word, 0, UINT64_MAX, &number))
        words_say(complaint, "%" PRIu64 " cannot be", number);
    return false;
}

static bool read_pitch_answer(const struct question *q, const char *word, char out[QUESTION_ANSWER_SIZE],
                              struct words *complaint)
{
    uint64_t number;
    bool none = strcmp(word, "none") == 0;
    if (none || parse_number(word, 0, UINT32_MAX, &number))
        for (unsigned i = 0; i < QUESTION_OFFERS; i++)
            if (none || q->offered[i] == number) {
                (void)snprintf(out, QUESTION_ANSWER_SIZE, "%s", word);
                return true;
            }
    if (!none && parse_number(word, 0, UINT32_MAX, &number))
        words_say(complaint, "%" PRIu64 " is not among the pitches", number);
    return false;
}

static bool read_thread_answer(const char *typed, char out[QUESTION_ANSWER_SIZE], struct words *complaint)
{
    uint64_t n[4];
    unsigned count = numbers_in(typed, n, 4);
    if (count == 4 && n[3] < 32) {
        (void)snprintf(out, QUESTION_ANSWER_SIZE, "%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64, n[0], n[1],
                       n[2], n[3]);
        return true;
    }
    if (count == 4)
        words_say(complaint, "a warp has lanes 0 to 31, not %" PRIu64, n[3]);
    else if (count)
        words_say(complaint, "that has %s numbers than four", count < 4 ? "fewer" : "more");
    return false;
}

bool question_read(const struct question *question, const char *typed, char out[QUESTION_ANSWER_SIZE],
                   char complaint[300])
{
    char word[40], right[160];
    struct words w = words_in(complaint, 300);
    bool fine = false;
    bare(typed, word);
    if (question->kind == ANSWER_NUMBER)
        fine = read_number_answer(question, word, out, &w);
    else if (question->kind == ANSWER_PITCH)
        fine = read_pitch_answer(question, word, out, &w);
    else if (question->kind == ANSWER_THREAD)
        fine = read_thread_answer(typed, out, &w);
    else if (strcmp(word, "x") == 0 || strcmp(word, "y") == 0)
        fine = snprintf(out, QUESTION_ANSWER_SIZE, "%s", word) == 1;
    if (fine)
        return true;
    if (!complaint[0] && word[0])
        words_say(&w, "'%s' is no answer here", word);
    question_right_form(question, right);
    words_say(&w, "%stype %s", complaint[0] ? ": " : "", right);
    return false;
}

#include "assertion.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_SIZE = 120 };

struct reader {
    const struct source *text;
    const char *at, *end;
    const struct assertion_names *names;
    struct problem *problem;
    unsigned depth;
    char said[ASSERTION_CLAUSE - 120]; /* the names of a clause with their values */
};

static void skip_blanks(struct reader *r)
{
    while (r->at < r->end && isspace((unsigned char)*r->at))
        r->at++;
}

/* The text goes on with this sign, which is then passed. "<" is no "<=", "!" no "!=". */
static bool take(struct reader *r, const char *sign)
{
    size_t length = strlen(sign);
    skip_blanks(r);
    if ((size_t)(r->end - r->at) < length || memcmp(r->at, sign, length) != 0)
        return false;
    bool longer = length == 1 && strchr("<>!", *sign) && r->at + 1 < r->end && r->at[1] == '=';
    r->at += longer ? 0 : length;
    return !longer;
}

static double fail(struct reader *r, const char *what)
{
    (void)problem_at(r->problem, r->text, (size_t)(r->at - r->text->bytes), "%s", what);
    r->at = r->end;
    return 0;
}

static double read_any(struct reader *r);

static double read_name(struct reader *r)
{
    char name[NAME_SIZE];
    const char *begin = r->at;
    double value = 0;
    while (r->at < r->end && (isalnum((unsigned char)*r->at) || *r->at == '_' || *r->at == '.'))
        r->at++;
    (void)snprintf(name, sizeof name, "%.*s", (int)(r->at - begin), begin);
    if (!r->names->value(r->names->self, name, &value)) {
        r->at = begin;
        return fail(r, "there is no number of this name: names are the columns of the ladder's csv, excess, "
                       "correct, faults, notes, and the kinds of findings with _ for -");
    }
    size_t used = strlen(r->said);
    if (!strstr(r->said, name))
        (void)snprintf(r->said + used, sizeof r->said - used, "%s%s is %.10g", used ? ", " : "", name, value);
    return value;
}

static double read_number(struct reader *r)
{
    char digits[64], *end;
    (void)snprintf(digits, sizeof digits, "%.*s", (int)(r->end - r->at), r->at);
    double value = strtod(digits, &end);
    r->at += end - digits;
    return value;
}

static double read_operand(struct reader *r)
{
    skip_blanks(r);
    if (r->depth >= ASSERTION_DEPTH)
        return fail(r, "there are too many brackets and signs in one another here");
    if (r->at == r->end)
        return fail(r, "a number or a name is missing here");
    r->depth++;
    double value = 0;
    if (take(r, "(")) {
        value = read_any(r);
        if (!take(r, ")"))
            value = fail(r, "a ) is missing here");
    } else if (take(r, "!")) {
        value = read_operand(r) == 0;
    } else if (take(r, "-")) {
        value = -read_operand(r);
    } else if (isdigit((unsigned char)*r->at)) {
        value = read_number(r);
    } else if (isalpha((unsigned char)*r->at) || *r->at == '_') {
        value = read_name(r);
    } else {
        value = fail(r, "a number or a name should stand here");
    }
    r->depth--;
    return value;
}

static double read_product(struct reader *r)
{
    double value = read_operand(r);
    for (;;)
        if (take(r, "*"))
            value *= read_operand(r);
        else if (take(r, "/"))
            value /= read_operand(r);
        else
            return value;
}

static double read_sum(struct reader *r)
{
    double value = read_product(r);
    for (;;)
        if (take(r, "+"))
            value += read_product(r);
        else if (take(r, "-"))
            value -= read_product(r);
        else
            return value;
}

static double read_comparison(struct reader *r)
{
    double a = read_sum(r);
    if (take(r, "=="))
        return a == read_sum(r);
    if (take(r, "!="))
        return a != read_sum(r);
    if (take(r, "<="))
        return a <= read_sum(r);
    if (take(r, ">="))
        return a >= read_sum(r);
    if (take(r, "<"))
        return a < read_sum(r);
    if (take(r, ">"))
        return a > read_sum(r);
    return a;
}

static double read_and(struct reader *r)
{
    double value = read_comparison(r);
    while (take(r, "&&"))
        value = (read_comparison(r) != 0) & (value != 0);
    return value;
}

static double read_any(struct reader *r)
{
    double value = read_and(r);
    while (take(r, "||"))
        value = (read_and(r) != 0) | (value != 0);
    return value;
}

/* Is there an || outside brackets? Then all of it is one clause. */
static bool has_or(const char *text)
{
    int depth = 0;
    for (; *text; text++) {
        depth += (*text == '(') - (*text == ')');
        if (!depth && text[0] == '|' && text[1] == '|')
            return true;
    }
    return false;
}

bool assertion_holds(const char *text, const struct assertion_names *names, bool *holds,
                     char clause[ASSERTION_CLAUSE], struct problem *problem)
{
    const struct source source = {"assertion", text, strlen(text)};
    struct reader reader = {
        .text = &source, .at = text, .end = text + source.size, .names = names, .problem = problem};
    bool whole = has_or(text);
    *holds = true;
    *clause = '\0';
    do {
        reader.said[0] = '\0';
        skip_blanks(&reader);
        const char *begin = reader.at;
        bool good = (whole ? read_any(&reader) : read_comparison(&reader)) != 0;
        int length = (int)(reader.at - begin);
        while (length && isspace((unsigned char)begin[length - 1]))
            length--;
        if (!good && *holds)
            (void)snprintf(clause, ASSERTION_CLAUSE, "%.*s%s%s", length < 90 ? length : 90, begin,
                           *reader.said ? ", where " : "", reader.said);
        *holds = *holds && good;
    } while (take(&reader, "&&"));
    skip_blanks(&reader);
    if (!problem->set && reader.at != reader.end)
        (void)fail(&reader, "the assertion should end here, or go on with an operator");
    return !problem->set;
}

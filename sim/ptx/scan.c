/* scan.c - bytes to words. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "module.h"

static int peek(const struct scan *scan, size_t ahead)
{
    return scan->at + ahead < scan->source->size ? (unsigned char)scan->source->bytes[scan->at + ahead] : -1;
}

static bool is_digit(int c)
{
    return c >= '0' && c <= '9';
}

static bool is_name(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '$';
}

bool scan_fail(struct scan *scan, size_t at, const char *format, ...)
{
    char message[PROBLEM_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return problem_at(scan->problem, scan->source, at, "%s", message);
}

void scan_space(struct scan *scan)
{
    const char *bytes = scan->source->bytes;
    size_t size = scan->source->size;
    while (scan->at < size) {
        char c = bytes[scan->at];
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v') {
            scan->at++;
        } else if (c == '/' && peek(scan, 1) == '/') {
            const char *end = memchr(bytes + scan->at, '\n', size - scan->at);
            scan->at = end ? (size_t)(end - bytes) : size;
        } else if (c == '/' && peek(scan, 1) == '*') {
            scan->at += 2;
            while (scan->at < size && !(bytes[scan->at] == '*' && peek(scan, 1) == '/'))
                scan->at++;
            scan->at = scan->at + 2 < size ? scan->at + 2 : size;
        } else {
            return;
        }
    }
}

bool scan_at(struct scan *scan, char c)
{
    scan_space(scan);
    return peek(scan, 0) == c;
}

bool scan_accept(struct scan *scan, char c)
{
    bool is = scan_at(scan, c);
    scan->at += is;
    return is;
}

bool scan_expect(struct scan *scan, char c, const char *where)
{
    return scan_accept(scan, c) || scan_fail(scan, scan->at, "a %c is expected here, %s", c, where);
}

size_t scan_name(struct scan *scan, const char **text)
{
    scan_space(scan);
    size_t begin = scan->at, at = begin;
    int c = peek(scan, 0);
    *text = scan->source->bytes + begin;
    if (c != '.' && c != '%' && (!is_name(c) || is_digit(c)))
        return 0;
    at++;
    while (at < scan->source->size && is_name((unsigned char)scan->source->bytes[at]))
        at++;
    scan->at = at;
    return at - begin;
}

bool scan_word(struct scan *scan, const char *word)
{
    const char *text;
    scan_space(scan);
    size_t begin = scan->at, length = scan_name(scan, &text);
    if (length == strlen(word) && memcmp(text, word, length) == 0)
        return true;
    scan->at = begin;
    return false;
}

static int digit_of(int c)
{
    return is_digit(c)            ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : 99;
}

static bool read_digits(struct scan *scan, unsigned base, uint64_t *value)
{
    size_t begin = scan->at;
    bool ok = true;
    for (*value = 0; (unsigned)digit_of(peek(scan, 0)) < base; scan->at++) {
        uint64_t digit = (uint64_t)digit_of(peek(scan, 0));
        ok = ok && !__builtin_mul_overflow(*value, base, value) &&
             !__builtin_add_overflow(*value, digit, value);
    }
    return (ok && scan->at > begin) || scan_fail(scan, begin, "this is no number of 64 bits");
}

/* 1.5e3: what it is does not matter, data is not computed. */
static bool skip_decimal(struct scan *scan, int64_t *value)
{
    uint64_t hash = 1469598103934665603u;
    for (int c; (c = peek(scan, 0)), is_digit(c) || c == '.' || c == 'e' || c == 'E'; scan->at++) {
        hash = (hash ^ (uint64_t)c) * 1099511628211u;
        if ((c == 'e' || c == 'E') && (peek(scan, 1) == '-' || peek(scan, 1) == '+'))
            scan->at++;
    }
    *value = (int64_t)hash;
    return true;
}

bool scan_number(struct scan *scan, int64_t *value, bool *is_float)
{
    scan_space(scan);
    uint64_t bits = 0;
    int second = peek(scan, 0) == '0' ? peek(scan, 1) | 32 : 0;
    *is_float = second == 'f' || second == 'd';
    size_t end = scan->at;
    while (end < scan->source->size && is_digit((unsigned char)scan->source->bytes[end]))
        end++;
    int after = end < scan->source->size ? (unsigned char)scan->source->bytes[end] : 0;
    if (second != 'x' && second != 'b' && !*is_float && (after == '.' || after == 'e' || after == 'E')) {
        *is_float = true;
        return skip_decimal(scan, value);
    }
    bool prefixed = second == 'x' || second == 'b' || *is_float;
    unsigned base = second == 'b' ? 2 : prefixed ? 16 : peek(scan, 0) == '0' && is_digit(second) ? 8 : 10;
    scan->at += prefixed ? 2 : 0;
    if (!read_digits(scan, base, &bits))
        return false;
    scan->at += peek(scan, 0) == 'U' || peek(scan, 0) == 'u';
    *value = (int64_t)bits;
    return true;
}

bool scan_integer(struct scan *scan, int64_t *value)
{
    bool negative = scan_accept(scan, '-'), is_float;
    size_t begin = scan->at;
    if (!is_digit((scan_space(scan), peek(scan, 0))))
        return scan_fail(scan, scan->at, "an integer is expected here");
    if (!scan_number(scan, value, &is_float))
        return false;
    *value = negative ? (int64_t)(0 - (uint64_t)*value) : *value;
    return !is_float || scan_fail(scan, begin, "an integer is expected here");
}

bool scan_string(struct scan *scan, const char **text, size_t *length)
{
    if (!scan_expect(scan, '"', "before a text"))
        return false;
    const char *begin = scan->source->bytes + scan->at;
    const char *end = memchr(begin, '"', scan->source->size - scan->at);
    if (!end)
        return scan_fail(scan, scan->at, "this text does not end: a \" is missing");
    *text = begin;
    *length = (size_t)(end - begin);
    scan->at += *length + 1;
    return true;
}

void scan_skip_to(struct scan *scan, char c)
{
    while (scan->at < scan->source->size && !scan_accept(scan, c)) {
        if (peek(scan, 0) == '"') {
            const char *text;
            size_t length;
            if (!scan_string(scan, &text, &length))
                return;
        } else {
            scan->at += scan->at < scan->source->size;
        }
    }
}

bool scan_skip_braces(struct scan *scan)
{
    size_t begin = scan->at, depth = 0;
    while (scan_space(scan), scan->at < scan->source->size) {
        char c = scan->source->bytes[scan->at++];
        depth += c == '{';
        if (c == '}' && --depth == 0)
            return true;
        if (!depth)
            break;
    }
    return scan_fail(scan, begin, "a { is opened here and never closed");
}

/* words.h - sentences, one after another, into a text of fixed size; what does not fit is cut off.
 *
 * Sizes and lengths are in bytes; the text ends with a NUL always. Nothing is owned and nothing fails.
 */
#ifndef LANESCOPE_WORDS_H
#define LANESCOPE_WORDS_H

#include <stddef.h>

struct words {
    char *out;
    size_t size, used; /* `used` without the NUL */
};

/* An empty text in `out`, of `size` > 0 bytes, which must outlive the words. */
struct words words_in(char *out, size_t size);
void words_say(struct words *words, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif

/* text.h - a text and who owns its bytes: a file that was read, or bytes that live elsewhere. */
#ifndef LANESCOPE_TEXT_H
#define LANESCOPE_TEXT_H

#include "problem.h"

struct text {
    struct source source;
    char *owned; /* a file's contents; NULL where the bytes are somebody else's */
};

/* Reads a whole file of at most `limit` bytes. False after filling the problem. The path is the source's name
 * and must outlive the text. */
bool text_read_file(struct text *text, const char *path, size_t limit, struct problem *problem);
void text_close(struct text *text);

#endif

/* escape.h - people's texts made fit for a drawing and for XML.
 *
 * What is no UTF-8 becomes U+FFFD, as does what is no character; control characters become blanks.
 */
#ifndef LANESCOPE_PICTURE_ESCAPE_H
#define LANESCOPE_PICTURE_ESCAPE_H

#include <stdio.h>

/* The bytes to show for the character at `*text`, which moves behind it. Not at the end of a text. */
const char *clean_next(const char **text, unsigned *length);

/* Clean, and with XML's own characters as what stands for them: between tags, and in quoted attributes. */
void write_escaped(const char *text, FILE *out);

#endif

/* utf8.h - texts of which nobody knows whether they are UTF-8: names of files, lines of sources. */
#ifndef LANESCOPE_UTF8_H
#define LANESCOPE_UTF8_H

/* Bytes of the sequence that begins here, 1 to 4; 0 where none does. The text ends with a NUL. */
unsigned utf8_length(const char *text);

#endif

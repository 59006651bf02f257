/* element.h - the type that stands for an element of 1, 2, 4, 8 or 16 bytes where nobody names one. */
#ifndef LANESCOPE_REPORT_ELEMENT_H
#define LANESCOPE_REPORT_ELEMENT_H

/* Both: NULL for any other width. */
const char *element_type(unsigned bytes);         /* "float", "double", ...: ELEM of a width */
const char *element_integer_type(unsigned bytes); /* "unsigned", ...: for cells that carry numbers of ours */

#endif

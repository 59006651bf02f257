/* parse_number.h - numbers that people write, read strictly. */
#ifndef LANESCOPE_PARSE_NUMBER_H
#define LANESCOPE_PARSE_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* All of the text, decimal or 0x..., no sign, within [low, high]; otherwise false, and *value is untouched.
 */
bool parse_number(const char *text, uint64_t low, uint64_t high, uint64_t *value);

#endif

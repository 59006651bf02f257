/* bits.h - functions of bits and of integers, one lane at a time, as PTX defines them: what both front ends
 * compute with. Inside exec. No errors: every operand has a result.
 */
#ifndef LANESCOPE_EXEC_BITS_H
#define LANESCOPE_EXEC_BITS_H

#include <stdint.h>

#include "../lang/program.h"

/* `kind` is that of OP_BITS. Only the bits that the kind has of an operand count where it is unsigned; a
 * signed one is sign-extended. The result is sign-extended from its own width, for unsigned kinds too. */
int64_t bits_lane(enum bits_function function, unsigned kind, int64_t a, int64_t b, int64_t c);

#endif

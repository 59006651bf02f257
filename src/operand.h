/* operand.h - the kernel's text that an operand names: a rung of the ladder, or a file. */
#ifndef LANESCOPE_OPERAND_H
#define LANESCOPE_OPERAND_H

#include "../base/text.h"

/* False after filling the problem: the file cannot be read, or is larger than a text may be (token.h). The
 * operand must outlive the text, which text_close() ends. */
bool operand_open(struct text *text, const char *operand, struct problem *problem);

#endif

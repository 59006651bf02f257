/* pages.h - memory of gigabytes, zeroed, given back a piece at a time: while a process gives memory back all
 * at once, its other threads wait for any that they ask for.
 *
 * Below PAGES_FROM bytes it is memory as any other. WebAssembly, which has no pages, has wasm/pages.c.
 */
#ifndef LANESCOPE_PAGES_H
#define LANESCOPE_PAGES_H

#include <stddef.h>
#include <stdint.h>

#define PAGES_FROM ((size_t)1 << 26)

/* NULL where there is not so much. */
void *pages_take(uint64_t bytes);
void pages_give(void *memory, uint64_t bytes); /* as many as were taken; NULL is fine */

#endif

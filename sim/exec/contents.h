/* contents.h - loads and stores of memory that holds numbers: buffers whose contents are known (cells.h), and
 * what shared memory shares with them. Inside exec.
 */
#ifndef LANESCOPE_EXEC_CONTENTS_H
#define LANESCOPE_EXEC_CONTENTS_H

#include "cells.h"

/* One lane, for whoever reads and writes single cells (a number has the bits of as many bytes as are moved):
 * `bytes` (1, 2, 4, 8) at a byte offset of a buffer whose cells are known. What is read outside the buffer,
 * or misaligned, is data; what is written there is lost. The width need not be a cell's. False: a problem is
 * set. */
bool contents_read(struct execution *e, const struct instruction *at, unsigned buffer, int64_t offset,
                   unsigned bytes, struct cell *cell);
bool contents_write(struct execution *e, const struct instruction *at, unsigned buffer, int64_t offset,
                    unsigned bytes, struct cell cell);

/* All lanes of e->access, a load: its components into dst, as numbers where every lane has one. */
bool contents_load(struct execution *e, const struct warp *warp, const struct instruction *at,
                   struct value *dst);
/* All lanes of e->access, a store of these components, whose tokens are in the access. */
bool contents_store(struct execution *e, const struct instruction *at, const struct value *stored);

/* Bits as a number of this kind holds them. */
static inline int64_t contents_wrap(enum number_kind kind, int64_t bits)
{
    unsigned spare = 64 - (8u << (unsigned)kind / 2);
    uint64_t high = (uint64_t)bits << spare;
    return kind % 2 ? (int64_t)(high >> spare) : (int64_t)high >> spare;
}

/* 32 numbers as what a LOAD of this held_kind gives; the lanes outside `mask` repeat one of the others. */
struct value contents_value(struct execution *e, unsigned held, uint32_t mask, int64_t numbers[LANES]);

#endif

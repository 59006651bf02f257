/* peer.h - a library's own transposition: cuBLAS geam, where the library is on the machine.
 *
 * It is opened at run time (libcublas.so.13, .12, .11) and works in the context of gpu.h, which must be open
 * and attached. It multiplies by 1, so elements are floating-point numbers of 4 or 8 bytes.
 */
#ifndef LANESCOPE_CUDA_PEER_H
#define LANESCOPE_CUDA_PEER_H

#include <stdint.h>

#include "../base/problem.h"

struct peer;

/* NULL: there is no such library, or it does not start. */
struct peer *peer_open(void);
void peer_close(struct peer *peer); /* NULL is fine */

bool peer_takes(const struct peer *peer, uint32_t rows, uint32_t cols, unsigned elem_bytes);

/* out[j][i] = in[i][j] on the device, without waiting for its end. */
bool peer_transpose(struct peer *peer, uint64_t in, uint64_t out, uint32_t rows, uint32_t cols,
                    unsigned elem_bytes, struct problem *problem);

#endif

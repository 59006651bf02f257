/* bench_texts.h - the kernels of cuda/bench as text, embedded when the program is built. */
#ifndef LANESCOPE_CUDA_BENCH_TEXTS_H
#define LANESCOPE_CUDA_BENCH_TEXTS_H

extern const char bench_cells_text[];    /* matrices that carry their indices: fill, poison, check */
extern const char bench_ceilings_text[]; /* copy16, read_l2, read_shared */
extern const char bench_pipeline_text[]; /* a consumer of the transposed matrix, strided and dense */

#endif

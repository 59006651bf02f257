/* Loops over a grid that machine learning libraries define in a header of theirs, all alike. */
#ifndef CUDA_KERNEL_LOOP
#define CUDA_KERNEL_LOOP(i, n) for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += blockDim.x * gridDim.x)
#endif
#ifndef CUDA_1D_KERNEL_LOOP
#define CUDA_1D_KERNEL_LOOP(i, n) CUDA_KERNEL_LOOP(i, n)
#endif
#ifndef CUDA_KERNEL_LOOP_TYPE
#define CUDA_KERNEL_LOOP_TYPE(i, n, T) for (T i = (T)blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += blockDim.x * gridDim.x)
#endif
#ifndef CUDA_1D_KERNEL_LOOP_T
#define CUDA_1D_KERNEL_LOOP_T(i, n, T) CUDA_KERNEL_LOOP_TYPE(i, n, T)
#endif
#ifndef CUDA_2D_KERNEL_LOOP
#define CUDA_2D_KERNEL_LOOP(i, n, j, m) \
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += blockDim.x * gridDim.x) \
        for (size_t j = blockIdx.y * blockDim.y + threadIdx.y; j < (m); j += blockDim.y * gridDim.y)
#endif

// pipeline.cu - a consumer that walks the rows of the transposed matrix: y[j] = sum over i of a(i, j) * x(i).
//
// One warp a row j. Lane l adds the cells i = l, l + 32, ... in that order, then the lanes are added as a tree, so
// that both forms do the same additions in the same order: their results are the same bit by bit.
__device__ float weight(long long i)
{
    return (float)(i % 7 + 1);
}

#define WALK(CELL)                                                                                                    \
    const long long j = ((long long)blockIdx.x * blockDim.x + threadIdx.x) / 32;                                      \
    const int lane = threadIdx.x % 32;                                                                                \
    if (j >= cols)                                                                                                    \
        return;                                                                                                       \
    float sum = 0;                                                                                                    \
    for (long long i = lane; i < rows; i += 32)                                                                       \
        sum = fmaf(CELL, weight(i), sum);                                                                             \
    for (int step = 16; step; step /= 2)                                                                              \
        sum += __shfl_down_sync(0xffffffffu, sum, step);                                                              \
    if (lane == 0)                                                                                                    \
        y[j] = sum;

// Over the original, rows x cols: one cell of each row, `cols` apart.
extern "C" __global__ void consume_strided(const float *a, float *y, long long rows, long long cols)
{
    WALK(a[i * cols + j])
}

// Over the converted matrix, cols x rows: cells side by side.
extern "C" __global__ void consume_dense(const float *a, float *y, long long rows, long long cols)
{
    WALK(a[j * rows + i])
}

extern "C" __global__ void compare(const unsigned *a, const unsigned *b, unsigned long long count,
                                   unsigned long long *differ)
{
    for (unsigned long long i = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x; i < count;
         i += (unsigned long long)gridDim.x * blockDim.x)
        if (a[i] != b[i])
            atomicAdd(differ, 1ull);
}

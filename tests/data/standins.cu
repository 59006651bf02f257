// block: 32, 8
// grid: 2, 2
// arg: d+4 = cols
#include "matrix_of_a_library.h"

template <class Real> __global__ void add_mat(Real alpha, const Real *src, Real *dst, MatrixDim d)
{
    int32_cuda i = blockIdx.x * blockDim.x + threadIdx.x;
    int32_cuda j = blockIdx.y * blockDim.y + threadIdx.y;
    int32_cuda index = i + j * d.stride;
    if (i < d.cols && j < d.rows)
        dst[index] = alpha * src[index] + dst[index];
}

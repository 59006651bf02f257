// zoo: 8
// title: barrier-missing-in-loop-fixed
// purpose: The kernel barrier-missing-in-loop put right.
// block: 32, 8
// grid: (cols + 31) / 32

__global__ void turn(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[32][33];
    const int x = blockIdx.x * 32 + threadIdx.x;
    for (int first = 0; first < rows; first += 32) { // a block turns all tiles of a column
        for (int j = threadIdx.y; j < 32; j += 8)
            if (x < cols && first + j < rows)
                tile[j][threadIdx.x] = in[(first + j) * cols + x];
        __syncthreads();
        for (int j = threadIdx.y; j < 32; j += 8)
            if (first + threadIdx.x < rows && blockIdx.x * 32 + j < cols)
                out[(blockIdx.x * 32 + j) * rows + first + threadIdx.x] = tile[threadIdx.x][j];
        __syncthreads();
    }
}

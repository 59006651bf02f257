// block: 32, 32
// grid: (cols + 31) / 32, (rows + 31) / 32
// task: copy
__global__ void walk(const float *in, float *out, int rows, int cols)
{
    int r = blockIdx.y * 32 + threadIdx.x, c = blockIdx.x * 32 + threadIdx.y;
    if (r < rows && c < cols)
        out[r * cols + c] = in[r * cols + c];
}

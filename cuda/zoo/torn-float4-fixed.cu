// zoo: 20
// title: torn-float4-fixed
// purpose: The kernel torn-float4 put right.
// block: 32, 8
// grid: (cols + 31) / 32, (rows + 31) / 32

__global__ void turn(const float4 *in, float4 *out, int rows, int cols)
{
    const int x = blockIdx.x * 32 + threadIdx.x;
    for (int j = threadIdx.y; j < 32; j += 8) {
        const int y = blockIdx.y * 32 + j;
        if (x < cols && y < rows) {
            const float4 v = in[y * cols + x];
            out[x * rows + y] = make_float4(v.x, v.y, v.z, v.w);
        }
    }
}

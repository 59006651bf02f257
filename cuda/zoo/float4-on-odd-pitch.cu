// zoo: 18
// title: float4-on-odd-pitch
// purpose: Rows of 33 floats: a float4 of the second row begins at no multiple of 16 bytes.
// finding: misaligned
// block: 32, 8
// grid: (cols + 31) / 32, (rows + 31) / 32

__global__ void turn(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[32][33];
    const int x = blockIdx.x * 32 + threadIdx.x, t = threadIdx.y * 32 + threadIdx.x;
    for (int j = threadIdx.y; j < 32; j += 8) {
        const int y = blockIdx.y * 32 + j;
        if (x < cols && y < rows)
            tile[threadIdx.x][j] = in[y * cols + x];
        else
            tile[threadIdx.x][j] = 0;
    }
    __syncthreads();
    const float4 four = *(const float4 *)&tile[t / 8][t % 8 * 4]; // <- here
    const int oy = blockIdx.x * 32 + t / 8, ox = blockIdx.y * 32 + t % 8 * 4;
    if (oy < cols && ox < rows)
        out[oy * rows + ox] = four.x;
    if (oy < cols && ox + 1 < rows)
        out[oy * rows + ox + 1] = four.y;
    if (oy < cols && ox + 2 < rows)
        out[oy * rows + ox + 2] = four.z;
    if (oy < cols && ox + 3 < rows)
        out[oy * rows + ox + 3] = four.w;
}

// block: 32
// grid: 4
__global__ void h2(const short *in, short *out, int rows, int cols)
{
    __shared__ short s[64][64];
    int t = threadIdx.x;
    for (int r = 0; r < 64; r++)
        *(short2 *)&s[r][t * 2] = ((const short2 *)in)[(blockIdx.x * 64 + r) * 32 + t];
    __syncthreads();
    for (int c = 0; c < 32; c++) {
        ((short2 *)out)[(blockIdx.x * 32 + c) * 64 + t] = *(const short2 *)&s[t][c * 2];
        ((short2 *)out)[(blockIdx.x * 32 + c) * 64 + 32 + t] = *(const short2 *)&s[t + 32][c * 2];
    }
}

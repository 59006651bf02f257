// block: 32
// grid: 2
// task: copy
__global__ void v4(const float *in, float *out, int rows, int cols)
{
    __shared__ float s[32][32];
    int t = threadIdx.x;
    for (int c = 0; c < 8; c++)
        *reinterpret_cast<float4 *>(&s[t / 8 + c * 4][t % 8 * 4]) = reinterpret_cast<const float4 *>(in)[blockIdx.x * 256 + c * 32 + t];
    __syncthreads();
    for (int c = 0; c < 8; c++) {
        float4 v = *reinterpret_cast<float4 *>(&s[t][c * 4]);
        reinterpret_cast<float4 *>(out)[blockIdx.x * 256 + t * 8 + c] = v;
    }
}

// block: 1024
// grid: 1
__global__ void everyone(const float *in, float *out)
{
    for (int i = 0; i < 4; i++)
        out[threadIdx.x] = in[threadIdx.x];
}

// block: 32
// grid: 1
__global__ void first(const float *in, float *out)
{
    if (blockIdx.x == 0 && blockIdx.y == 0 && blockIdx.z == 0)
        for (int i = 0; i < 100000; i++)
            out[threadIdx.x] = in[threadIdx.x];
}

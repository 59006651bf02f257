__global__ void count(const int *in, int *out)
{
    atomicAdd(out, in[threadIdx.x]);
}

// block: 32
// grid: 2
__global__ void threshold(const float *in, float *out) { int i = blockIdx.x * 32 + threadIdx.x;
    if (in[i] > 31.5f)
        out[i] = in[i];
}

// block: 32
// grid: 2
__global__ void threshold(float *out, const float *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = in[i];
    if (v > 0.5f)
        out[i] = v * v;
    else
        out[i] = -v;
}

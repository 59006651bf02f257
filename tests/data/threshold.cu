// block: 32
// grid: 2
__global__ void threshold(float *out, const float *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = in[i];
    if (v > 0.5f) {
        float w = v * v;
        v = w * w + v;
    } else {
        v = -v;
    }
    out[i] = v;
}

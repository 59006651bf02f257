// block: 64
// grid: 4
__global__ void skip(const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i % 64 >= 48) goto end;
    out[i] = in[i];
end:
    return;
}

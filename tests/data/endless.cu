// block: 64
// grid: 1
// A loop that does not end, as in a report: a trace of it is bounded by --limit.
__global__ void endless(float *out)
{
    for (int i = 0; i < 1; i += 0)
        out[threadIdx.x] = 1.0f;
}

// block: 64
// grid: 1
// A loop that does not end and never comes back to a state, as in a report: a trace of it is bounded by --limit.
__global__ void endless(float *out)
{
    for (unsigned long long x = threadIdx.x;; x = x * 6364136223846793005ull + 1442695040888963407ull)
        out[x & 1023] = 1.0f;
}

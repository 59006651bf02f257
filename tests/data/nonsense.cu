// block: 32
// grid: 1
__global__ void mine(float *out) { out[threadIdx.x] = nonsense(threadIdx.x); }

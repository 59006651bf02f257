// ceilings.cu - what the memories of a device give at most: the numbers that a kernel's traffic is held against.
typedef unsigned long long u64;

// A copy with 16 bytes a thread and access, four of them in flight. The last bytes go one by one.
extern "C" __global__ void copy16(const uint4 *in, uint4 *out, u64 bytes)
{
    const u64 count = bytes / 16;
    const u64 first = (u64)blockIdx.x * blockDim.x * 4 + threadIdx.x;
    uint4 held[4];
#pragma unroll
    for (int k = 0; k < 4; k++)
        if (first + k * blockDim.x < count)
            held[k] = in[first + k * blockDim.x];
#pragma unroll
    for (int k = 0; k < 4; k++)
        if (first + k * blockDim.x < count)
            out[first + k * blockDim.x] = held[k];
    if (blockIdx.x == 0 && threadIdx.x < bytes % 16)
        ((unsigned char *)out)[count * 16 + threadIdx.x] = ((const unsigned char *)in)[count * 16 + threadIdx.x];
}

// Reads a buffer that lies in the L2 `times` times, past the L1.
extern "C" __global__ void read_l2(const uint4 *in, u64 count, unsigned times, unsigned *never)
{
    unsigned sum = 0;
    for (unsigned t = 0; t < times; t++)
        for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += (u64)gridDim.x * blockDim.x) {
            const uint4 v = __ldcg(in + i);
            sum ^= v.x ^ v.y ^ v.z ^ v.w;
        }
    if (sum == 0x9e3779b9u)
        *never = sum;
}

// `times` x 16 loads of shared memory a thread, one wavefront each.
extern "C" __global__ void read_shared(unsigned times, unsigned *never)
{
    __shared__ unsigned words[1024];
    for (unsigned i = threadIdx.x; i < 1024; i += blockDim.x)
        words[i] = i;
    __syncthreads();
    unsigned sum = 0;
    const unsigned at = (unsigned)__cvta_generic_to_shared(words) + threadIdx.x % 32 * 4;
    for (unsigned t = 0; t < times; t++) {
#pragma unroll
        for (int k = 0; k < 16; k++) {
            unsigned v;
            asm volatile("ld.shared.u32 %0, [%1];" : "=r"(v) : "r"(at + k * 128 + (t & 7) * 256));
            sum ^= v;
        }
    }
    if (sum == 0x9e3779b9u)
        *never = sum;
}

// block: 32, 2
// grid: 2, 2
#include <vector>
#define AT(r, c) a[(r) * n + (c)]
#define FLOAT4(v) (reinterpret_cast<float4 *>(&(v))[0])

struct Shape {
    int width;
    float scale;
};

__device__ float get(const float *p, int i) { return p[i]; }

template <int N> __global__ void mine(float *a, const float *b, int *count, Shape shape, int n)
{
    __shared__ float tile[64];
    register int lane = threadIdx.x;
    AT(threadIdx.y, lane) = shape.scale * get(b, lane + N + shape.width);
    tile[lane] = __shfl_xor(b[lane], 1);
    __syncthreads();
    FLOAT4(a[4 * lane]) = FLOAT4(tile[lane / 8 * 4]);
    a[lane] += get(tile, lane);
    atomicAdd(count + lane, 1);
}

int main()
{
    Shape shape = {4, 1.0f};
    mine<64><<<dim3(2, 2), dim3(32, 2)>>>(nullptr, nullptr, nullptr, shape, 70);
}

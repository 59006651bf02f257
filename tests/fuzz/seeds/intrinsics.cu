#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace g = cooperative_groups;
template <typename G> __device__ float warp_sum(G tile, float x)
{
    for (int i = tile.size() / 2; i > 0; i /= 2) x += tile.shfl_down(x, i);
    return x;
}
template <int N> __device__ float tile_sum(g::thread_block_tile<N> tile, float x)
{
    for (int i = N / 2; i > 0; i /= 2) x += tile.shfl_xor(x, i);
    return x;
}
__device__ float4 operator+(const float4 &a, const float4 &b) { return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); }
__device__ void operator+=(float4 &a, float4 b) { a = a + b; }
__global__ void k(const float *in, float *out, int *hist, int rows, int cols)
{
    __shared__ unsigned bins[64];
    __shared__ float total;
    g::thread_block block = g::this_thread_block();
    auto tile = g::tiled_partition<16>(block);
    g::thread_block_tile<32> warp = g::tiled_partition<32>(block);
    int t = block.thread_rank();
    if (t < 64) bins[t] = 0;
    if (t == 0) total = 0.f;
    block.sync();
    float x = in[t];
    x = expf(x) + sqrtf(x) * rsqrtf(x) + __fmaf_rn(x, x, 2.f) + fmaxf(x, -INFINITY) + powf(x, 2) + std::numeric_limits<float>::max();
    x = warp_sum(warp, x);
    x = tile_sum(tile, x);
    atomicAdd(&bins[(t * 7) & 63], 1u);
    atomicCAS(bins + (t & 31), 0u, 1u);
    atomicAdd(&total, x);
    unsigned m = __ballot_sync(0xffffffff, t & 1);
    unsigned pos = __popc(m & ((1u << (t & 31)) - 1));
    int lead = __shfl_sync(0xffffffff, t, 0);
    float4 a = ((const float4 *)in)[t];
    float4 b = a + a;
    b += a;
    block.sync();
    printf("%d %s\n", t, "x");
    assert(x > 0 && t < 3);
    ((float4 *)out)[t] = b;
    out[lead + pos] = x;
    int n = __syncthreads_count(t < 40);
    out[n] = x;
    hist[tile.meta_group_rank()] = tile.thread_rank() + __clz(t) + __ffs(t) + INT_MAX % 7;
    if (tile.thread_rank() == 0) atomicMax(&hist[tile.meta_group_rank()], 3);
}

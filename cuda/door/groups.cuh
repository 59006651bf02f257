/* Cooperative groups of a block: what follows from the thread's place in it. A grid's barrier is only declared. */
namespace cooperative_groups {
struct thread_group {
    unsigned lanescope_size, lanescope_rank, lanescope_mask;
    __device__ unsigned size() const { return lanescope_size; }
    __device__ unsigned num_threads() const { return lanescope_size; }
    __device__ unsigned thread_rank() const { return lanescope_rank; }
    __device__ void sync() const { if (lanescope_size > 32u) __syncthreads(); else __syncwarp(lanescope_mask); }
};
struct thread_block {
    __device__ static void sync() { __syncthreads(); }
    __device__ static unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
    __device__ static unsigned num_threads() { return size(); }
    __device__ static unsigned thread_rank() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
    __device__ static dim3 group_index() { return blockIdx; }
    __device__ static dim3 thread_index() { return threadIdx; }
    __device__ static dim3 group_dim() { return blockDim; }
    __device__ static dim3 dim_threads() { return blockDim; }
    __device__ operator thread_group() const { return {size(), thread_rank(), ~0u}; }
};
__device__ inline thread_block this_thread_block() { return {}; }
template <unsigned N, class Parent = thread_block> struct thread_block_tile {
    __device__ static unsigned lanescope_mask() { return (N == 32 ? ~0u : ((1u << N % 32) - 1u)) << (thread_block::thread_rank() % 32 / N * N); }
    __device__ static constexpr unsigned size() { return N; }
    __device__ static constexpr unsigned num_threads() { return N; }
    __device__ static unsigned thread_rank() { return thread_block::thread_rank() % N; }
    __device__ static unsigned meta_group_rank() { return thread_block::thread_rank() / N; }
    __device__ static unsigned meta_group_size() { return (thread_block::size() + N - 1) / N; }
    __device__ static void sync() { __syncwarp(lanescope_mask()); }
    template <class T> __device__ static T shfl(T v, int lane) { return __shfl_sync(lanescope_mask(), v, lane, N); }
    template <class T> __device__ static T shfl_up(T v, int d) { return __shfl_up_sync(lanescope_mask(), v, d, N); }
    template <class T> __device__ static T shfl_down(T v, int d) { return __shfl_down_sync(lanescope_mask(), v, d, N); }
    template <class T> __device__ static T shfl_xor(T v, int m) { return __shfl_xor_sync(lanescope_mask(), v, m, N); }
    __device__ static int any(int p) { return __any_sync(lanescope_mask(), p); }
    __device__ static int all(int p) { return __all_sync(lanescope_mask(), p); }
    __device__ static unsigned ballot(int p) { return (__ballot_sync(lanescope_mask(), p) & lanescope_mask()) >> (thread_block::thread_rank() % 32 / N * N); }
    __device__ operator thread_group() const { return {N, thread_rank(), lanescope_mask()}; }
};
template <unsigned N, class G> __device__ thread_block_tile<N> tiled_partition(const G &) { return {}; }
__device__ inline thread_group tiled_partition(const thread_block &, unsigned n) {
    unsigned rank = thread_block::thread_rank();
    return {n, rank % n, (n >= 32 ? ~0u : (1u << n) - 1u) << (rank % 32 / n * n)};
}
struct grid_group {
    __device__ void sync() const; /* no definition: a launch's blocks run one after the other */
    __device__ static dim3 group_dim() { return gridDim; }
    __device__ static unsigned long long size() { return (unsigned long long)gridDim.x * gridDim.y * gridDim.z * thread_block::size(); }
    __device__ static unsigned long long num_threads() { return size(); }
    __device__ static unsigned long long thread_rank() {
        return (blockIdx.x + (unsigned long long)gridDim.x * (blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z)) * thread_block::size() + thread_block::thread_rank();
    }
};
__device__ inline grid_group this_grid() { return {}; }
template <class G> __device__ unsigned thread_rank(const G &g) { return g.thread_rank(); }
template <class G> __device__ unsigned group_size(const G &g) { return g.size(); }
template <class G> __device__ void sync(const G &g) { g.sync(); }
template <class T> struct plus { __device__ T operator()(T a, T b) const { return a + b; } };
template <class T> struct greater { __device__ T operator()(T a, T b) const { return a < b ? b : a; } };
template <class T> struct less { __device__ T operator()(T a, T b) const { return b < a ? b : a; } };
template <unsigned N, class P, class T, class F> __device__ T reduce(const thread_block_tile<N, P> &g, T v, F f) {
    for (unsigned i = N / 2; i; i /= 2)
        v = f(v, g.shfl_xor(v, i));
    return v;
}
} // namespace cooperative_groups

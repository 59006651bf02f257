// zoo: 9
// title: aliased-naive-fixed
// purpose: The kernel aliased-naive put right.
// arg: n = cols
// block: 32, 8
// grid: (cols + 31) / 32, (cols + 7) / 8

__global__ void turn(float *a, int n)
{
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x < y && y < n) { // one thread exchanges a pair
        const float upper = a[x * n + y], lower = a[y * n + x];
        a[x * n + y] = lower;
        a[y * n + x] = upper;
    }
}

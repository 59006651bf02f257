// zoo: 9
// title: aliased-naive-fixed
// purpose: The kernel aliased-naive put right.

__global__ void turn(float *a, int n)
{
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x < y && y < n) { // one thread exchanges a pair
        const float upper = a[x * n + y], lower = a[y * n + x];
        a[x * n + y] = lower;
        a[y * n + x] = upper;
    }
}

void launch(float *a)
{
    const int n = 70;
    turn<<<dim3((n + 31) / 32, (n + 7) / 8), dim3(32, 8)>>>(a, n);
}

// zoo: 9
// title: aliased-naive
// purpose: In place, each element is overwritten before or after it is read, as it happens.
// arg: n = cols
// finding: global-race
// block: 32, 8
// grid: (cols + 31) / 32, (cols + 7) / 8

__global__ void turn(float *a, int n)
{
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x < n && y < n)
        a[x * n + y] = a[y * n + x]; // <- here
}

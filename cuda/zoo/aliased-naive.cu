// zoo: 9
// title: aliased-naive
// purpose: In place, each element is overwritten before or after it is read, as it happens.
// finding: global-race

__global__ void turn(float *a, int n)
{
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x < n && y < n)
        a[x * n + y] = a[y * n + x]; // <- here
}

void launch(float *a)
{
    const int n = 70;
    turn<<<dim3((n + 31) / 32, (n + 7) / 8), dim3(32, 8)>>>(a, n);
}

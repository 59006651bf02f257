// A transpose with its host code, from a report: everything that a run needs stands in the file.

__global__ void turn(float *dst, const float *src, int nx, int ny)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < nx && y + j < ny)
            dst[x * ny + y + j] = src[(y + j) * nx + x];
}
int main()
{
    const int nx = 96, ny = 64;
    float *a = 0, *b = 0;
    dim3 block(32, 8), grid((nx + 31) / 32, (ny + 31) / 32);
    turn<<<grid, block>>>(b, a, nx, ny);
}

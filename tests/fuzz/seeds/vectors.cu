typedef float4 wide;
const int SIDE = 4, PAD = SIDE / 2;
extern __shared__ float dynamic[];
__global__ void vectors(const float *in, float *out, double scale, unsigned long long step)
{
    __shared__ __align__(16) float tile[2][SIDE * 8];
    const float4 *from = reinterpret_cast<const float4 *>(in);
    float4 v = __ldg(&from[threadIdx.x]);
    wide w = make_float4(v.x, v.y, 1.5f, v.w);
    float *p = &tile[1][PAD];
    *(p + threadIdx.x) = v.z * (float)scale;
    ((float2 *)dynamic)[threadIdx.y] = make_float2(w.x, w.y);
    __syncthreads();
    ((float4 *)out)[threadIdx.x + sizeof(wide) * step] = w;
    out[blockDim.x + gridDim.y] = *p++ + dynamic[3];
    *p = static_cast<float>(threadIdx.z);
}

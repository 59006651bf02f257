__global__ void k(int *out, const float4 *in, int n)
{
    __shared__ double d[4][5]; __shared__ short h[9]; 
    out[sizeof(d)] = 1; out[sizeof d[0]] = 1; out[sizeof d[0][0]] = 1; out[sizeof(h)] = 1; out[sizeof *d] = 1; out[sizeof **d] = 1; out[sizeof(out)] = 1; out[sizeof(*in)] = 1; out[sizeof(in[0].x)] = 1; out[sizeof(d + 1)] = 1; out[sizeof(h[0] + h[1])] = 1; out[sizeof(h) / sizeof(h[0])] = 1; out[sizeof(d) / sizeof(d[0])] = 1; out[sizeof(short[3])] = 1; out[sizeof(int *)] = 1; out[sizeof(n++)] = 1; out[n] = 1; out[sizeof &d[0][1]] = 1; out[sizeof(const unsigned long long)] = 1; out[sizeof(float3)] = 1; out[sizeof(bool)] = 1; out[sizeof(1 < 2)] = 1; out[sizeof(n == 3)]=1;out[sizeof(true ? h[0] : h[1])] = 1; out[sizeof(char) + sizeof(int) * 3] = 1; out[sizeof(n) - 5 > 0] = 1;
}

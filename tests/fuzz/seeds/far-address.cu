__global__ void k(long long *out, const long long *in, int n){ __shared__ long long s[64];
 long long big = (long long)threadIdx.x * 0x7fffffffffffffffLL, b2 = (long long)threadIdx.x << 58, b3 = 0x7fffffffffffffffLL - threadIdx.x;
 out[threadIdx.x] = big; out[threadIdx.x] = b2; s[threadIdx.x] = b3; s[threadIdx.x + 32] = -b3; out[threadIdx.x] = s[threadIdx.x]; out[0] = s[threadIdx.x+32];
 out[threadIdx.x] = in[b2 >> 3]; out[b2] = in[b3]; s[b2] = in[big]; s[b3] = s[big]; s[-b3]=1; out[-b3]=2;
 int4 *q = (int4*)out; q[b2].x = 1; ((int4*)s)[b3>>1].y = 3; out[big*3] = 1; out[b3 + (threadIdx.x & 1 ? b2 : -b2)] = s[b3];
 size_t u = ~(size_t)0 - threadIdx.x; out[u / 3] = 1; out[u % 7] = 1; out[u >> 60] = 1; out[u * u] = u; out[-u] = u * 3; bool c = u > b3; if (c) out[min(u, (size_t)b3)] = max(b3, b2);
 unsigned char cc = threadIdx.x * 99; signed char sc = cc; short sh = sc * 300; out[cc] = sc; out[sh] = 2; }
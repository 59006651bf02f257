__global__ void k(long long *out, const long long *in, int n){ __shared__ long long s[64];
 long long big = (long long)threadIdx.x * 0x0fffffffffffffffLL, b2 = (long long)threadIdx.x << 52, b3 = 0x01ffffffffffffffLL - threadIdx.x;
 long long wild = (long long)threadIdx.x * 0x7fffffffffffffffLL;
 out[threadIdx.x] = wild; s[threadIdx.x] = wild; s[threadIdx.x + 32] = -wild; out[threadIdx.x] = s[threadIdx.x]; out[0] = s[threadIdx.x+32];
 out[threadIdx.x] = in[b2 >> 3]; out[b2] = in[b3]; s[b2] = in[b3]; s[b3] = s[b2]; s[-b3]=1; out[-b3]=2; out[-b3 - 1]= s[-b3 -2];
 int4 *q = (int4*)out; q[b2].x = 1; ((int4*)s)[b3>>1].y = 3;
 long long v; if (threadIdx.x < 2) { v = in[wild >> 8]; } out[threadIdx.x] = v;
 size_t u = ~(size_t)0 - threadIdx.x; out[u % 7] = 1; out[u >> 60] = 1; out[threadIdx.x] = u; out[-u] = u * 3; bool c = u > b3; if (c) out[min(u, (size_t)b3)] = max(b3, b2);
 unsigned char cc = threadIdx.x * 99; signed char sc = cc; short sh = sc * 300; out[cc] = sc; out[sh] = 2; out[threadIdx.x * 281474976710656LL >> 20] = threadIdx.x * 281474976710656LL; }

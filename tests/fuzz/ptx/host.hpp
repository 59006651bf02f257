// host.hpp - the host's side of the kernels of differential.c: the same text as C++, one thread at a time, whose stores
// are noted. What CUDA's functions of bits mean is written here a second time.
#include <stdint.h>

#define __global__   static
#define __device__
#define __noinline__ __attribute__((noinline))
#define __shared__
struct dim {
    unsigned x, y, z;
};
static dim threadIdx, blockIdx, blockDim, gridDim;

struct note {
    long long index;
    int buffer;
};
static note *notes;
static unsigned noted, most;

struct cell {
    long long index;
    int buffer;
    void operator=(int)
    {
        if (noted < most)
            notes[noted] = {index, buffer};
        noted++;
    }
};
struct out_t {
    int buffer;
    cell operator[](long long i) const { return {i, buffer}; }
};
static const out_t tile = {1};

static int __popc(unsigned v)
{
    int n = 0;
    for (; v; v >>= 1)
        n += v & 1;
    return n;
}
static int __clz(int v)
{
    int n = 0;
    while (n < 32 && !((unsigned)v >> (31 - n) & 1))
        n++;
    return n;
}
static unsigned __brev(unsigned v)
{
    unsigned r = 0;
    for (int i = 0; i < 32; i++)
        r = r << 1 | (v >> i & 1);
    return r;
}
static int __ffs(int v)
{
    for (int i = 0; i < 32; i++)
        if ((unsigned)v >> i & 1)
            return i + 1;
    return 0;
}
static unsigned __byte_perm(unsigned a, unsigned b, unsigned s)
{
    unsigned char bytes[8];
    unsigned r = 0;
    for (int i = 0; i < 4; i++) {
        bytes[i] = (unsigned char)(a >> (8 * i));
        bytes[4 + i] = (unsigned char)(b >> (8 * i));
    }
    for (int i = 0; i < 4; i++)
        r |= (unsigned)bytes[s >> (4 * i) & 7] << (8 * i);
    return r;
}
static unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned n)
{
    n &= 31;
    return n ? hi << n | lo >> (32 - n) : hi;
}
static unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned n)
{
    n &= 31;
    return n ? lo >> n | hi << (32 - n) : lo;
}
static int __mulhi(int a, int b) { return (int)((long long)a * b >> 32); }
static unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)((unsigned long long)a * b >> 32); }
static int __mul24(int a, int b) { return (int)((int64_t)((int)((unsigned)a << 8) >> 8) * ((int)((unsigned)b << 8) >> 8)); }
static unsigned __usad(unsigned a, unsigned b, unsigned c) { return (a < b ? b - a : a - b) + c; }
static long long __mul64hi(long long a, long long b) { return (long long)((__int128)a * b >> 64); }
static int min(int a, int b) { return a < b ? a : b; }
static int max(int a, int b) { return a < b ? b : a; }
static unsigned umin(unsigned a, unsigned b) { return a < b ? a : b; }
static unsigned umax(unsigned a, unsigned b) { return a < b ? b : a; }
static int abs(int a) { return a < 0 ? (int)(0u - (unsigned)a) : a; }

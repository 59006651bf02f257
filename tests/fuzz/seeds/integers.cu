extern "C" __global__ void integers(short *s, unsigned char *c, long long *l, size_t n)
{
    short a = (short)(threadIdx.x * 30000);
    signed char b = 97 + 100;
    uint16_t d = a;
    int64_t e = (int64_t)a << 33, f = e / -1 % 5;
    c[d >> 8] = 0x1f;
    s[(b & 0x7f) + (a == b) + !d] = 017;
    l[(f < 0 ? -f : f) & 15] = 1ull << 40;
    s[n - 1u] = 1e3f;
}

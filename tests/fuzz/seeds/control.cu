__global__ void control(const int *in, int *out, int n, bool flip, unsigned char small)
{
    int i = threadIdx.x, sum = 0;
    do {
        if (i % 3 == 0)
            continue;
        else if (i > 20 && !flip)
            break;
        sum += i & 1 ? i : -i;
    } while (++i < n);
    while (true) {
        for (;; sum--) {
            if (sum < 5)
                break;
            if (sum == 77)
                return;
        }
        if (sum-- <= 0 || small)
            break;
    }
    __syncwarp();
    unsigned u = ~0u >> (threadIdx.y & 31), v = (u ^ 0x5a, u | 1u) << 2;
    out[min(sum & 63, 12) + max((int)v % 7, 0)] = in[n > 3 ? i & 31 : 0] + 1;
    out[i & 7] += 2;
}

__global__ void k(int *out, int n)
{
    const int X = 3, Y = X + 2, Z = n; constexpr unsigned W = X * 2; static const short V = 70000;
    __shared__ int s[X][W]; const bool B = X > 2;
    s[1][Y] = 1; out[Z] = 1; out[V & 15] = 1; out[B] = 1; out[sizeof(X)] = 1;
    for (const int q = 4; n > 6; n--) { const int X = 9; out[q + X] = 1; }
    if (B) { const int n = 2; out[n] = 1; }
}

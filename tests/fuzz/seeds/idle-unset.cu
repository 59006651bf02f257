__global__ void k(const int *in, int *out) {
    int y; bool f;
    for (int i = 0; i < 4; i++) {
        if (i < 2) continue;
        if (i == 2) { y = 3; f = true; }
        int z = y + 1;
        if (f && y > 2) out[z] = i;
        out[z] = i;
    }
}

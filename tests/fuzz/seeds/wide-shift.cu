__global__ void k(int *out, int n)
{
    unsigned long long big = 0xFFFFFFFFFFFFFF00ull, u = threadIdx.x;
    out[0 + (u >= big)] = 1;
    out[10 + ((n > 8) >= big)] = 1;
    out[20 + (0u >= big)] = 1;
    out[30 + ((n > 8) >= (big | (n < 3)))] = 1;
    out[40 + ((n > 8) >= (((unsigned long long)(9223372036854775807) << ((blockDim.x) & 15))))] = 1;
    out[50 + (big < u)] = 1;
    out[60 + (u == big)] = 1;
    int i1 = 1;
    out[70 + ((i1 >= blockDim.x) >= big)] = 1;
    out[80 + (((long long)(blockDim.x) << ((n) & 31)) | i1 >= blockDim.x >= big)] = 1;
    out[90 + (((unsigned long long)(9223372036854775807) << 8) >> 60)] = 1;
    out[110 + ((((unsigned long long)(9223372036854775807) << 8)|(n<3)) >> 60)] = 1;
    out[130 + ((((unsigned long long)(9223372036854775807) << ((blockDim.x) & 15)) | 256 < blockDim.y) >> 60)] = 1;
    out[150 + (0 >= (((unsigned long long)(9223372036854775807) << ((blockDim.x) & 15)) | 256 < blockDim.y))] = 1;
    out[160 + ((i1 >= blockDim.x) >= (((unsigned long long)(9223372036854775807) << ((blockDim.x) & 15)) | 256 < blockDim.y))] = 1;
}

// cells.cu - matrices that carry their own indices, filled and checked on the device.
//
// BYTES is an element's width: 1, 2, 4, 8 or 16. Cell i of the input holds a digit of i; where an element is too
// narrow for every index of a large matrix several passes are made, pass k with the k-th digit, and a cell is right
// only if it is right in each. Elements of 4 and 8 bytes are normal floating-point numbers between 1 and 2 with the
// digit in their mantissa, so that a library that multiplies by 1 hands them on as they are. 16 bytes hold the index
// and its complement, so that torn elements are seen. What belongs in a cell of the output is mathematics:
// out[j][i] = in[i][j], or out = in.
typedef unsigned long long u64;

#if BYTES == 1
typedef unsigned char elem;
#define DIGIT 8
#elif BYTES == 2
typedef unsigned short elem;
#define DIGIT 16
#elif BYTES == 4
typedef unsigned int elem;
#define DIGIT 23
#elif BYTES == 8
typedef u64 elem;
#define DIGIT 52
#else
typedef ulonglong2 elem;
#define DIGIT 64
#endif

__device__ elem value_of(u64 index, unsigned pass)
{
#if BYTES == 16
    return make_ulonglong2(index, ~index);
#else
    const u64 digit = index >> (DIGIT * pass) & ((1ull << DIGIT) - 1);
#if BYTES == 4
    return 0x3f800000u | (unsigned)digit;
#elif BYTES == 8
    return 0x3ff0000000000000ull | digit;
#else
    return (elem)digit;
#endif
#endif
}

// The input's cell that belongs in cell i of the output, whose rows have `width` cells of the input's `height` rows.
__device__ u64 source_of(u64 i, u64 rows, u64 cols, int is_copy)
{
    return is_copy ? i : i % rows * cols + i / rows;
}

__device__ bool differs(elem a, elem b)
{
#if BYTES == 16
    return a.x != b.x || a.y != b.y;
#else
    return a != b;
#endif
}

__device__ elem complement(elem a)
{
#if BYTES == 16
    return make_ulonglong2(~a.x, ~a.y);
#else
    return (elem)~a;
#endif
}

#define EACH(i, count)                                                                                                \
    for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i < (count); i += (u64)gridDim.x * blockDim.x)

extern "C" __global__ void fill(elem *in, u64 rows, u64 cols, int is_copy, unsigned pass)
{
    EACH(i, rows *cols) in[i] = value_of(i, pass);
}

// A cell that is never written cannot be right by chance: it holds the complement of what belongs there.
extern "C" __global__ void poison(elem *out, u64 rows, u64 cols, int is_copy, unsigned pass)
{
    EACH(i, rows *cols) out[i] = complement(value_of(source_of(i, rows, cols, is_copy), pass));
}

// found[0]: cells that are wrong; found[1]: the first of them.
extern "C" __global__ void check(elem *out, u64 rows, u64 cols, int is_copy, unsigned pass, u64 *found)
{
    EACH(i, rows *cols)
    {
        if (differs(out[i], value_of(source_of(i, rows, cols, is_copy), pass))) {
            atomicAdd(&found[0], 1ull);
            atomicMin(&found[1], i);
        }
    }
}

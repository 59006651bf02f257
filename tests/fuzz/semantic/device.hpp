// device.hpp - what a generated kernel needs to become PTX: each memory operand is one instruction that no compiler
// merges, moves or leaves out, of the width that the text says, and yields data.
//
// For clang the declarations of cuda/door/clang.cuh stand before this, for nvcc its own headers.

using uchar = unsigned char;
#define KERNEL   extern "C" __global__
#define FUNCTION static __device__ __forceinline__
#define APART    static __device__ __noinline__ // a call in PTX; what it takes by reference is in local memory
#define CONSTANT static __constant__
#define MEMBER   __device__
#if !defined(__clang__)
#include <stdint.h>
struct half {
    short bits;
};
#endif
#include "common.hpp"
#define fminf(...) (+smaller{__VA_ARGS__}.v)

MEMBER static float OPAQUE(float x)
{
    asm volatile("" : "+f"(x));
    return x;
}
MEMBER static double OPAQUE(double x)
{
    asm volatile("" : "+d"(x));
    return x;
}
MEMBER static int OPAQUE(int x)
{
    asm volatile("" : "+r"(x));
    return x;
}

extern __shared__ __align__(128) unsigned char shared_bytes[];
#define SHARED(offset) (shared_bytes + (offset))

struct Loop {
    MEMBER Loop(unsigned) {}
    MEMBER void next() {}
};
using Call = Loop;

template <unsigned N> struct raw { // a vector of 3: a component at a time
    raw<N / 3> part[3];
    MEMBER void load(const volatile void *p)
    {
        for (int i = 0; i < 3; i++)
            part[i].load((const volatile char *)p + i * (N / 3));
    }
    MEMBER void store(volatile void *p)
    {
        for (int i = 0; i < 3; i++)
            part[i].store((volatile char *)p + i * (N / 3));
    }
};
#define RAW(N, WORD, LETTER, WHAT)                                                                            \
    template <> struct raw<N> {                                                                              \
        WORD word;                                                                                           \
        MEMBER void load(const volatile void *p)                                                             \
        {                                                                                                    \
            asm volatile("ld." WHAT " %0, [%1];" : "=" LETTER(word) : "l"(p));                               \
        }                                                                                                    \
        MEMBER void store(volatile void *p)                                                                  \
        {                                                                                                    \
            asm volatile("st." WHAT " [%0], %1;" : : "l"(p), LETTER(word));                                  \
        }                                                                                                    \
    };
RAW(1, unsigned short, "h", "u8")
RAW(2, unsigned short, "h", "u16")
RAW(4, unsigned, "r", "u32")
RAW(8, unsigned long long, "l", "u64")
template <> struct raw<16> {
    unsigned long long word[2];
    MEMBER void load(const volatile void *p)
    {
        asm volatile("ld.v2.u64 {%0, %1}, [%2];" : "=l"(word[0]), "=l"(word[1]) : "l"(p));
    }
    MEMBER void store(volatile void *p)
    {
        asm volatile("st.v2.u64 [%0], {%1, %2};" : : "l"(p), "l"(word[0]), "l"(word[1]));
    }
};

template <class T> MEMBER T LD(unsigned, const T &x)
{
    constexpr unsigned count = sizeof(T) % 3 ? 1 : 3, bytes = sizeof(T) / count; // a register may be wider
    raw<sizeof(T)> r;
    T value;
    r.load(&x);
    for (unsigned i = 0; i < count; i++)
        __builtin_memcpy((char *)&value + i * bytes, (char *)&r + i * sizeof(r) / count, bytes);
    return value;
}
template <class T> struct Store {
    T *at;
    MEMBER T operator=(T value) const
    {
        constexpr unsigned count = sizeof(T) % 3 ? 1 : 3, bytes = sizeof(T) / count;
        raw<sizeof(T)> r = {};
        for (unsigned i = 0; i < count; i++)
            __builtin_memcpy((char *)&r + i * sizeof(r) / count, (char *)&value + i * bytes, bytes);
        r.store(at);
        return value;
    }
    MEMBER T update() const
    {
        return *this = LD(0, *at);
    }
    template <class U> MEMBER T operator+=(U) const { return update(); }
    template <class U> MEMBER T operator-=(U) const { return update(); }
    template <class U> MEMBER T operator*=(U) const { return update(); }
    MEMBER T operator++() const { return update(); }
    MEMBER T operator++(int) const { return update(); }
    MEMBER T operator--() const { return update(); }
    MEMBER T operator--(int) const { return update(); }
};
template <class T> MEMBER Store<T> ST(unsigned, T &x)
{
    return {&x};
}
#define LDK LD
template <class T> struct KnownStore {
    T *at;
    MEMBER T operator=(T value) const { return Store<T>{at} = value; }
    template <class U> MEMBER T operator+=(U by) const { T v = LD(0, *at); v += by; return *this = v; }
    template <class U> MEMBER T operator-=(U by) const { T v = LD(0, *at); v -= by; return *this = v; }
    template <class U> MEMBER T operator*=(U by) const { T v = LD(0, *at); v *= by; return *this = v; }
    template <class U> MEMBER T operator^=(U by) const { T v = LD(0, *at); v ^= by; return *this = v; }
};
template <class T> MEMBER KnownStore<T> STK(unsigned, T &x)
{
    return {&x};
}

template <class T> struct Atomic {
    T *at;
};
template <class T> MEMBER Atomic<T> AT(unsigned, T &x)
{
    return {&x};
}
template <class T> MEMBER T atomic(Atomic<T> a)
{
    T old = T();
    if constexpr (sizeof(T) == 4) {
        unsigned word;
        asm volatile("atom.exch.b32 %0, [%1], %2;" : "=r"(word) : "l"(a.at), "r"(1));
        __builtin_memcpy(&old, &word, 4);
    } else {
        asm volatile("atom.exch.b64 %0, [%1], %2;" : "=l"(old) : "l"(a.at), "l"(1ull));
    }
    return old;
}
#define ATOMIC(NAME)                                                                                          \
    template <class T, class U> MEMBER T NAME(Atomic<T> a, U) { return atomic(a); }                          \
    template <class T, class U> MEMBER T NAME##_block(Atomic<T> a, U) { return atomic(a); }                  \
    template <class T, class U> MEMBER T NAME##_system(Atomic<T> a, U) { return atomic(a); }
ATOMIC(atomicAdd)
ATOMIC(atomicSub)
ATOMIC(atomicExch)
ATOMIC(atomicMin)
ATOMIC(atomicMax)
ATOMIC(atomicAnd)
ATOMIC(atomicOr)
ATOMIC(atomicXor)
ATOMIC(atomicInc)
template <class T, class U, class V> MEMBER T atomicCAS(Atomic<T> a, U, V) { return atomic(a); }
template <class T, class U, class V> MEMBER T atomicCAS_block(Atomic<T> a, U, V) { return atomic(a); }
template <class T, class U, class V> MEMBER T atomicCAS_system(Atomic<T> a, U, V) { return atomic(a); }

// The same functions without the number of their place.
#define PROMOTED decltype(+value)
template <class T> MEMBER auto shfl(unsigned m, T value, int from, int width = 32) -> PROMOTED
{
    return __shfl_sync(m, +value, from, width);
}
template <class T> MEMBER auto shfl_up(unsigned m, T value, unsigned by, int width = 32) -> PROMOTED
{
    return __shfl_up_sync(m, +value, by, width);
}
template <class T> MEMBER auto shfl_down(unsigned m, T value, unsigned by, int width = 32) -> PROMOTED
{
    return __shfl_down_sync(m, +value, by, width);
}
template <class T> MEMBER auto shfl_xor(unsigned m, T value, int with, int width = 32) -> PROMOTED
{
    return __shfl_xor_sync(m, +value, with, width);
}
MEMBER static unsigned ballot(unsigned m, bool p) { return __ballot_sync(m, p); }
MEMBER static int any(unsigned m, bool p) { return __any_sync(m, p); }
MEMBER static int all(unsigned m, bool p) { return __all_sync(m, p); }
MEMBER static unsigned active() { return __activemask(); }
template <class T> MEMBER unsigned matching(unsigned m, T value)
{
    unsigned lanes;
    if constexpr (sizeof(PROMOTED) == 8)
        asm volatile("match.any.sync.b64 %0, %1, %2;" : "=r"(lanes) : "l"((long long)value), "r"(m));
    else
        asm volatile("match.any.sync.b32 %0, %1, %2;" : "=r"(lanes) : "r"((int)+value), "r"(m));
    return lanes;
}
#define REDUCED(NAME, WHAT)                                                                                   \
    MEMBER static int NAME(unsigned m, int v)                                                                 \
    {                                                                                                        \
        int r;                                                                                               \
        asm volatile("redux.sync." WHAT "s32 %0, %1, %2;" : "=r"(r) : "r"(v), "r"(m));                       \
        return r;                                                                                            \
    }                                                                                                        \
    MEMBER static unsigned NAME(unsigned m, unsigned v)                                                       \
    {                                                                                                        \
        unsigned r;                                                                                          \
        asm volatile("redux.sync." WHAT "u32 %0, %1, %2;" : "=r"(r) : "r"(v), "r"(m));                       \
        return r;                                                                                            \
    }
#define REDUCED_BITS(NAME, WHAT)                                                                              \
    MEMBER static unsigned NAME(unsigned m, unsigned v)                                                       \
    {                                                                                                        \
        unsigned r;                                                                                          \
        asm volatile("redux.sync." WHAT ".b32 %0, %1, %2;" : "=r"(r) : "r"(v), "r"(m));                      \
        return r;                                                                                            \
    }
REDUCED(reduce_add, "add.")
REDUCED(reduce_min, "min.")
REDUCED(reduce_max, "max.")
REDUCED_BITS(reduce_and, "and")
REDUCED_BITS(reduce_or, "or")
REDUCED_BITS(reduce_xor, "xor")
MEMBER static int count(int p) { return __syncthreads_count(p != 0); }
MEMBER static int block_or(int p) { return __syncthreads_or(p != 0) != 0; }
MEMBER static int block_and(int p) { return __syncthreads_and(p != 0) != 0; }
#define __shfl_sync(number, ...)         shfl(__VA_ARGS__)
#define __shfl_up_sync(number, ...)      shfl_up(__VA_ARGS__)
#define __shfl_down_sync(number, ...)    shfl_down(__VA_ARGS__)
#define __shfl_xor_sync(number, ...)     shfl_xor(__VA_ARGS__)
#define __ballot_sync(number, ...)       ballot(__VA_ARGS__)
#define __any_sync(number, ...)          any(__VA_ARGS__)
#define __all_sync(number, ...)          all(__VA_ARGS__)
#define __activemask(number)             active()
#define __match_any_sync(number, ...)    matching(__VA_ARGS__)
#define __reduce_add_sync(number, ...)   reduce_add(__VA_ARGS__)
#define __reduce_min_sync(number, ...)   reduce_min(__VA_ARGS__)
#define __reduce_max_sync(number, ...)   reduce_max(__VA_ARGS__)
#define __reduce_and_sync(number, ...)   reduce_and(__VA_ARGS__)
#define __reduce_or_sync(number, ...)    reduce_or(__VA_ARGS__)
#define __reduce_xor_sync(number, ...)   reduce_xor(__VA_ARGS__)
#define __syncthreads_count(number, ...) count(__VA_ARGS__)
#define __syncthreads_or(number, ...)    block_or(__VA_ARGS__)
#define __syncthreads_and(number, ...)   block_and(__VA_ARGS__)
#define BARRIER(number)                  __syncthreads()

#if defined(__clang__) // what clang.cuh does not declare
MEMBER static long long __mul64hi(long long a, long long b)
{
    return (long long)__umul64hi((unsigned long long)a, (unsigned long long)b) - (a < 0 ? b : 0) - (b < 0 ? a : 0);
}
MEMBER static long long llmin(long long a, long long b) { return a < b ? a : b; }
MEMBER static long long llmax(long long a, long long b) { return a < b ? b : a; }
MEMBER static unsigned long long ullmin(unsigned long long a, unsigned long long b) { return a < b ? a : b; }
MEMBER static unsigned long long ullmax(unsigned long long a, unsigned long long b) { return a < b ? b : a; }
MEMBER static unsigned __funnelshift_rc(unsigned lo, unsigned hi, unsigned s)
{
    return s >= 32 ? hi : s ? lo >> s | hi << (32 - s) : lo;
}
MEMBER static unsigned __funnelshift_lc(unsigned lo, unsigned hi, unsigned s)
{
    return s >= 32 ? lo : s ? hi << s | lo >> (32 - s) : hi;
}
#endif

// host.hpp - what a generated kernel needs to run as a function of one thread on the host compiler.
//
// Buffers are addresses that nothing lies behind: buffer b begins at (b + 1) << 52, shared memory counts as
// buffer
// 64. The generated text wraps every memory operand: LD(site, x) where it is read, ST(site, x) where it is
// written or updated. Both only note the address; a load gives zeros, because no address may depend on data.
//
// No header is included, so that any C++17 compiler will do and compiles fast.

using uchar = unsigned char;
using ushort = unsigned short;
using uint = unsigned int;
using size_t = decltype(sizeof 0);
using ptrdiff_t = long;
using int8_t = signed char;
using uint8_t = unsigned char;
using int16_t = short;
using uint16_t = unsigned short;
using int32_t = int;
using uint32_t = unsigned int;
using int64_t = long;
using uint64_t = unsigned long;
struct half {
    short bits;
};

#define VECTOR(T, NAME)                                                                                      \
    struct NAME##2                                                                                           \
    {                                                                                                        \
        T x, y;                                                                                              \
    };                                                                                                       \
    struct NAME##3                                                                                           \
    {                                                                                                        \
        T x, y, z;                                                                                           \
    };                                                                                                       \
    struct NAME##4                                                                                           \
    {                                                                                                        \
        T x, y, z, w;                                                                                        \
    };                                                                                                       \
    struct make_##NAME {                                                                                     \
        struct two {                                                                                         \
            NAME##2 v;                                                                                       \
            template <class A, class B> two(A a, B b) : v{(T)a, (T)b} {}                                     \
        };                                                                                                   \
        struct three {                                                                                       \
            NAME##3 v;                                                                                       \
            template <class A, class B, class C> three(A a, B b, C c) : v{(T)a, (T)b, (T)c} {}               \
        };                                                                                                   \
        struct four {                                                                                        \
            NAME##4 v;                                                                                       \
            template <class A, class B, class C, class D>                                                    \
            four(A a, B b, C c, D d) : v{(T)a, (T)b, (T)c, (T)d}                                             \
            {                                                                                                \
            }                                                                                                \
        };                                                                                                   \
    };
VECTOR(signed char, char)
VECTOR(unsigned char, uchar)
VECTOR(short, short)
VECTOR(unsigned short, ushort)
VECTOR(int, int)
VECTOR(unsigned, uint)
VECTOR(long long, longlong)
VECTOR(float, float)
VECTOR(double, double)

// Braces, because their parts are evaluated from left to right by every compiler; + against being read as a
// type.
template <class A, class B> struct smaller {
    decltype(A() + B()) v;
    smaller(A a, B b) : v((decltype(v))b < (decltype(v))a ? (decltype(v))b : (decltype(v))a) {}
};
template <class A, class B> struct larger {
    decltype(A() + B()) v;
    larger(A a, B b) : v((decltype(v))a < (decltype(v))b ? (decltype(v))b : (decltype(v))a) {}
};
#define min(...)   (+smaller{__VA_ARGS__}.v)
#define max(...)   (+larger{__VA_ARGS__}.v)
#define fminf(...) (+smaller{__VA_ARGS__}.v)
#define fmaxf(...) (+larger{__VA_ARGS__}.v)
#define warpSize   32

// CUDA's functions of integers, bit by bit.
template <class U> static int count_bits(U x)
{
    int n = 0;
    for (; x; x >>= 1)
        n += x & 1;
    return n;
}
template <class U> static U reversed(U x)
{
    U r = 0;
    for (unsigned i = 0; i < 8 * sizeof x; i++, x >>= 1)
        r = r << 1 | (x & 1);
    return r;
}
template <class U> static int leading_zeros(U x)
{
    int n = 8 * sizeof x;
    for (; x; x >>= 1)
        n--;
    return n;
}
template <class U> static int first_set(U x)
{
    if (!x)
        return 0;
    int n = 1;
    for (; !(x & 1); x >>= 1)
        n++;
    return n;
}
static int __popc(unsigned x)
{
    return count_bits(x);
}
static int __popcll(unsigned long long x)
{
    return count_bits(x);
}
static unsigned __brev(unsigned x)
{
    return reversed(x);
}
static unsigned long long __brevll(unsigned long long x)
{
    return reversed(x);
}
static int __clz(unsigned x)
{
    return leading_zeros(x);
}
static int __clzll(unsigned long long x)
{
    return leading_zeros(x);
}
static int __ffs(unsigned x)
{
    return first_set(x);
}
static int __ffsll(unsigned long long x)
{
    return first_set(x);
}
static long long llabs(long long x)
{
    return x < 0 ? (long long)(0 - (unsigned long long)x) : x;
}

static int signed_24(int x)
{
    return (int)((unsigned)x << 8) >> 8;
}
struct low_product {
    int v;
    low_product(int a, int b) : v((int)((unsigned)signed_24(a) * (unsigned)signed_24(b))) {}
};
struct unsigned_low_product {
    unsigned v;
    unsigned_low_product(unsigned a, unsigned b) : v((a & 0xffffff) * (b & 0xffffff)) {}
};
template <class T, class Wide> struct high_product {
    T v;
    high_product(T a, T b) : v((T)((Wide)a * (Wide)b >> 8 * sizeof(T))) {}
};
struct permuted {
    unsigned v = 0;
    permuted(unsigned x, unsigned y, unsigned s)
    {
        for (int i = 3; i >= 0; i--) {
            unsigned nibble = s >> 4 * i & 15, word = nibble & 4 ? y : x,
                     byte = word >> 8 * (nibble & 3) & 255;
            v = v << 8 | (nibble & 8 ? (byte >> 7) * 255 : byte);
        }
    }
};
struct funnel_left {
    unsigned v;
    funnel_left(unsigned low, unsigned high, unsigned s)
        : v(s & 31 ? high << (s & 31) | low >> (32 - (s & 31)) : high)
    {
    }
};
struct funnel_right_capped {
    unsigned v;
    funnel_right_capped(unsigned low, unsigned high, unsigned s)
        : v(s == 0    ? low
            : s >= 32 ? high
                      : low >> s | high << (32 - s))
    {
    }
};
// (T) in braces would be a narrowing conversion: the constructor takes what comes.
#define CALLED(NAME, T)                                                                                      \
    struct called_##NAME {                                                                                   \
        decltype(NAME::v) v;                                                                                 \
        template <class A, class B> called_##NAME(A a, B b) : v(NAME((T)a, (T)b).v) {}                       \
    };
#define CALLED3(NAME)                                                                                        \
    struct called_##NAME {                                                                                   \
        unsigned v;                                                                                          \
        template <class A, class B, class C>                                                                 \
        called_##NAME(A a, B b, C c) : v(NAME((unsigned)a, (unsigned)b, (unsigned)c).v)                      \
        {                                                                                                    \
        }                                                                                                    \
    };
using high_int = high_product<int, long long>;
using high_uint = high_product<unsigned, unsigned long long>;
using high_long = high_product<long long, __int128>;
using high_ulong = high_product<unsigned long long, unsigned __int128>;
CALLED(low_product, int)
CALLED(unsigned_low_product, unsigned)
CALLED(high_int, int)
CALLED(high_uint, unsigned)
CALLED(high_long, long long)
CALLED(high_ulong, unsigned long long)
CALLED3(permuted)
CALLED3(funnel_left)
CALLED3(funnel_right_capped)
#define __mul24(...)          (+called_low_product{__VA_ARGS__}.v)
#define __umul24(...)         (+called_unsigned_low_product{__VA_ARGS__}.v)
#define __mulhi(...)          (+called_high_int{__VA_ARGS__}.v)
#define __umulhi(...)         (+called_high_uint{__VA_ARGS__}.v)
#define __mul64hi(...)        (+called_high_long{__VA_ARGS__}.v)
#define __umul64hi(...)       (+called_high_ulong{__VA_ARGS__}.v)
#define __byte_perm(...)      (+called_permuted{__VA_ARGS__}.v)
#define __funnelshift_l(...)  (+called_funnel_left{__VA_ARGS__}.v)
#define __funnelshift_rc(...) (+called_funnel_right_capped{__VA_ARGS__}.v)

struct logged {
    unsigned long long address;
    unsigned long long turns; // which turns of the loops around it, hashed
    unsigned site, phase;
    unsigned char bytes, is_store;
};

enum { DEPTH_LIMIT = 64 };

extern "C" {
uint3 threadIdx, blockIdx, blockDim, gridDim;
struct logged *fuzz_log;
unsigned fuzz_count, fuzz_limit;
unsigned fuzz_phase; // barriers passed
unsigned fuzz_depth; // loops around
unsigned fuzz_turn[DEPTH_LIMIT];
}

static void note(unsigned site, const volatile void *at, unsigned bytes, unsigned char is_store)
{
    unsigned long long turns = 1469598103934665603u;
    for (unsigned i = 0; i < fuzz_depth; i++)
        turns = (turns ^ fuzz_turn[i]) * 1099511628211u;
    if (fuzz_count < fuzz_limit)
        fuzz_log[fuzz_count] = {(unsigned long long)at, turns,   site, fuzz_phase,
                                (unsigned char)bytes,   is_store};
    fuzz_count++;
}

struct Loop {
    Loop()
    {
        fuzz_turn[fuzz_depth++] = 0;
    }
    ~Loop()
    {
        fuzz_depth--;
    }
    void next()
    {
        fuzz_turn[fuzz_depth - 1]++;
    }
};

template <class T> static T LD(unsigned site, const T &x)
{
    note(site, &x, sizeof(T), 0);
    return T();
}

template <class T> struct Store {
    T *at;
    unsigned site;
    T operator=(T value) const
    {
        note(site, at, sizeof(T), 1);
        return value;
    }
    T update() const
    {
        note(site, at, sizeof(T), 0);
        note(site, at, sizeof(T), 1);
        return T();
    }
    template <class U> T operator+=(U) const
    {
        return update();
    }
    template <class U> T operator-=(U) const
    {
        return update();
    }
    template <class U> T operator*=(U) const
    {
        return update();
    }
    T operator++() const
    {
        return update();
    }
    T operator++(int) const
    {
        return update();
    }
    T operator--() const
    {
        return update();
    }
    T operator--(int) const
    {
        return update();
    }
};

template <class T> static Store<T> ST(unsigned site, T &x)
{
    return {&x, site};
}

#define BUFFER(b)      ((unsigned long long)((b) + 1) << 52)
#define SHARED(offset) (BUFFER(64) + (offset))
#define BARRIER()      ((void)fuzz_phase++)

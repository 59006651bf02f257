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

struct record {
    unsigned long long address;
    unsigned long long turns; // which turns of the loops around it, hashed
    unsigned site, phase;
    unsigned char bytes, is_store;
};

enum { DEPTH_LIMIT = 64 };

extern "C" {
uint3 threadIdx, blockIdx, blockDim, gridDim;
struct record *fuzz_log;
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

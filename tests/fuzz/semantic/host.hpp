// host.hpp - what a generated kernel needs to run as a function of one thread on the host compiler.
//
// Buffers are addresses that nothing lies behind: buffer b begins at (b + 1) << 52, shared memory counts as
// buffer
// 64. The generated text wraps every memory operand: LD(site, x) where it is read, ST(site, x) where it is
// written or updated. Both only note the address; a load gives zeros, because no address may depend on data.
//
// No header of the machine's is included, so that any C++17 compiler will do and compiles fast.

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

#define RUNS
#define KERNEL   static
#define FUNCTION static
#define APART    static
#define CONSTANT static
#define MEMBER
#define OPAQUE(x) (x)
template <class T> struct pieces {
    enum { count = 1 };
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
    template <> struct pieces<NAME##3>                                                                       \
    {                                                                                                        \
        enum { count = 3 };                                                                                  \
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

#include "common.hpp"
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
            unsigned which = s >> 4 * i & 7, word = which & 4 ? y : x; // three bits, as nvcc has it
            v = v << 8 | (word >> 8 * (which & 3) & 255);
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
struct funnel_right {
    unsigned v;
    funnel_right(unsigned low, unsigned high, unsigned s)
        : v(s & 31 ? low >> (s & 31) | high << (32 - (s & 31)) : low)
    {
    }
};
struct funnel_left_capped {
    unsigned v;
    funnel_left_capped(unsigned low, unsigned high, unsigned s)
        : v(s == 0 ? high : s >= 32 ? low : high << s | low >> (32 - s))
    {
    }
};
template <class T> struct lesser {
    T v;
    lesser(T a, T b) : v(a < b ? a : b) {}
};
template <class T> struct greater {
    T v;
    greater(T a, T b) : v(a < b ? b : a) {}
};
using lesser_uint = lesser<unsigned>;
using lesser_long = lesser<long long>;
using lesser_ulong = lesser<unsigned long long>;
using greater_uint = greater<unsigned>;
using greater_long = greater<long long>;
using greater_ulong = greater<unsigned long long>;
CALLED(lesser_uint, unsigned)
CALLED(lesser_long, long long)
CALLED(lesser_ulong, unsigned long long)
CALLED(greater_uint, unsigned)
CALLED(greater_long, long long)
CALLED(greater_ulong, unsigned long long)
CALLED3(funnel_right)
CALLED3(funnel_left_capped)
#define umin(...)             (+called_lesser_uint{__VA_ARGS__}.v)
#define umax(...)             (+called_greater_uint{__VA_ARGS__}.v)
#define llmin(...)            (+called_lesser_long{__VA_ARGS__}.v)
#define llmax(...)            (+called_greater_long{__VA_ARGS__}.v)
#define ullmin(...)           (+called_lesser_ulong{__VA_ARGS__}.v)
#define ullmax(...)           (+called_greater_ulong{__VA_ARGS__}.v)
#define __funnelshift_r(...)  (+called_funnel_right{__VA_ARGS__}.v)
#define __funnelshift_lc(...) (+called_funnel_left_capped{__VA_ARGS__}.v)
static int abs(int x)
{
    return x < 0 ? (int)(0 - (unsigned)x) : x;
}
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
    unsigned char bytes, kind; // 0 load, 1 store, 2 atomic
};

enum { DEPTH_LIMIT = 64, BUFFERS = 65, LANES = 32 };

// What the lanes that meet at one place bring.
struct meeting {
    unsigned mask;
    unsigned long long values[LANES];
    unsigned threads, truths; // of the block: for __syncthreads_count and its kin
};

extern "C" {
uint3 threadIdx, blockIdx, blockDim, gridDim;
struct logged *fuzz_log;
unsigned fuzz_count, fuzz_limit;
unsigned fuzz_phase; // barriers passed
unsigned fuzz_depth; // loops and calls around
unsigned fuzz_turn[DEPTH_LIMIT], fuzz_place[DEPTH_LIMIT];
unsigned char *fuzz_memory[BUFFERS]; // buffers whose numbers are known
unsigned long long fuzz_bytes[BUFFERS];
unsigned fuzz_undefined; // something that the language does not define was done
// Waits for the other lanes of the warp (block false) or threads of the block.
const struct meeting *(*fuzz_wait)(bool block, unsigned number, unsigned long long value);
}

// Called where the text is compiled with -fsanitize=signed-integer-overflow,shift-exponent and the minimal runtime: for
// compilers that take signed overflow for impossible.
#define UNDEFINED(NAME)                                                                                      \
    extern "C" void __ubsan_handle_##NAME##_minimal()                                                        \
    {                                                                                                        \
        fuzz_undefined = 1;                                                                                  \
    }
UNDEFINED(add_overflow)
UNDEFINED(sub_overflow)
UNDEFINED(mul_overflow)
UNDEFINED(negate_overflow)
UNDEFINED(divrem_overflow)
UNDEFINED(shift_out_of_bounds)

static void note(unsigned site, const volatile void *at, unsigned bytes, unsigned char kind)
{
    unsigned long long turns = 1469598103934665603u;
    for (unsigned i = 0; i < fuzz_depth; i++)
        turns = ((turns ^ fuzz_turn[i]) * 1099511628211u ^ fuzz_place[i]) * 1099511628211u;
    if (fuzz_count < fuzz_limit)
        fuzz_log[fuzz_count] = {(unsigned long long)at, turns, site, fuzz_phase, (unsigned char)bytes, kind};
    fuzz_count++;
}

// Where a thread is: the calls and loops around it, each with its number, and the turn of the loop.
struct Loop {
    Loop(unsigned number)
    {
        fuzz_place[fuzz_depth] = number;
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
using Call = Loop;

// Vectors of 3 are accessed a component at a time, at as many places.
template <class T> static void note_all(unsigned site, const T *at, unsigned char kind)
{
    enum { count = pieces<T>::count };
    for (unsigned i = 0; i < count; i++)
        note(site + i, (const char *)at + i * (sizeof(T) / count), sizeof(T) / count, kind);
}

template <class T> static T LD(unsigned site, const T &x)
{
    note_all(site, &x, 0);
    return T();
}

template <class T> struct Store {
    T *at;
    unsigned site;
    T operator=(T value) const
    {
        note_all(site, at, 1);
        return value;
    }
    T update() const
    {
        note(site, at, sizeof(T), 0);
        note(site, at, sizeof(T), 1);
        return T();
    }
    template <class U> T operator+=(U) const { return update(); }
    template <class U> T operator-=(U) const { return update(); }
    template <class U> T operator*=(U) const { return update(); }
    T operator++() const { return update(); }
    T operator++(int) const { return update(); }
    T operator--() const { return update(); }
    T operator--(int) const { return update(); }
};

template <class T> static Store<T> ST(unsigned site, T &x)
{
    return {&x, site};
}

// Memory whose numbers are known.
static unsigned char *known(const volatile void *at, unsigned bytes)
{
    unsigned long long address = (unsigned long long)at, buffer = (address >> 52) - 1, offset = address << 12 >> 12;
    if (buffer < BUFFERS && fuzz_memory[buffer] && offset + bytes <= fuzz_bytes[buffer])
        return fuzz_memory[buffer] + offset;
    fuzz_undefined = 1;
    return nullptr;
}

template <class T> static T LDK(unsigned site, const T &x)
{
    T value = T();
    note(site, &x, sizeof(T), 0);
    if (const unsigned char *from = known(&x, sizeof(T)))
        __builtin_memcpy(&value, from, sizeof(T));
    return value;
}

template <class T> struct KnownStore {
    T *at;
    unsigned site;
    T get() const
    {
        T value = T();
        note(site, at, sizeof(T), 0);
        if (const unsigned char *from = known(at, sizeof(T)))
            __builtin_memcpy(&value, from, sizeof(T));
        return value;
    }
    T operator=(T value) const
    {
        note(site, at, sizeof(T), 1);
        if (unsigned char *to = known(at, sizeof(T)))
            __builtin_memcpy(to, &value, sizeof(T));
        return value;
    }
    template <class U> T operator+=(U by) const { T v = get(); v += by; return *this = v; }
    template <class U> T operator-=(U by) const { T v = get(); v -= by; return *this = v; }
    template <class U> T operator*=(U by) const { T v = get(); v *= by; return *this = v; }
    template <class U> T operator^=(U by) const { T v = get(); v ^= by; return *this = v; }
};

template <class T> static KnownStore<T> STK(unsigned site, T &x)
{
    return {&x, site};
}

template <class T> struct Atomic {
    T *at;
    unsigned site;
};
template <class T> static Atomic<T> AT(unsigned site, T &x)
{
    return {&x, site};
}
template <class T> static T atomic(Atomic<T> a)
{
    note(a.site, a.at, sizeof(T), 2);
    return T();
}
#define ATOMIC(NAME)                                                                                          \
    template <class T, class U> static T NAME(Atomic<T> a, U) { return atomic(a); }                           \
    template <class T, class U> static T NAME##_block(Atomic<T> a, U) { return atomic(a); }                   \
    template <class T, class U> static T NAME##_system(Atomic<T> a, U) { return atomic(a); }
ATOMIC(atomicAdd)
ATOMIC(atomicSub)
ATOMIC(atomicExch)
ATOMIC(atomicMin)
ATOMIC(atomicMax)
ATOMIC(atomicAnd)
ATOMIC(atomicOr)
ATOMIC(atomicXor)
ATOMIC(atomicInc)
template <class T, class U, class V> static T atomicCAS(Atomic<T> a, U, V) { return atomic(a); }
template <class T, class U, class V> static T atomicCAS_block(Atomic<T> a, U, V) { return atomic(a); }
template <class T, class U, class V> static T atomicCAS_system(Atomic<T> a, U, V) { return atomic(a); }

#define BUFFER(b)       ((unsigned long long)((b) + 1) << 52)
#define SHARED(offset)  (BUFFER(64) + (offset))
#define BARRIER(number) ((void)fuzz_wait(true, number, 0), (void)fuzz_phase++)

static unsigned thread_number()
{
    return threadIdx.x + threadIdx.y * blockDim.x + threadIdx.z * blockDim.x * blockDim.y;
}

static int __syncthreads_count(unsigned number, bool truth)
{
    int count = (int)fuzz_wait(true, number, truth)->truths;
    fuzz_phase++;
    return count;
}
static int __syncthreads_or(unsigned number, bool truth)
{
    return __syncthreads_count(number, truth) != 0;
}
static int __syncthreads_and(unsigned number, bool truth)
{
    unsigned threads = blockDim.x * blockDim.y * blockDim.z;
    return (unsigned)__syncthreads_count(number, truth) == threads;
}

template <class T> static T from_word(unsigned long long word)
{
    T value;
    __builtin_memcpy(&value, &word, sizeof(T));
    return value;
}
template <class T> static const struct meeting *meet(unsigned number, T value)
{
    unsigned long long word = 0;
    __builtin_memcpy(&word, &value, sizeof(T));
    return fuzz_wait(false, number, word);
}

// The lane that this one reads from: `from`, or itself where that is beyond `first` and `last` of its part of the warp.
template <class T> static T shuffled(unsigned number, T value, int from, int first, int last)
{
    int lane = (int)(thread_number() % LANES);
    const struct meeting *m = meet(number, value);
    if (from < first || from > last)
        from = lane;
    if (!(m->mask >> from & 1))
        fuzz_undefined = 1;
    return from_word<T>(m->values[from]);
}
#define PROMOTED decltype(+value)
template <class T> static auto __shfl_sync(unsigned number, unsigned, T value, int from, int width = 32) -> PROMOTED
{
    int first = (int)(thread_number() % LANES) & ~(width - 1);
    return shuffled<PROMOTED>(number, value, first | (from & (width - 1)), first, first + width - 1);
}
template <class T> static auto __shfl_up_sync(unsigned number, unsigned, T value, unsigned by, int width = 32) -> PROMOTED
{
    int lane = (int)(thread_number() % LANES), first = lane & ~(width - 1);
    return shuffled<PROMOTED>(number, value, lane - (int)by, first, first + width - 1);
}
template <class T> static auto __shfl_down_sync(unsigned number, unsigned, T value, unsigned by, int width = 32) -> PROMOTED
{
    int lane = (int)(thread_number() % LANES), first = lane & ~(width - 1);
    return shuffled<PROMOTED>(number, value, lane + (int)by, first, first + width - 1);
}
template <class T> static auto __shfl_xor_sync(unsigned number, unsigned, T value, int with, int width = 32) -> PROMOTED
{
    int lane = (int)(thread_number() % LANES), first = lane & ~(width - 1);
    return shuffled<PROMOTED>(number, value, lane ^ with, first, first + width - 1);
}

// The lanes of `part` for which f of what they brought is true.
static unsigned part_of(unsigned width)
{
    unsigned first = thread_number() % LANES & ~(width - 1);
    return width == LANES ? ~0u : ((1u << width) - 1) << first;
}
static unsigned ballot(unsigned number, bool truth, unsigned part, unsigned *here)
{
    const struct meeting *m = meet(number, truth);
    unsigned lanes = 0;
    for (unsigned i = 0; i < LANES; i++)
        if ((m->mask & part) >> i & 1)
            lanes |= (m->values[i] ? 1u : 0u) << i;
    *here = m->mask & part;
    return lanes;
}
static unsigned __ballot_sync(unsigned number, unsigned, bool truth)
{
    unsigned here;
    return ballot(number, truth, ~0u, &here);
}
static int __any_sync(unsigned number, unsigned, bool truth)
{
    unsigned here;
    return ballot(number, truth, ~0u, &here) != 0;
}
static int __all_sync(unsigned number, unsigned, bool truth)
{
    unsigned here, lanes = ballot(number, truth, ~0u, &here);
    return lanes == here;
}
static unsigned __activemask(unsigned number)
{
    return meet(number, 0)->mask;
}
template <class T> static unsigned matching(unsigned number, T value, unsigned part)
{
    const struct meeting *m = meet(number, value);
    unsigned lanes = 0;
    for (unsigned i = 0; i < LANES; i++)
        if ((m->mask & part) >> i & 1)
            lanes |= (from_word<T>(m->values[i]) == value ? 1u : 0u) << i;
    return lanes;
}
template <class T> static unsigned __match_any_sync(unsigned number, unsigned, T value)
{
    return matching<PROMOTED>(number, value, ~0u);
}

namespace cooperative_groups {
template <class T> struct plus {
    static T of(T a, T b) { return (T)((unsigned long long)a + (unsigned long long)b); }
};
template <class T> struct less {
    static T of(T a, T b) { return a < b ? a : b; }
};
template <class T> struct greater {
    static T of(T a, T b) { return a < b ? b : a; }
};
template <class T> struct bit_and {
    static T of(T a, T b) { return a & b; }
};
template <class T> struct bit_or {
    static T of(T a, T b) { return a | b; }
};
template <class T> struct bit_xor {
    static T of(T a, T b) { return a ^ b; }
};
} // namespace cooperative_groups
template <class How, class T> static T reduced(unsigned number, T value, unsigned part)
{
    const struct meeting *m = meet(number, value);
    bool first = true;
    for (unsigned i = 0; i < LANES; i++)
        if ((m->mask & part) >> i & 1) {
            T other = from_word<T>(m->values[i]);
            value = first ? other : How::of(value, other);
            first = false;
        }
    return value;
}
#define REDUCE(NAME, HOW)                                                                                     \
    template <class T> static auto NAME(unsigned number, unsigned, T value)->PROMOTED                         \
    {                                                                                                         \
        return reduced<cooperative_groups::HOW<PROMOTED>, PROMOTED>(number, value, ~0u);                      \
    }
REDUCE(__reduce_add_sync, plus)
REDUCE(__reduce_min_sync, less)
REDUCE(__reduce_max_sync, greater)
REDUCE(__reduce_and_sync, bit_and)
REDUCE(__reduce_or_sync, bit_or)
REDUCE(__reduce_xor_sync, bit_xor)

namespace cooperative_groups {
struct thread_block {
    unsigned thread_rank() const { return thread_number(); }
    unsigned size() const { return blockDim.x * blockDim.y * blockDim.z; }
    uint3 group_index() const { return blockIdx; }
    uint3 thread_index() const { return threadIdx; }
    uint3 dim_threads() const { return blockDim; }
};
template <unsigned N> struct thread_block_tile {
    unsigned thread_rank() const { return thread_number() % N; }
    unsigned size() const { return N; }
    unsigned meta_group_rank() const { return thread_number() / N; }
    unsigned meta_group_size() const { return (blockDim.x * blockDim.y * blockDim.z + N - 1) / N; }
    unsigned first() const { return thread_number() % LANES & ~(N - 1); }
    unsigned ballot(unsigned number, bool truth) const
    {
        unsigned here;
        return ::ballot(number, truth, part_of(N), &here) >> first();
    }
    int any(unsigned number, bool truth) const { return ballot(number, truth) != 0; }
    int all(unsigned number, bool truth) const
    {
        unsigned here, lanes = ::ballot(number, truth, part_of(N), &here);
        return lanes == here;
    }
    template <class T> unsigned match_any(unsigned number, T value) const
    {
        return matching<PROMOTED>(number, value, part_of(N)) >> first();
    }
    template <class T> auto shfl(unsigned number, T value, int from) const -> PROMOTED
    {
        return __shfl_sync(number, 0, value, from, (int)N);
    }
    template <class T> auto shfl_up(unsigned number, T value, unsigned by) const -> PROMOTED
    {
        return __shfl_up_sync(number, 0, value, by, (int)N);
    }
    template <class T> auto shfl_down(unsigned number, T value, unsigned by) const -> PROMOTED
    {
        return __shfl_down_sync(number, 0, value, by, (int)N);
    }
    template <class T> auto shfl_xor(unsigned number, T value, unsigned with) const -> PROMOTED
    {
        return __shfl_xor_sync(number, 0, value, (int)with, (int)N);
    }
};
static thread_block this_thread_block()
{
    return {};
}
template <unsigned N> static thread_block_tile<N> tiled_partition(const thread_block &)
{
    return {};
}
template <unsigned N, class T, class How>
static T reduce(unsigned number, const thread_block_tile<N> &, T value, How)
{
    return reduced<How, T>(number, value, part_of(N));
}
} // namespace cooperative_groups

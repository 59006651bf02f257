/* What CUDA's own headers would declare, for clang without a toolkit: enough to compile a kernel to PTX. Values of
 * transcendental functions are approximate; addresses never follow from them. Grid-wide barriers are declared only. */
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __constant__ __attribute__((constant))
#define __shared__ __attribute__((shared))
#define __managed__ __attribute__((device))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __grid_constant__
#define __maxnreg__(n)
#define __cluster_dims__(...)
#define CUDART_VERSION 12000
#define CUDA_VERSION 12000
#define LANESCOPE_D __device__ __forceinline__ __attribute__((nodebug))
#define LANESCOPE_HD __host__ __device__ __forceinline__ __attribute__((nodebug))

typedef unsigned long size_t;
typedef long ptrdiff_t;
typedef long ssize_t;
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long uint64_t;
typedef unsigned long uintptr_t;
typedef long intptr_t;
typedef unsigned int uint;
typedef unsigned short ushort;
typedef unsigned long ulong;
typedef long clock_t;
typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define HUGE_VALF __builtin_inff()
#define HUGE_VAL __builtin_inf()
#define CUDART_INF_F __builtin_inff()
#define CUDART_INF __builtin_inf()
#define CUDART_NAN_F __builtin_nanf("")
#define CUDART_PI_F 3.141592654f
#define CUDART_PI 3.1415926535897931e+0
#define CUDART_MAX_NORMAL_F 3.402823466e+38f
#define CUDART_LN2_F 0.693147181f
#define CUDART_SQRT_TWO_F 1.414213562f
#define assert(...) ((void)0)
#define __builtin_assume_cuda(x) __builtin_assume(x)
#define __assume(x) __builtin_assume(x)

/* Vectors: 2 and 4 components are aligned as a whole where hardware moves them as a whole. */
#define LANESCOPE_VECTOR(T, name, a1, a2, a4) \
    struct name##1 { T x; }; \
    struct __align__(a2) name##2 { T x, y; }; \
    struct name##3 { T x, y, z; }; \
    struct __align__(a4) name##4 { T x, y, z, w; }; \
    LANESCOPE_HD name##1 make_##name##1(T x) { return {x}; } \
    LANESCOPE_HD name##2 make_##name##2(T x, T y) { return {x, y}; } \
    LANESCOPE_HD name##3 make_##name##3(T x, T y, T z) { return {x, y, z}; } \
    LANESCOPE_HD name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }
LANESCOPE_VECTOR(signed char, char, 1, 2, 4)
LANESCOPE_VECTOR(unsigned char, uchar, 1, 2, 4)
LANESCOPE_VECTOR(short, short, 2, 4, 8)
LANESCOPE_VECTOR(unsigned short, ushort, 2, 4, 8)
LANESCOPE_VECTOR(int, int, 4, 8, 16)
LANESCOPE_VECTOR(unsigned int, uint, 4, 8, 16)
LANESCOPE_VECTOR(long, long, 8, 16, 16)
LANESCOPE_VECTOR(unsigned long, ulong, 8, 16, 16)
LANESCOPE_VECTOR(long long, longlong, 8, 16, 16)
LANESCOPE_VECTOR(unsigned long long, ulonglong, 8, 16, 16)
LANESCOPE_VECTOR(float, float, 4, 8, 16)
LANESCOPE_VECTOR(double, double, 8, 16, 16)

struct dim3 {
    unsigned x, y, z;
    LANESCOPE_HD constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
    LANESCOPE_HD constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    LANESCOPE_HD constexpr operator uint3() const { return {x, y, z}; }
};

#define LANESCOPE_INDEX(name, what, other) \
    struct lanescope_##name { \
        LANESCOPE_D static unsigned get_x() { return __nvvm_read_ptx_sreg_##what##_x(); } \
        LANESCOPE_D static unsigned get_y() { return __nvvm_read_ptx_sreg_##what##_y(); } \
        LANESCOPE_D static unsigned get_z() { return __nvvm_read_ptx_sreg_##what##_z(); } \
        __declspec(property(get = get_x)) unsigned x; \
        __declspec(property(get = get_y)) unsigned y; \
        __declspec(property(get = get_z)) unsigned z; \
        LANESCOPE_D operator uint3() const { return {get_x(), get_y(), get_z()}; } \
        LANESCOPE_D operator dim3() const { return dim3(get_x(), get_y(), get_z()); } \
    }; \
    extern const __device__ __attribute__((weak)) lanescope_##name name;
LANESCOPE_INDEX(threadIdx, tid, dim3)
LANESCOPE_INDEX(blockIdx, ctaid, dim3)
LANESCOPE_INDEX(blockDim, ntid, uint3)
LANESCOPE_INDEX(gridDim, nctaid, uint3)
#define warpSize 32

/* Barriers, votes, shuffles. */
LANESCOPE_D void lanescope_barrier(int id) { __nvvm_bar_sync(id); }
LANESCOPE_D int __syncthreads_count(int p) { return __nvvm_bar0_popc(p); }
LANESCOPE_D int __syncthreads_and(int p) { return __nvvm_bar0_and(p); }
LANESCOPE_D int __syncthreads_or(int p) { return __nvvm_bar0_or(p); }
LANESCOPE_D void __syncwarp(unsigned mask = 0xffffffffu) { __nvvm_bar_warp_sync(mask); }
LANESCOPE_D void __threadfence() { __nvvm_membar_gl(); }
LANESCOPE_D void __threadfence_block() { __nvvm_membar_cta(); }
LANESCOPE_D void __threadfence_system() { __nvvm_membar_sys(); }
LANESCOPE_D void __trap() { __builtin_trap(); }
LANESCOPE_D void __brkpt() {}
LANESCOPE_D void __nanosleep(unsigned) {}
LANESCOPE_D unsigned __activemask() { unsigned m; asm volatile("activemask.b32 %0;" : "=r"(m)); return m; }
LANESCOPE_D unsigned __ballot_sync(unsigned m, int p) { return __nvvm_vote_ballot_sync(m, p); }
LANESCOPE_D int __any_sync(unsigned m, int p) { return __nvvm_vote_any_sync(m, p); }
LANESCOPE_D int __all_sync(unsigned m, int p) { return __nvvm_vote_all_sync(m, p); }
LANESCOPE_D unsigned __ballot(int p) { return __ballot_sync(~0u, p); }
LANESCOPE_D int __any(int p) { return __any_sync(~0u, p); }
LANESCOPE_D int __all(int p) { return __all_sync(~0u, p); }
LANESCOPE_D unsigned __match_any_sync(unsigned m, unsigned v) { return __nvvm_match_any_sync_i32(m, v); }
LANESCOPE_D long long clock64() { return __nvvm_read_ptx_sreg_clock64(); }
LANESCOPE_D clock_t clock() { return __nvvm_read_ptx_sreg_clock(); }
LANESCOPE_D long long __clock64() { return clock64(); }
template <class... A> LANESCOPE_D int printf(const char *, A...) { return 0; }

template <class T> LANESCOPE_D T lanescope_bits(const void *p) { T t; __builtin_memcpy(&t, p, sizeof t); return t; }
#define LANESCOPE_SHUFFLE(name, how, limit) \
    template <class T> LANESCOPE_D T name##_sync(unsigned mask, T v, int lane, int width = 32) { \
        union { T t; int word[(sizeof(T) + 3) / 4]; } from, to; \
        from.t = v; \
        for (unsigned i = 0; i < (sizeof(T) + 3) / 4; i++) \
            to.word[i] = __nvvm_shfl_sync_##how##_i32(mask, from.word[i], lane, (32 - width) << 8 | limit); \
        return to.t; \
    } \
    template <class T> LANESCOPE_D T name(T v, int lane, int width = 32) { return name##_sync(~0u, v, lane, width); }
LANESCOPE_SHUFFLE(__shfl, idx, 31)
LANESCOPE_SHUFFLE(__shfl_up, up, 0)
LANESCOPE_SHUFFLE(__shfl_down, down, 31)
LANESCOPE_SHUFFLE(__shfl_xor, bfly, 31)
#define LANESCOPE_REDUCE(name, T, op) \
    LANESCOPE_D T name(unsigned mask, T v) { \
        for (int i = 16; i; i /= 2) { T o = __shfl_xor_sync(mask, v, i); v = op; } return v; }
LANESCOPE_REDUCE(__reduce_add_sync, int, v + o)
LANESCOPE_REDUCE(__reduce_max_sync, int, v > o ? v : o)
LANESCOPE_REDUCE(__reduce_min_sync, int, v < o ? v : o)

/* Integers. */
#define LANESCOPE_PAIR(T) \
    LANESCOPE_HD constexpr T min(T a, T b) { return b < a ? b : a; } \
    LANESCOPE_HD constexpr T max(T a, T b) { return a < b ? b : a; }
LANESCOPE_PAIR(int) LANESCOPE_PAIR(unsigned) LANESCOPE_PAIR(long) LANESCOPE_PAIR(unsigned long)
LANESCOPE_PAIR(long long) LANESCOPE_PAIR(unsigned long long) LANESCOPE_PAIR(float) LANESCOPE_PAIR(double)
#define LANESCOPE_MIXED(A, B, T) \
    LANESCOPE_HD constexpr T min(A a, B b) { return min((T)a, (T)b); } \
    LANESCOPE_HD constexpr T min(B a, A b) { return min((T)a, (T)b); } \
    LANESCOPE_HD constexpr T max(A a, B b) { return max((T)a, (T)b); } \
    LANESCOPE_HD constexpr T max(B a, A b) { return max((T)a, (T)b); }
LANESCOPE_MIXED(int, unsigned, unsigned) LANESCOPE_MIXED(int, long, long) LANESCOPE_MIXED(int, unsigned long, unsigned long)
LANESCOPE_MIXED(unsigned, unsigned long, unsigned long) LANESCOPE_MIXED(float, double, double) LANESCOPE_MIXED(unsigned, long, long)
LANESCOPE_MIXED(int, float, float) LANESCOPE_MIXED(int, double, double) LANESCOPE_MIXED(unsigned, float, float)
LANESCOPE_HD unsigned umin(unsigned a, unsigned b) { return min(a, b); }
LANESCOPE_HD unsigned umax(unsigned a, unsigned b) { return max(a, b); }
LANESCOPE_HD constexpr int abs(int a) { return a < 0 ? -a : a; }
LANESCOPE_HD constexpr long abs(long a) { return a < 0 ? -a : a; }
LANESCOPE_HD constexpr long long abs(long long a) { return a < 0 ? -a : a; }
LANESCOPE_HD constexpr long labs(long a) { return a < 0 ? -a : a; }
LANESCOPE_HD constexpr long long llabs(long long a) { return a < 0 ? -a : a; }
LANESCOPE_HD float abs(float a) { return __builtin_fabsf(a); }
LANESCOPE_HD double abs(double a) { return __builtin_fabs(a); }
LANESCOPE_D int __popc(unsigned a) { return __builtin_popcount(a); }
LANESCOPE_D int __popcll(unsigned long long a) { return __builtin_popcountll(a); }
LANESCOPE_D int __clz(int a) { return a ? __builtin_clz(a) : 32; }
LANESCOPE_D int __clzll(long long a) { return a ? __builtin_clzll(a) : 64; }
LANESCOPE_D int __ffs(int a) { return a ? 1 + __builtin_ctz(a) : 0; }
LANESCOPE_D int __ffsll(long long a) { return a ? 1 + __builtin_ctzll(a) : 0; }
LANESCOPE_D unsigned __brev(unsigned a) { return __builtin_bitreverse32(a); }
LANESCOPE_D unsigned long long __brevll(unsigned long long a) { return __builtin_bitreverse64(a); }
LANESCOPE_D unsigned __byte_perm(unsigned a, unsigned b, unsigned s) { return __nvvm_prmt(a, b, s & 0x7777); }
LANESCOPE_D int __mul24(int a, int b) { return __nvvm_mul24_i(a, b); }
LANESCOPE_D unsigned __umul24(unsigned a, unsigned b) { return __nvvm_mul24_ui(a, b); }
LANESCOPE_D int __mulhi(int a, int b) { return __nvvm_mulhi_i(a, b); }
LANESCOPE_D unsigned __umulhi(unsigned a, unsigned b) { return __nvvm_mulhi_ui(a, b); }
LANESCOPE_D unsigned long long __umul64hi(unsigned long long a, unsigned long long b) { return __nvvm_mulhi_ull(a, b); }
LANESCOPE_D unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned s) { return (unsigned)((((unsigned long long)hi << 32 | lo) << (s & 31)) >> 32); }
LANESCOPE_D unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned s) { return (unsigned)(((unsigned long long)hi << 32 | lo) >> (s & 31)); }
LANESCOPE_D int __dp4a(int a, int b, int c) { for (int i = 0; i < 32; i += 8) c += (signed char)(a >> i) * (signed char)(b >> i); return c; }
LANESCOPE_D unsigned __sad(int a, int b, unsigned c) { return (a > b ? a - b : b - a) + c; }
LANESCOPE_D unsigned __usad(unsigned a, unsigned b, unsigned c) { return (a > b ? a - b : b - a) + c; }
LANESCOPE_D int __float_as_int(float a) { return lanescope_bits<int>(&a); }
LANESCOPE_D unsigned __float_as_uint(float a) { return lanescope_bits<unsigned>(&a); }
LANESCOPE_D float __int_as_float(int a) { return lanescope_bits<float>(&a); }
LANESCOPE_D float __uint_as_float(unsigned a) { return lanescope_bits<float>(&a); }
LANESCOPE_D long long __double_as_longlong(double a) { return lanescope_bits<long long>(&a); }
LANESCOPE_D double __longlong_as_double(long long a) { return lanescope_bits<double>(&a); }
LANESCOPE_D int __double2loint(double a) { return (int)__double_as_longlong(a); }
LANESCOPE_D int __double2hiint(double a) { return (int)(__double_as_longlong(a) >> 32); }
LANESCOPE_D double __hiloint2double(int h, int l) { return __longlong_as_double((long long)h << 32 | (unsigned)l); }
LANESCOPE_D size_t __cvta_generic_to_shared(const void *p) { return (size_t)(__attribute__((address_space(3))) const void *)p; }

/* Data: floating-point functions. */
#define LANESCOPE_F1(name, value) \
    LANESCOPE_D float name##f(float x) { return value; } \
    LANESCOPE_D float name(float x) { return value; } \
    LANESCOPE_D double name(double d) { float x = (float)d; return value; } \
    LANESCOPE_D double name(int i) { float x = (float)i; return value; }
#define LANESCOPE_EX2(x) __nvvm_ex2_approx_f(x)
#define LANESCOPE_LG2(x) __nvvm_lg2_approx_f(x)
LANESCOPE_F1(exp, LANESCOPE_EX2(x * 1.442695041f))
LANESCOPE_F1(exp2, LANESCOPE_EX2(x))
LANESCOPE_F1(exp10, LANESCOPE_EX2(x * 3.321928095f))
LANESCOPE_F1(expm1, LANESCOPE_EX2(x * 1.442695041f) - 1.0f)
LANESCOPE_F1(log, LANESCOPE_LG2(x) * 0.693147181f)
LANESCOPE_F1(log2, LANESCOPE_LG2(x))
LANESCOPE_F1(log10, LANESCOPE_LG2(x) * 0.301029996f)
LANESCOPE_F1(log1p, LANESCOPE_LG2(1.0f + x) * 0.693147181f)
LANESCOPE_F1(sin, __nvvm_sin_approx_f(x))
LANESCOPE_F1(cos, __nvvm_cos_approx_f(x))
LANESCOPE_F1(tan, __nvvm_sin_approx_f(x) / __nvvm_cos_approx_f(x))
LANESCOPE_F1(sinpi, __nvvm_sin_approx_f(x * 3.141592654f))
LANESCOPE_F1(cospi, __nvvm_cos_approx_f(x * 3.141592654f))
LANESCOPE_F1(sinh, LANESCOPE_EX2(x) - LANESCOPE_EX2(-x))
LANESCOPE_F1(cosh, LANESCOPE_EX2(x) + LANESCOPE_EX2(-x))
LANESCOPE_F1(tanh, 1.0f - 2.0f / (LANESCOPE_EX2(x * 2.885390082f) + 1.0f))
LANESCOPE_F1(asin, x * LANESCOPE_LG2(x))
LANESCOPE_F1(acos, x * LANESCOPE_LG2(x))
LANESCOPE_F1(atan, x * LANESCOPE_LG2(x))
LANESCOPE_F1(asinh, x * LANESCOPE_LG2(x))
LANESCOPE_F1(acosh, x * LANESCOPE_LG2(x))
LANESCOPE_F1(atanh, x * LANESCOPE_LG2(x))
LANESCOPE_F1(cbrt, LANESCOPE_EX2(LANESCOPE_LG2(x) / 3.0f))
LANESCOPE_F1(rcbrt, LANESCOPE_EX2(LANESCOPE_LG2(x) / -3.0f))
LANESCOPE_F1(erf, LANESCOPE_EX2(-x * x))
LANESCOPE_F1(erfc, LANESCOPE_EX2(-x * x))
LANESCOPE_F1(lgamma, LANESCOPE_LG2(x))
LANESCOPE_F1(tgamma, LANESCOPE_EX2(x))
LANESCOPE_F1(normcdf, LANESCOPE_EX2(-x * x))
#define LANESCOPE_EXACT1(name, single, twice) \
    LANESCOPE_D float name##f(float x) { return single(x); } \
    LANESCOPE_D float name(float x) { return single(x); } \
    LANESCOPE_D double name(double x) { return twice(x); } \
    LANESCOPE_D double name(int x) { return twice(x); }
LANESCOPE_EXACT1(sqrt, __nvvm_sqrt_rn_f, __nvvm_sqrt_rn_d)
LANESCOPE_EXACT1(rsqrt, __nvvm_rsqrt_approx_f, __nvvm_rsqrt_approx_d)
LANESCOPE_EXACT1(floor, __nvvm_floor_f, __nvvm_floor_d)
LANESCOPE_EXACT1(ceil, __nvvm_ceil_f, __nvvm_ceil_d)
LANESCOPE_EXACT1(trunc, __nvvm_trunc_f, __nvvm_trunc_d)
LANESCOPE_EXACT1(rint, __builtin_rintf, __builtin_rint)
LANESCOPE_EXACT1(nearbyint, __builtin_rintf, __builtin_rint)
LANESCOPE_EXACT1(fabs, __nvvm_fabs_f, __nvvm_fabs_d)
LANESCOPE_D float roundf(float x) { return __nvvm_trunc_f(x + (x < 0 ? -0.5f : 0.5f)); }
LANESCOPE_D float round(float x) { return roundf(x); }
LANESCOPE_D double round(double x) { return __nvvm_trunc_d(x + (x < 0 ? -0.5 : 0.5)); }
LANESCOPE_D long lroundf(float x) { return (long)roundf(x); }
LANESCOPE_D long lrintf(float x) { return (long)rintf(x); }
#define LANESCOPE_F2(name, single, twice) \
    LANESCOPE_D float name##f(float x, float y) { return single; } \
    LANESCOPE_D float name(float x, float y) { return single; } \
    LANESCOPE_D double name(double x, double y) { return twice; } \
    LANESCOPE_D double name(double x, int y) { return name(x, (double)y); } \
    LANESCOPE_D double name(int x, double y) { return name((double)x, y); } \
    LANESCOPE_D double name(double x, float y) { return name(x, (double)y); } \
    LANESCOPE_D double name(float x, double y) { return name((double)x, y); } \
    LANESCOPE_D float name(float x, int y) { return name(x, (float)y); } \
    LANESCOPE_D float name(int x, float y) { return name((float)x, y); }
LANESCOPE_F2(fmin, __nvvm_fmin_f(x, y), __nvvm_fmin_d(x, y))
LANESCOPE_F2(fmax, __nvvm_fmax_f(x, y), __nvvm_fmax_d(x, y))
LANESCOPE_F2(pow, LANESCOPE_EX2(LANESCOPE_LG2(x) * y), LANESCOPE_EX2(LANESCOPE_LG2((float)x) * (float)y))
LANESCOPE_F2(atan2, x * LANESCOPE_LG2(y), x * LANESCOPE_LG2((float)y))
LANESCOPE_F2(hypot, __nvvm_sqrt_rn_f(x * x + y * y), __nvvm_sqrt_rn_d(x * x + y * y))
LANESCOPE_F2(fmod, x - __nvvm_trunc_f(x / y) * y, x - __nvvm_trunc_d(x / y) * y)
LANESCOPE_F2(fdim, x > y ? x - y : 0.0f, x > y ? x - y : 0.0)
LANESCOPE_F2(copysign, x < 0 != y < 0 ? -x : x, x < 0 != y < 0 ? -x : x)
LANESCOPE_D double pow(int x, int y) { return pow((double)x, (double)y); }
LANESCOPE_D float fmaf(float a, float b, float c) { return __nvvm_fma_rn_f(a, b, c); }
LANESCOPE_D float fma(float a, float b, float c) { return __nvvm_fma_rn_f(a, b, c); }
LANESCOPE_D double fma(double a, double b, double c) { return __nvvm_fma_rn_d(a, b, c); }
LANESCOPE_D float ldexpf(float x, int e) { return x * LANESCOPE_EX2((float)e); }
LANESCOPE_D void sincosf(float x, float *s, float *c) { *s = sinf(x); *c = cosf(x); }
LANESCOPE_D void sincos(double x, double *s, double *c) { *s = sin(x); *c = cos(x); }
LANESCOPE_D void __sincosf(float x, float *s, float *c) { *s = sinf(x); *c = cosf(x); }
LANESCOPE_D float modff(float x, float *i) { *i = truncf(x); return x - *i; }
LANESCOPE_D void *memcpy(void *to, const void *from, size_t n) { return __builtin_memcpy(to, from, n); }
LANESCOPE_D void *memset(void *to, int c, size_t n) { return __builtin_memset(to, c, n); }
template <class T> LANESCOPE_HD bool isnan(T x) { return x != x; }
template <class T> LANESCOPE_HD bool isinf(T x) { return x - x != x - x && x == x; }
template <class T> LANESCOPE_HD bool isfinite(T x) { return x - x == x - x; }
LANESCOPE_D float __expf(float x) { return expf(x); }
LANESCOPE_D float __exp10f(float x) { return exp10f(x); }
LANESCOPE_D float __logf(float x) { return logf(x); }
LANESCOPE_D float __log2f(float x) { return log2f(x); }
LANESCOPE_D float __log10f(float x) { return log10f(x); }
LANESCOPE_D float __sinf(float x) { return sinf(x); }
LANESCOPE_D float __cosf(float x) { return cosf(x); }
LANESCOPE_D float __tanf(float x) { return tanf(x); }
LANESCOPE_D float __powf(float x, float y) { return powf(x, y); }
LANESCOPE_D float __fdividef(float x, float y) { return x / y; }
LANESCOPE_D float fdividef(float x, float y) { return x / y; }
LANESCOPE_D float __saturatef(float x) { return __nvvm_saturate_f(x); }
LANESCOPE_D float normf3(float x, float y, float z) { return sqrtf(x * x + y * y + z * z); }
LANESCOPE_D float norm3df(float x, float y, float z) { return sqrtf(x * x + y * y + z * z); }
LANESCOPE_D float rhypotf(float x, float y) { return rsqrtf(x * x + y * y); }
#define LANESCOPE_ROUNDED(r) \
    LANESCOPE_D float __fadd_##r(float a, float b) { return a + b; } \
    LANESCOPE_D float __fsub_##r(float a, float b) { return a - b; } \
    LANESCOPE_D float __fmul_##r(float a, float b) { return a * b; } \
    LANESCOPE_D float __fdiv_##r(float a, float b) { return a / b; } \
    LANESCOPE_D float __fmaf_##r(float a, float b, float c) { return fmaf(a, b, c); } \
    LANESCOPE_D float __frcp_##r(float a) { return 1.0f / a; } \
    LANESCOPE_D float __fsqrt_##r(float a) { return sqrtf(a); } \
    LANESCOPE_D double __dadd_##r(double a, double b) { return a + b; } \
    LANESCOPE_D double __dsub_##r(double a, double b) { return a - b; } \
    LANESCOPE_D double __dmul_##r(double a, double b) { return a * b; } \
    LANESCOPE_D double __ddiv_##r(double a, double b) { return a / b; } \
    LANESCOPE_D double __fma_##r(double a, double b, double c) { return fma(a, b, c); } \
    LANESCOPE_D float __int2float_##r(int a) { return (float)a; } \
    LANESCOPE_D float __uint2float_##r(unsigned a) { return (float)a; } \
    LANESCOPE_D double __int2double_##r(int a) { return a; } \
    LANESCOPE_D float __ll2float_##r(long long a) { return (float)a; } \
    LANESCOPE_D float __double2float_##r(double a) { return (float)a; }
LANESCOPE_ROUNDED(rn) LANESCOPE_ROUNDED(rz) LANESCOPE_ROUNDED(ru) LANESCOPE_ROUNDED(rd)
#define LANESCOPE_TO_INT(r, as) \
    LANESCOPE_D int __float2int_##r(float a) { return __nvvm_f2i_##as(a); } \
    LANESCOPE_D unsigned __float2uint_##r(float a) { return __nvvm_f2ui_##as(a); } \
    LANESCOPE_D int __double2int_##r(double a) { return __nvvm_d2i_##as(a); }
LANESCOPE_TO_INT(rn, rn) LANESCOPE_TO_INT(rz, rz) LANESCOPE_TO_INT(ru, rp) LANESCOPE_TO_INT(rd, rm)
LANESCOPE_D float __frsqrt_rn(float a) { return rsqrtf(a); }

/* Memory: reads and writes with a word about caches, and atomics. */
#define LANESCOPE_LOAD(name) template <class T> LANESCOPE_D T name(const T *p) { return *p; }
LANESCOPE_LOAD(__ldg) LANESCOPE_LOAD(__ldcg) LANESCOPE_LOAD(__ldca) LANESCOPE_LOAD(__ldcs) LANESCOPE_LOAD(__ldlu) LANESCOPE_LOAD(__ldcv)
#define LANESCOPE_STORE(name) template <class T> LANESCOPE_D void name(T *p, T v) { *p = v; }
LANESCOPE_STORE(__stcg) LANESCOPE_STORE(__stcs) LANESCOPE_STORE(__stwb) LANESCOPE_STORE(__stwt)
#define LANESCOPE_ATOMIC(T) \
    LANESCOPE_D T atomicAdd(T *p, T v) { return __atomic_fetch_add(p, v, 0); } \
    LANESCOPE_D T atomicSub(T *p, T v) { return __atomic_fetch_sub(p, v, 0); } \
    LANESCOPE_D T atomicAnd(T *p, T v) { return __atomic_fetch_and(p, v, 0); } \
    LANESCOPE_D T atomicOr(T *p, T v) { return __atomic_fetch_or(p, v, 0); } \
    LANESCOPE_D T atomicXor(T *p, T v) { return __atomic_fetch_xor(p, v, 0); } \
    LANESCOPE_D T atomicMin(T *p, T v) { return __atomic_fetch_min(p, v, 0); } \
    LANESCOPE_D T atomicMax(T *p, T v) { return __atomic_fetch_max(p, v, 0); } \
    LANESCOPE_D T atomicExch(T *p, T v) { return __atomic_exchange_n(p, v, 0); } \
    LANESCOPE_D T atomicCAS(T *p, T c, T v) { __atomic_compare_exchange_n(p, &c, v, false, 0, 0); return c; } \
    LANESCOPE_D T atomicAdd_block(T *p, T v) { return atomicAdd(p, v); } \
    LANESCOPE_D T atomicAdd_system(T *p, T v) { return atomicAdd(p, v); }
LANESCOPE_ATOMIC(int) LANESCOPE_ATOMIC(unsigned) LANESCOPE_ATOMIC(unsigned long long) LANESCOPE_ATOMIC(long long)
LANESCOPE_D unsigned long atomicAdd(unsigned long *p, unsigned long v) { return __atomic_fetch_add(p, v, 0); }
LANESCOPE_D float atomicAdd(float *p, float v) { return __nvvm_atom_add_gen_f(p, v); }
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
LANESCOPE_D double atomicAdd(double *p, double v) { return __nvvm_atom_add_gen_d(p, v); }
#endif
LANESCOPE_D float atomicExch(float *p, float v) { return __int_as_float(__atomic_exchange_n((int *)p, __float_as_int(v), 0)); }
LANESCOPE_D unsigned atomicInc(unsigned *p, unsigned v) { return __nvvm_atom_inc_gen_ui(p, v); }
LANESCOPE_D unsigned atomicDec(unsigned *p, unsigned v) { return __nvvm_atom_dec_gen_ui(p, v); }

/* 16-bit floating-point data. */
LANESCOPE_HD unsigned short lanescope_half(float v) { __fp16 h = (__fp16)v; unsigned short b; __builtin_memcpy(&b, &h, 2); return b; }
LANESCOPE_HD float lanescope_of_half(unsigned short b) { __fp16 h; __builtin_memcpy(&h, &b, 2); return (float)h; }
LANESCOPE_HD unsigned short lanescope_bfloat(float v) { unsigned b; __builtin_memcpy(&b, &v, 4); return (unsigned short)(b >> 16); }
LANESCOPE_HD float lanescope_of_bfloat(unsigned short s) { unsigned b = (unsigned)s << 16; float v; __builtin_memcpy(&v, &b, 4); return v; }
#define LANESCOPE_HALF(name, from, to) \
    struct name { \
        unsigned short bits; \
        name() = default; \
        LANESCOPE_HD name(float v) { bits = from; } \
        LANESCOPE_HD name(double d) { float v = (float)d; bits = from; } \
        LANESCOPE_HD name(int i) { float v = (float)i; bits = from; } \
        LANESCOPE_HD name(unsigned i) { float v = (float)i; bits = from; } \
        LANESCOPE_HD operator float() const { return to; } \
        LANESCOPE_HD name &operator+=(name o) { return *this = name((float)*this + (float)o); } \
        LANESCOPE_HD name &operator-=(name o) { return *this = name((float)*this - (float)o); } \
        LANESCOPE_HD name &operator*=(name o) { return *this = name((float)*this * (float)o); } \
        LANESCOPE_HD name &operator/=(name o) { return *this = name((float)*this / (float)o); } \
    }; \
    struct __align__(4) name##2 { name x, y; name##2() = default; LANESCOPE_HD name##2(name a, name b) : x(a), y(b) {} }; \
    LANESCOPE_HD name operator+(name a, name b) { return name((float)a + (float)b); } \
    LANESCOPE_HD name operator-(name a, name b) { return name((float)a - (float)b); } \
    LANESCOPE_HD name operator*(name a, name b) { return name((float)a * (float)b); } \
    LANESCOPE_HD name operator/(name a, name b) { return name((float)a / (float)b); } \
    LANESCOPE_HD name operator-(name a) { return name(-(float)a); } \
    LANESCOPE_HD bool operator<(name a, name b) { return (float)a < (float)b; } \
    LANESCOPE_HD bool operator>(name a, name b) { return (float)a > (float)b; } \
    LANESCOPE_HD bool operator<=(name a, name b) { return (float)a <= (float)b; } \
    LANESCOPE_HD bool operator>=(name a, name b) { return (float)a >= (float)b; } \
    LANESCOPE_HD bool operator==(name a, name b) { return (float)a == (float)b; } \
    LANESCOPE_HD bool operator!=(name a, name b) { return (float)a != (float)b; } \
    LANESCOPE_HD name##2 operator+(name##2 a, name##2 b) { return {a.x + b.x, a.y + b.y}; } \
    LANESCOPE_HD name##2 operator-(name##2 a, name##2 b) { return {a.x - b.x, a.y - b.y}; } \
    LANESCOPE_HD name##2 operator*(name##2 a, name##2 b) { return {a.x * b.x, a.y * b.y}; } \
    LANESCOPE_HD name __hadd(name a, name b) { return a + b; } \
    LANESCOPE_HD name __hsub(name a, name b) { return a - b; } \
    LANESCOPE_HD name __hmul(name a, name b) { return a * b; } \
    LANESCOPE_HD name __hdiv(name a, name b) { return a / b; } \
    LANESCOPE_HD name __hfma(name a, name b, name c) { return a * b + c; } \
    LANESCOPE_HD name __hneg(name a) { return -a; } \
    LANESCOPE_HD name __habs(name a) { return a < name(0.0f) ? -a : a; } \
    LANESCOPE_HD name __hmax(name a, name b) { return a < b ? b : a; } \
    LANESCOPE_HD name __hmin(name a, name b) { return b < a ? b : a; } \
    LANESCOPE_HD bool __hgt(name a, name b) { return a > b; } \
    LANESCOPE_HD bool __hlt(name a, name b) { return a < b; } \
    LANESCOPE_HD bool __hge(name a, name b) { return a >= b; } \
    LANESCOPE_HD bool __hle(name a, name b) { return a <= b; } \
    LANESCOPE_HD bool __heq(name a, name b) { return a == b; } \
    LANESCOPE_D name hexp(name a) { return name(expf(a)); } \
    LANESCOPE_D name hlog(name a) { return name(logf(a)); } \
    LANESCOPE_D name hsqrt(name a) { return name(sqrtf(a)); } \
    LANESCOPE_D name hrsqrt(name a) { return name(rsqrtf(a)); } \
    LANESCOPE_D name hrcp(name a) { return name(1.0f / (float)a); } \
    LANESCOPE_D name htanh(name a) { return name(tanhf(a)); } \
    LANESCOPE_HD name##2 __hadd2(name##2 a, name##2 b) { return a + b; } \
    LANESCOPE_HD name##2 __hsub2(name##2 a, name##2 b) { return a - b; } \
    LANESCOPE_HD name##2 __hmul2(name##2 a, name##2 b) { return a * b; } \
    LANESCOPE_HD name##2 __hfma2(name##2 a, name##2 b, name##2 c) { return a * b + c; } \
    LANESCOPE_HD name##2 __hmax2(name##2 a, name##2 b) { return {__hmax(a.x, b.x), __hmax(a.y, b.y)}; } \
    LANESCOPE_D name##2 h2exp(name##2 a) { return {hexp(a.x), hexp(a.y)}; } \
    LANESCOPE_HD name __low2half(name##2 a) { return a.x; } \
    LANESCOPE_HD name __high2half(name##2 a) { return a.y; } \
    LANESCOPE_HD float __low2float(name##2 a) { return a.x; } \
    LANESCOPE_HD float __high2float(name##2 a) { return a.y; } \
    LANESCOPE_HD name##2 __halves2half2(name a, name b) { return {a, b}; }
LANESCOPE_HALF(__half, lanescope_half(v), lanescope_of_half(bits))
LANESCOPE_HALF(__nv_bfloat16, lanescope_bfloat(v), lanescope_of_bfloat(bits))
typedef __half half;
typedef __half2 half2;
typedef __nv_bfloat162 nv_bfloat162;
typedef __nv_bfloat16 nv_bfloat16;
LANESCOPE_HD float __half2float(half a) { return a; }
LANESCOPE_HD half __float2half(float a) { return half(a); }
LANESCOPE_HD half __float2half_rn(float a) { return half(a); }
LANESCOPE_HD half __int2half_rn(int a) { return half(a); }
LANESCOPE_HD float2 __half22float2(half2 a) { return {a.x, a.y}; }
LANESCOPE_HD half2 __float22half2_rn(float2 a) { return {half(a.x), half(a.y)}; }
LANESCOPE_HD half2 __floats2half2_rn(float a, float b) { return {half(a), half(b)}; }
LANESCOPE_HD half2 __float2half2_rn(float a) { return {half(a), half(a)}; }
LANESCOPE_HD half2 __half2half2(half a) { return {a, a}; }
LANESCOPE_HD half2 make_half2(half a, half b) { return {a, b}; }
LANESCOPE_HD int __half2int_rn(half a) { return (int)(float)a; }
LANESCOPE_HD unsigned short __half_as_ushort(half a) { return a.bits; }
LANESCOPE_HD half __ushort_as_half(unsigned short a) { half h; h.bits = a; return h; }
LANESCOPE_HD float __bfloat162float(__nv_bfloat16 a) { return a; }
LANESCOPE_HD __nv_bfloat16 __float2bfloat16(float a) { return __nv_bfloat16(a); }
LANESCOPE_HD __nv_bfloat16 __float2bfloat16_rn(float a) { return __nv_bfloat16(a); }
LANESCOPE_HD float2 __bfloat1622float2(__nv_bfloat162 a) { return {a.x, a.y}; }
LANESCOPE_HD __nv_bfloat162 __floats2bfloat162_rn(float a, float b) { return {__nv_bfloat16(a), __nv_bfloat16(b)}; }
LANESCOPE_HD __nv_bfloat162 __float22bfloat162_rn(float2 a) { return {__nv_bfloat16(a.x), __nv_bfloat16(a.y)}; }

/* Complex numbers, as cuComplex.h has them. */
typedef float2 cuFloatComplex;
typedef float2 cuComplex;
typedef float2 cufftComplex;
typedef double2 cuDoubleComplex;
typedef double2 cufftDoubleComplex;
typedef float cufftReal;
LANESCOPE_HD float2 make_cuFloatComplex(float x, float y) { return {x, y}; }
LANESCOPE_HD float2 make_cuComplex(float x, float y) { return {x, y}; }
LANESCOPE_HD double2 make_cuDoubleComplex(double x, double y) { return {x, y}; }
LANESCOPE_HD float cuCrealf(float2 a) { return a.x; }
LANESCOPE_HD float cuCimagf(float2 a) { return a.y; }
LANESCOPE_HD double cuCreal(double2 a) { return a.x; }
LANESCOPE_HD double cuCimag(double2 a) { return a.y; }
LANESCOPE_HD float2 cuCaddf(float2 a, float2 b) { return {a.x + b.x, a.y + b.y}; }
LANESCOPE_HD float2 cuCsubf(float2 a, float2 b) { return {a.x - b.x, a.y - b.y}; }
LANESCOPE_HD float2 cuCmulf(float2 a, float2 b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }
LANESCOPE_HD double2 cuCadd(double2 a, double2 b) { return {a.x + b.x, a.y + b.y}; }
LANESCOPE_HD double2 cuCmul(double2 a, double2 b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }
LANESCOPE_D float cuCabsf(float2 a) { return sqrtf(a.x * a.x + a.y * a.y); }

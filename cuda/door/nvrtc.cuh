/* What NVRTC lacks of the names that host compilers bring along. */
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
typedef unsigned long long uintptr_t;
typedef unsigned int uint;
typedef unsigned short ushort;
typedef unsigned long ulong;
#define CUDART_VERSION (__CUDACC_VER_MAJOR__ * 1000 + __CUDACC_VER_MINOR__ * 10)
#define CUDA_VERSION CUDART_VERSION
#ifndef INFINITY
#define INFINITY __int_as_float(0x7f800000)
#endif
#ifndef NAN
#define NAN __int_as_float(0x7fffffff)
#endif
#ifndef HUGE_VALF
#define HUGE_VALF INFINITY
#endif
#define register /* C++17 has it no more */
#if __CUDACC_VER_MAJOR__ >= 13 /* which has the old ones no more */
template <class T> __device__ T __shfl(T v, int lane, int width = 32) { return __shfl_sync(0xffffffffu, v, lane, width); }
template <class T> __device__ T __shfl_up(T v, int lane, int width = 32) { return __shfl_up_sync(0xffffffffu, v, lane, width); }
template <class T> __device__ T __shfl_down(T v, int lane, int width = 32) { return __shfl_down_sync(0xffffffffu, v, lane, width); }
template <class T> __device__ T __shfl_xor(T v, int lane, int width = 32) { return __shfl_xor_sync(0xffffffffu, v, lane, width); }
static __device__ unsigned __ballot(int p) { return __ballot_sync(0xffffffffu, p); }
static __device__ int __any(int p) { return __any_sync(0xffffffffu, p); }
static __device__ int __all(int p) { return __all_sync(0xffffffffu, p); }
#endif

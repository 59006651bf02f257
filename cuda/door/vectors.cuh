/* Operators and functions of float4 and its kin, componentwise, as headers beside CUDA's samples have them: for a text
 * that uses them and has no such header here. They are templates, so that the text's own are preferred. */
#define LANESCOPE_FN template <int lanescope_yields = 0> static __host__ __device__ __forceinline__
#define LANESCOPE_OP(V, T, op, two, left, right) \
    LANESCOPE_FN V operator op(V a, V b) { return two; } \
    LANESCOPE_FN V operator op(V a, T b) { return left; } \
    LANESCOPE_FN V operator op(T a, V b) { return right; } \
    LANESCOPE_FN void operator op##=(V &a, V b) { a = a op b; } \
    LANESCOPE_FN void operator op##=(V &a, T b) { a = a op b; }
#define LANESCOPE_OP2(V, T, op) LANESCOPE_OP(V, T, op, (V{T(a.x op b.x), T(a.y op b.y)}), (V{T(a.x op b), T(a.y op b)}), (V{T(a op b.x), T(a op b.y)}))
#define LANESCOPE_OP3(V, T, op) \
    LANESCOPE_OP(V, T, op, (V{T(a.x op b.x), T(a.y op b.y), T(a.z op b.z)}), (V{T(a.x op b), T(a.y op b), T(a.z op b)}), (V{T(a op b.x), T(a op b.y), T(a op b.z)}))
#define LANESCOPE_OP4(V, T, op) \
    LANESCOPE_OP(V, T, op, (V{T(a.x op b.x), T(a.y op b.y), T(a.z op b.z), T(a.w op b.w)}), (V{T(a.x op b), T(a.y op b), T(a.z op b), T(a.w op b)}), \
                 (V{T(a op b.x), T(a op b.y), T(a op b.z), T(a op b.w)}))
#define LANESCOPE_OPS(n, V, T) LANESCOPE_OP##n(V##n, T, +) LANESCOPE_OP##n(V##n, T, -) LANESCOPE_OP##n(V##n, T, *) LANESCOPE_OP##n(V##n, T, /)
#define LANESCOPE_KIND(V, T) LANESCOPE_OPS(2, V, T) LANESCOPE_OPS(3, V, T) LANESCOPE_OPS(4, V, T)
LANESCOPE_KIND(float, float) LANESCOPE_KIND(int, int) LANESCOPE_KIND(uint, unsigned)
#define LANESCOPE_MADE(V, T) \
    LANESCOPE_FN V##2 make_##V##2(T s) { return {s, s}; } \
    LANESCOPE_FN V##3 make_##V##3(T s) { return {s, s, s}; } \
    LANESCOPE_FN V##4 make_##V##4(T s) { return {s, s, s, s}; } \
    LANESCOPE_FN V##2 make_##V##2(V##3 a) { return {a.x, a.y}; } \
    LANESCOPE_FN V##3 make_##V##3(V##2 a) { return {a.x, a.y, T(0)}; } \
    LANESCOPE_FN V##3 make_##V##3(V##2 a, T z) { return {a.x, a.y, z}; } \
    LANESCOPE_FN V##3 make_##V##3(V##4 a) { return {a.x, a.y, a.z}; } \
    LANESCOPE_FN V##4 make_##V##4(V##3 a) { return {a.x, a.y, a.z, T(0)}; } \
    LANESCOPE_FN V##4 make_##V##4(V##3 a, T w) { return {a.x, a.y, a.z, w}; }
LANESCOPE_MADE(float, float) LANESCOPE_MADE(int, int) LANESCOPE_MADE(uint, unsigned)
#define LANESCOPE_FLOATS(V, sum, each_min, each_max, each_abs) \
    LANESCOPE_FN V operator-(V a) { return a * -1.0f; } \
    LANESCOPE_FN float dot(V a, V b) { return sum; } \
    LANESCOPE_FN float length(V a) { return dot(a, a); } \
    LANESCOPE_FN V normalize(V a) { return a * dot(a, a); } \
    LANESCOPE_FN V fminf(V a, V b) { return each_min; } \
    LANESCOPE_FN V fmaxf(V a, V b) { return each_max; } \
    LANESCOPE_FN V fabs(V a) { return each_abs; } \
    LANESCOPE_FN V lerp(V a, V b, float t) { return a + (b - a) * t; } \
    LANESCOPE_FN V clamp(V a, V lo, V hi) { return fmaxf(lo, fminf(a, hi)); } \
    LANESCOPE_FN V clamp(V a, float lo, float hi) { return clamp(a, V{} + lo, V{} + hi); } \
    LANESCOPE_FN V reflect(V i, V n) { return i - 2.0f * n * dot(n, i); }
#define LANESCOPE_LESS(a, b) (b < a ? b : a)
LANESCOPE_FLOATS(float2, a.x * b.x + a.y * b.y, (float2{LANESCOPE_LESS(a.x, b.x), LANESCOPE_LESS(a.y, b.y)}), (float2{-LANESCOPE_LESS(-a.x, -b.x), -LANESCOPE_LESS(-a.y, -b.y)}), (float2{a.x * a.x, a.y * a.y}))
LANESCOPE_FLOATS(float3, a.x * b.x + a.y * b.y + a.z * b.z, (float3{LANESCOPE_LESS(a.x, b.x), LANESCOPE_LESS(a.y, b.y), LANESCOPE_LESS(a.z, b.z)}),
                 (float3{-LANESCOPE_LESS(-a.x, -b.x), -LANESCOPE_LESS(-a.y, -b.y), -LANESCOPE_LESS(-a.z, -b.z)}), (float3{a.x * a.x, a.y * a.y, a.z * a.z}))
LANESCOPE_FLOATS(float4, a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w, (float4{LANESCOPE_LESS(a.x, b.x), LANESCOPE_LESS(a.y, b.y), LANESCOPE_LESS(a.z, b.z), LANESCOPE_LESS(a.w, b.w)}),
                 (float4{-LANESCOPE_LESS(-a.x, -b.x), -LANESCOPE_LESS(-a.y, -b.y), -LANESCOPE_LESS(-a.z, -b.z), -LANESCOPE_LESS(-a.w, -b.w)}), (float4{a.x * a.x, a.y * a.y, a.z * a.z, a.w * a.w}))
LANESCOPE_FN float3 cross(float3 a, float3 b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
LANESCOPE_FN float lerp(float a, float b, float t) { return a + t * (b - a); }
LANESCOPE_FN float clamp(float a, float lo, float hi) { return a < lo ? lo : a > hi ? hi : a; }
LANESCOPE_FN int clamp(int a, int lo, int hi) { return a < lo ? lo : a > hi ? hi : a; }
LANESCOPE_FN unsigned clamp(unsigned a, unsigned lo, unsigned hi) { return a < lo ? lo : a > hi ? hi : a; }

/* prelude.c - classes of libraries that many kernels are written with, for files whose headers are not here.
 *
 * A piece is read before the text where that mentions its first name and does not define it. What lies in
 * memory lies there as in the library; functions that only compute are written shorter.
 */
#include <stdio.h>
#include <string.h>

#include "unit_state.h"

enum { NAMES = 6 };

struct piece {
    const char *library;
    const char *names[NAMES]; /* NULL behind the last */
    const char *text;
};

static const struct piece pieces[] = {
    {"CUDA", {"cudaExtent"}, "struct cudaExtent { size_t width, height, depth; };"},
    {"CUDA", {"cudaPos"}, "struct cudaPos { size_t x, y, z; };"},
    {"C++",
     {"pair"},
     "template <typename A, typename B> struct pair { A first; B second; };\n"
     "template <typename A, typename B> constexpr pair<A, B> make_pair(A a, B b) {\n"
     "    pair<A, B> p; p.first = a; p.second = b; return p; }\n"},
    {"C++",
     {"array"},
     "template <typename T, int N> struct array { T elements[N];\n"
     "    constexpr T &operator[](size_t i) { return elements[i]; }\n"
     "    constexpr size_t size() const { return N; } };\n"},
    {"PyTorch",
     {"PackedTensorAccessor32", "PackedTensorAccessor64", "PackedTensorAccessor",
      "GenericPackedTensorAccessor", "TensorAccessor"},
     "struct DefaultPtrTraits {}; struct RestrictPtrTraits {};\n"
     "template <typename T, int N, typename P = DefaultPtrTraits, typename I = int64_t> struct "
     "TensorAccessor {\n"
     "    T *data_; I sizes_[N]; I strides_[N];\n"
     "    __device__ TensorAccessor<T, N - 1, P, I> operator[](I i) const {\n"
     "        TensorAccessor<T, N - 1, P, I> r; r.data_ = data_ + strides_[0] * i;\n"
     "        for (int k = 0; k < N - 1; k++) { r.sizes_[k] = sizes_[k + 1]; r.strides_[k] = strides_[k + "
     "1]; }\n"
     "        return r; }\n"
     "    __device__ I size(int i) const { return sizes_[i]; }\n"
     "    __device__ I stride(int i) const { return strides_[i]; }\n"
     "    __device__ T *data() const { return data_; } };\n"
     "template <typename T, typename P, typename I> struct TensorAccessor<T, 1, P, I> {\n"
     "    T *data_; I sizes_[1]; I strides_[1];\n"
     "    __device__ T &operator[](I i) const { return data_[strides_[0] * i]; }\n"
     "    __device__ I size(int i) const { return sizes_[i]; }\n"
     "    __device__ I stride(int i) const { return strides_[i]; }\n"
     "    __device__ T *data() const { return data_; } };\n"
     "template <typename T, int N, typename P = DefaultPtrTraits, typename I = int64_t>\n"
     "using GenericPackedTensorAccessor = TensorAccessor<T, N, P, I>;\n"
     "template <typename T, int N, typename P = DefaultPtrTraits, typename I = int64_t>\n"
     "using PackedTensorAccessor = TensorAccessor<T, N, P, I>;\n"
     "template <typename T, int N, typename P = DefaultPtrTraits>\n"
     "using PackedTensorAccessor32 = TensorAccessor<T, N, P, int32_t>;\n"
     "template <typename T, int N, typename P = DefaultPtrTraits>\n"
     "using PackedTensorAccessor64 = TensorAccessor<T, N, P, int64_t>;\n"},
    {"PyTorch",
     {"THCDeviceTensor"},
     "template <typename T, int N, typename I = int> struct THCDeviceTensor {\n"
     "    T *data_; I stride_[N]; I size_[N];\n"
     "    __device__ THCDeviceTensor<T, N - 1, I> operator[](I i) const {\n"
     "        THCDeviceTensor<T, N - 1, I> r; r.data_ = data_ + stride_[0] * i;\n"
     "        for (int k = 0; k < N - 1; k++) { r.size_[k] = size_[k + 1]; r.stride_[k] = stride_[k + 1]; }\n"
     "        return r; }\n"
     "    __device__ I getSize(int i) const { return size_[i]; }\n"
     "    __device__ I getStride(int i) const { return stride_[i]; }\n"
     "    __device__ T *data() const { return data_; } };\n"
     "template <typename T, typename I> struct THCDeviceTensor<T, 1, I> {\n"
     "    T *data_; I stride_[1]; I size_[1];\n"
     "    __device__ T &operator[](I i) const { return data_[stride_[0] * i]; }\n"
     "    __device__ I getSize(int i) const { return size_[i]; }\n"
     "    __device__ I getStride(int i) const { return stride_[i]; }\n"
     "    __device__ T *data() const { return data_; } };\n"},
    {"PyTorch",
     {"ScalarConvert"},
     "template <typename A, typename B> struct ScalarConvert {\n"
     "    static __device__ B to(const A a) { return (B)a; } };\n"},
    {"PyTorch",
     {"THCNumerics"},
     "template <typename T> struct THCNumerics {\n"
     "    static __device__ bool lt(T a, T b) { return a < b; }\n"
     "    static __device__ bool le(T a, T b) { return a <= b; }\n"
     "    static __device__ bool gt(T a, T b) { return a > b; }\n"
     "    static __device__ bool ge(T a, T b) { return a >= b; }\n"
     "    static __device__ bool eq(T a, T b) { return a == b; }\n"
     "    static __device__ bool ne(T a, T b) { return a != b; }\n"
     "    static __device__ T neg(T a) { return -a; }\n"
     "    static __device__ T add(T a, T b) { return a + b; }\n"
     "    static __device__ T sub(T a, T b) { return a - b; }\n"
     "    static __device__ T mul(T a, T b) { return a * b; }\n"
     "    static __device__ T div(T a, T b) { return a / b; }\n"
     "    static __device__ T exp(T a) { return expf(a); }\n"
     "    static __device__ T log(T a) { return logf(a); }\n"
     "    static __device__ T sqrt(T a) { return sqrtf(a); }\n"
     "    static __device__ T tanh(T a) { return tanhf(a); }\n"
     "    static __device__ T abs(T a) { return fabsf(a); }\n"
     "    static __device__ T pow(T a, T b) { return powf(a, b); }\n"
     "    static __device__ T min() { return -FLT_MAX; }\n"
     "    static __device__ T max() { return FLT_MAX; } };\n"},
};

/* Is the token one of the names? */
static bool is_one_of(const struct token *token, const char *const *names)
{
    for (; *names; names++)
        if (token_is(token, *names))
            return true;
    return false;
}

/* Does one of the names stand in the text, and nowhere as that of a class of its own? */
static bool is_wanted(const struct unit *unit, const struct piece *piece)
{
    bool mentioned = false;
    for (const struct token *at = unit->pre.tokens.at; at->kind != TOKEN_END; at++) {
        if (!is_one_of(at, piece->names))
            continue;
        const struct token *before = at == unit->pre.tokens.at ? at : at - 1;
        bool defines = token_is(before, "struct") || token_is(before, "class") ||
                       (token_is(before, "using") && token_is_punct(at + 1, '='));
        if (defines && !token_is_punct(at + 1, ';'))
            return false;
        bool is_template = token_is_punct(at + 1, '<') || strchr(piece->text, '<') == NULL;
        mentioned = mentioned || is_template;
    }
    return mentioned;
}

const struct source *prelude_piece(struct unit *unit, unsigned index)
{
    if (index >= sizeof pieces / sizeof *pieces || !is_wanted(unit, &pieces[index]))
        return NULL;
    struct source *source = arena_take(&unit->arena, sizeof *source);
    *source = (struct source){pieces[index].library, pieces[index].text, strlen(pieces[index].text)};
    size_t used = strlen(unit->borrowed);
    (void)snprintf(unit->borrowed + used, sizeof unit->borrowed - used, "%s%s as %s has it", used ? ", " : "",
                   pieces[index].names[0], pieces[index].library);
    return source;
}

unsigned prelude_count(void)
{
    return sizeof pieces / sizeof *pieces;
}

const char *unit_borrowed(const struct unit *unit)
{
    return unit->borrowed;
}

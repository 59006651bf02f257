/* The little of std that kernels use. */
namespace std {
using ::size_t;
using ::int8_t; using ::int16_t; using ::int32_t; using ::int64_t;
using ::uint8_t; using ::uint16_t; using ::uint32_t; using ::uint64_t;
template <class T> __host__ __device__ constexpr const T &min(const T &a, const T &b) { return b < a ? b : a; }
template <class T> __host__ __device__ constexpr const T &max(const T &a, const T &b) { return a < b ? b : a; }
template <class T> __host__ __device__ constexpr T abs(T a) { return a < T(0) ? -a : a; }
template <class T, T v> struct integral_constant { static constexpr T value = v; __host__ __device__ constexpr operator T() const { return v; } };
typedef integral_constant<bool, true> true_type;
typedef integral_constant<bool, false> false_type;
template <class A, class B> struct is_same : false_type {};
template <class A> struct is_same<A, A> : true_type {};
template <class A, class B> constexpr bool is_same_v = is_same<A, B>::value;
template <bool c, class T = void> struct enable_if {};
template <class T> struct enable_if<true, T> { typedef T type; };
template <bool c, class T = void> using enable_if_t = typename enable_if<c, T>::type;
template <bool c, class A, class B> struct conditional { typedef A type; };
template <class A, class B> struct conditional<false, A, B> { typedef B type; };
template <bool c, class A, class B> using conditional_t = typename conditional<c, A, B>::type;
template <class T> struct remove_reference { typedef T type; };
template <class T> struct remove_reference<T &> { typedef T type; };
template <class T> struct remove_reference<T &&> { typedef T type; };
template <class T> struct remove_const { typedef T type; };
template <class T> struct remove_const<const T> { typedef T type; };
template <class T> struct remove_cv { typedef typename remove_const<T>::type type; };
template <class T> struct is_integral : false_type {};
template <class T> struct is_floating_point : false_type {};
template <class T> struct numeric_limits {};
#define LANESCOPE_LIMITS(T, kind, least, most) \
    template <> struct is_##kind<T> : true_type {}; \
    template <> struct numeric_limits<T> { \
        __host__ __device__ static constexpr T max() { return most; } \
        __host__ __device__ static constexpr T min() { return least; } \
        __host__ __device__ static constexpr T lowest() { return (T)0 < (T)least ? (T)-most : (T)least; } \
        __host__ __device__ static constexpr T infinity() { return (T)(most * (T)2); } \
        __host__ __device__ static constexpr T epsilon() { return sizeof(T) == 4 ? (T)1.192092896e-07f : (T)2.2204460492503131e-16; } \
        static constexpr int digits = 8 * sizeof(T); \
    };
LANESCOPE_LIMITS(char, integral, -128, 127)
LANESCOPE_LIMITS(signed char, integral, -128, 127)
LANESCOPE_LIMITS(unsigned char, integral, 0, 255)
LANESCOPE_LIMITS(short, integral, -32768, 32767)
LANESCOPE_LIMITS(unsigned short, integral, 0, 65535)
LANESCOPE_LIMITS(int, integral, -2147483647 - 1, 2147483647)
LANESCOPE_LIMITS(unsigned, integral, 0, 4294967295u)
LANESCOPE_LIMITS(long, integral, -9223372036854775807l - 1, 9223372036854775807l)
LANESCOPE_LIMITS(unsigned long, integral, 0, 18446744073709551615ul)
LANESCOPE_LIMITS(long long, integral, -9223372036854775807ll - 1, 9223372036854775807ll)
LANESCOPE_LIMITS(unsigned long long, integral, 0, 18446744073709551615ull)
LANESCOPE_LIMITS(float, floating_point, 1.175494351e-38f, 3.402823466e+38f)
LANESCOPE_LIMITS(double, floating_point, 2.2250738585072014e-308, 1.7976931348623158e+308)
enum class byte : unsigned char {};
template <class T, unsigned long N> struct array {
    T elements[N ? N : 1];
    __host__ __device__ constexpr T &operator[](size_t i) { return elements[i]; }
    __host__ __device__ constexpr const T &operator[](size_t i) const { return elements[i]; }
    __host__ __device__ constexpr size_t size() const { return N; }
    __host__ __device__ constexpr T *data() { return elements; }
    __host__ __device__ constexpr const T *data() const { return elements; }
};
template <class A, class B> struct pair { A first; B second; };
template <class T> __host__ __device__ constexpr void swap(T &a, T &b) { T t = a; a = b; b = t; }
template <class T> __host__ __device__ constexpr typename remove_reference<T>::type &&move(T &&t) { return static_cast<typename remove_reference<T>::type &&>(t); }
template <class T> struct alignment_of { static constexpr size_t value = alignof(T); };
template <class T> struct equal_to { __host__ __device__ bool operator()(const T &a, const T &b) const { return a == b; } };
template <class T> struct plus { __host__ __device__ T operator()(const T &a, const T &b) const { return a + b; } };
template <class T> struct less { __host__ __device__ bool operator()(const T &a, const T &b) const { return a < b; } };
template <class T> struct greater { __host__ __device__ bool operator()(const T &a, const T &b) const { return b < a; } };
using ::fabs; using ::floor; using ::ceil; using ::round; using ::sqrt; using ::exp; using ::log; using ::pow; using ::sin; using ::cos; using ::tan;
using ::tanh; using ::exp2; using ::log2; using ::log10; using ::fmin; using ::fmax; using ::fma; using ::trunc; using ::rint; using ::erf; using ::atan; using ::atan2;
using ::isnan; using ::isinf; using ::isfinite;
template <class T> using remove_reference_t = typename remove_reference<T>::type;
template <class T> using remove_const_t = typename remove_const<T>::type;
template <class T> using remove_cv_t = typename remove_cv<T>::type;
template <class T> struct remove_pointer { typedef T type; };
template <class T> struct remove_pointer<T *> { typedef T type; };
template <class T> using remove_pointer_t = typename remove_pointer<T>::type;
template <class T> struct decay { typedef remove_cv_t<remove_reference_t<T>> type; };
template <class T> using decay_t = typename decay<T>::type;
template <class T> struct is_pointer : false_type {};
template <class T> struct is_pointer<T *> : true_type {};
template <class T> struct is_const : false_type {};
template <class T> struct is_const<const T> : true_type {};
template <class T> struct is_void : is_same<remove_cv_t<T>, void> {};
template <class T> struct is_enum : integral_constant<bool, __is_enum(T)> {};
template <class T> struct is_arithmetic : integral_constant<bool, is_integral<T>::value || is_floating_point<T>::value> {};
template <class T> struct is_signed : integral_constant<bool, is_arithmetic<T>::value && (T)-1 < (T)0> {};
template <class T> struct is_unsigned : integral_constant<bool, is_arithmetic<T>::value && !((T)-1 < (T)0)> {};
template <class A, class B> struct is_base_of : integral_constant<bool, __is_base_of(A, B)> {};
template <class T> struct is_trivially_copyable : integral_constant<bool, __is_trivially_copyable(T)> {};
template <class T> struct underlying_type { typedef __underlying_type(T) type; };
template <class T> using underlying_type_t = typename underlying_type<T>::type;
template <class T> constexpr bool is_integral_v = is_integral<T>::value;
template <class T> constexpr bool is_floating_point_v = is_floating_point<T>::value;
template <class T> constexpr bool is_arithmetic_v = is_arithmetic<T>::value;
template <class T> constexpr bool is_signed_v = is_signed<T>::value;
template <class T> constexpr bool is_unsigned_v = is_unsigned<T>::value;
template <class T> constexpr bool is_pointer_v = is_pointer<T>::value;
template <class T> constexpr bool is_const_v = is_const<T>::value;
template <class T> constexpr bool is_enum_v = is_enum<T>::value;
template <class A, class B> constexpr bool is_base_of_v = is_base_of<A, B>::value;
template <class...> using void_t = void;
template <class T> __host__ __device__ T &&declval() noexcept;
template <class T> __host__ __device__ constexpr T &&forward(remove_reference_t<T> &t) { return static_cast<T &&>(t); }
typedef decltype(nullptr) nullptr_t;
/* What classes of the host hold, as large as it is there: no kernel calls anything of it. */
template <class T, class A = void> struct vector { T *first, *last, *end_of; };
struct string { char *text; size_t length; char own[16]; };
struct string_view { size_t length; const char *text; };
template <class T, class D = void> struct unique_ptr { T *pointer; };
template <class T> struct shared_ptr { T *pointer; void *count; };
template <class T> struct weak_ptr { T *pointer; void *count; };
template <class S> struct function { void *parts[4]; };
template <class K, class V, class C = void, class A = void> struct map { void *parts[6]; };
template <class K, class V, class H = void, class E = void, class A = void> struct unordered_map { void *parts[7]; };
template <class K, class C = void, class A = void> struct set { void *parts[6]; };
template <class T> struct optional { T value; bool has; };
template <class T> struct atomic { T value; };
struct mutex { void *parts[5]; };
struct ostream;
struct exception { const char *text; };
#define LANESCOPE_EXCEPTION(name) struct name : exception { __host__ __device__ name(const char *); __host__ __device__ name(const string &); };
LANESCOPE_EXCEPTION(logic_error) LANESCOPE_EXCEPTION(runtime_error) LANESCOPE_EXCEPTION(invalid_argument)
LANESCOPE_EXCEPTION(out_of_range) LANESCOPE_EXCEPTION(overflow_error) LANESCOPE_EXCEPTION(length_error)
LANESCOPE_EXCEPTION(domain_error) LANESCOPE_EXCEPTION(range_error)
} // namespace std

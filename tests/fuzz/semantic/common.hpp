// common.hpp - what the generated text needs on the host and on a device alike; MEMBER says that a function may run there.
//
// Braces, because their parts are evaluated from left to right by every compiler; + against being read as a type.

#define MAKES(T, NAME)                                                                                       \
    struct make_##NAME {                                                                                     \
        struct two {                                                                                         \
            NAME##2 v;                                                                                       \
            template <class A, class B> MEMBER two(A a, B b) : v{(T)a, (T)b} {}                              \
        };                                                                                                   \
        struct three {                                                                                       \
            NAME##3 v;                                                                                       \
            template <class A, class B, class C> MEMBER three(A a, B b, C c) : v{(T)a, (T)b, (T)c} {}        \
        };                                                                                                   \
        struct four {                                                                                        \
            NAME##4 v;                                                                                       \
            template <class A, class B, class C, class D>                                                    \
            MEMBER four(A a, B b, C c, D d) : v{(T)a, (T)b, (T)c, (T)d}                                      \
            {                                                                                                \
            }                                                                                                \
        };                                                                                                   \
    };
MAKES(signed char, char)
MAKES(unsigned char, uchar)
MAKES(short, short)
MAKES(unsigned short, ushort)
MAKES(int, int)
MAKES(unsigned, uint)
MAKES(long long, longlong)
MAKES(float, float)
MAKES(double, double)

template <class A, class B> struct smaller {
    decltype(A() + B()) v;
    MEMBER smaller(A a, B b) : v((decltype(v))b < (decltype(v))a ? (decltype(v))b : (decltype(v))a) {}
};
template <class A, class B> struct larger {
    decltype(A() + B()) v;
    MEMBER larger(A a, B b) : v((decltype(v))a < (decltype(v))b ? (decltype(v))b : (decltype(v))a) {}
};
#define min(...)   (+smaller{__VA_ARGS__}.v)
#define max(...)   (+larger{__VA_ARGS__}.v)
#define fminf(...) (+smaller{__VA_ARGS__}.v)
#define fmaxf(...) (+larger{__VA_ARGS__}.v)

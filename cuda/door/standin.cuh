/* What stand-ins of functions are made of: a value of the first argument's type, of none where an argument is a
 * pointer, since what is read there is not known. */
template <class T> struct lanescope_is_pointer { static constexpr bool value = false; };
template <class T> struct lanescope_is_pointer<T *> { static constexpr bool value = true; };
template <class... A> struct lanescope_any_pointer { static constexpr bool value = false; };
template <class T, class... A> struct lanescope_any_pointer<T, A...> {
    static constexpr bool value = lanescope_is_pointer<T>::value || lanescope_any_pointer<A...>::value;
};
template <bool c, class T> struct lanescope_where {};
template <class T> struct lanescope_where<true, T> { typedef T type; };
template <class T, class... A> using lanescope_value = typename lanescope_where<!lanescope_any_pointer<T, A...>::value, T>::type;
template <class R, class... A> using lanescope_result = typename lanescope_where<!lanescope_any_pointer<A...>::value, R>::type;
template <class T, class... P> struct lanescope_last { typedef typename lanescope_last<P...>::type type; };
template <class T> struct lanescope_last<T> { typedef T type; };

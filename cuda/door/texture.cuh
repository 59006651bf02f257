/* Textures and surfaces, for clang without a toolkit: what is read through them is data, and neither counts. */
typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;
enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };
enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero, cudaBoundaryModeClamp, cudaBoundaryModeTrap };
enum { cudaTextureType1D = 1, cudaTextureType2D, cudaTextureType3D, cudaTextureTypeCubemap = 12, cudaTextureType1DLayered = 241, cudaTextureType2DLayered };
struct cudaExtent { size_t width, height, depth; };
struct textureReference { unsigned long long lanescope_object; };
template <class T, int dim = 1, cudaTextureReadMode mode = cudaReadModeElementType> struct __attribute__((device_builtin_texture_type)) texture : textureReference {};
template <class T, int dim = 1> struct __attribute__((device_builtin_surface_type)) surface : textureReference {};
/* What a read gives: the type, or floats where the mode says so. */
template <class T, cudaTextureReadMode mode> struct lanescope_texel { typedef T type; };
#define LANESCOPE_TEXEL(T, F) \
    template <> struct lanescope_texel<T, cudaReadModeNormalizedFloat> { typedef F type; };
LANESCOPE_TEXEL(unsigned char, float) LANESCOPE_TEXEL(signed char, float) LANESCOPE_TEXEL(unsigned short, float) LANESCOPE_TEXEL(short, float)
LANESCOPE_TEXEL(uchar2, float2) LANESCOPE_TEXEL(uchar4, float4) LANESCOPE_TEXEL(ushort2, float2) LANESCOPE_TEXEL(ushort4, float4)
template <class T> __device__ T lanescope_fetch();
#define LANESCOPE_TEXTURE(name) \
    template <class T, int dim, cudaTextureReadMode mode, class... A> LANESCOPE_D typename lanescope_texel<T, mode>::type name(texture<T, dim, mode>, A...) \
        { return lanescope_fetch<typename lanescope_texel<T, mode>::type>(); } \
    template <class T, class... A> LANESCOPE_D T name(cudaTextureObject_t, A...) { return lanescope_fetch<T>(); } \
    template <class T, class... A> LANESCOPE_D void name(T *to, cudaTextureObject_t, A...) { *to = lanescope_fetch<T>(); }
LANESCOPE_TEXTURE(tex1Dfetch) LANESCOPE_TEXTURE(tex1D) LANESCOPE_TEXTURE(tex2D) LANESCOPE_TEXTURE(tex3D) LANESCOPE_TEXTURE(texCubemap)
LANESCOPE_TEXTURE(tex1DLayered) LANESCOPE_TEXTURE(tex2DLayered) LANESCOPE_TEXTURE(texCubemapLayered) LANESCOPE_TEXTURE(tex2Dgather)
LANESCOPE_TEXTURE(tex1DLod) LANESCOPE_TEXTURE(tex2DLod) LANESCOPE_TEXTURE(tex3DLod) LANESCOPE_TEXTURE(tex2DGrad) LANESCOPE_TEXTURE(tex3DGrad)
#define LANESCOPE_SURFACE(how) \
    template <class T, class S, class... A> LANESCOPE_D T surf##how##read(S, A...) { return lanescope_fetch<T>(); } \
    template <class T, class S, class... A> LANESCOPE_D void surf##how##read(T *to, S, A...) { *to = lanescope_fetch<T>(); } \
    template <class T, class S, class... A> LANESCOPE_D void surf##how##write(T, S, A...) {}
LANESCOPE_SURFACE(1D) LANESCOPE_SURFACE(2D) LANESCOPE_SURFACE(3D) LANESCOPE_SURFACE(1DLayered) LANESCOPE_SURFACE(2DLayered) LANESCOPE_SURFACE(Cubemap)

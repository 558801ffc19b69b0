// Everything a CPU kernel's source needs. A kernel is a function over Tensor<T> and scalars, in the
// order of kernel.info, returning void or an int (0, or a status that says why it did not run):
//
//   #include <tunecheck/cpu_kernel.h>
//
//   void scale(tunecheck::Tensor<Y_TYPE> y, float factor) {
//     for (long i = 0; i < y.size(0); ++i) y(i) *= factor;
//   }
//   TUNECHECK_KERNEL(scale)
//
// The config's parameters are macros in upper case (BLOCK), and so are the element types of the
// tensors (Y_TYPE for a tensor y): double, float, tunecheck::bf16, tunecheck::f16, int, long or
// unsigned char. Standard headers cost compile time at every trial; this one includes none that do.
#ifndef TUNECHECK_CPU_KERNEL_H
#define TUNECHECK_CPU_KERNEL_H

#include <stddef.h>
#include <stdint.h>

extern "C" {

// One tensor argument: element [0, ..., 0], and `rank` sizes and strides in elements.
struct tunecheck_tensor {
  void* data;
  const int64_t* shape;
  const int64_t* strides;
  int32_t rank;
  int32_t dtype;  // f64, f32, bf16, f16, i32, i64, u8 from 0
};

struct tunecheck_scalar {
  double real;      // the value
  int64_t integer;  // the value, rounded towards zero
};

// All arguments of one launch. What it points to belongs to the caller.
struct tunecheck_launch {
  const struct tunecheck_tensor* tensors;
  const struct tunecheck_scalar* scalars;
  int32_t tensor_count;
  int32_t scalar_count;
};

// Hooks of an observer that was loaded into the process; absent otherwise, and then they cost a
// comparison each. `entry` is an address inside the loaded artifact.
__attribute__((weak)) void tunecheck_probe_begin(const char* kernel, const char* config,
                                                 const void* entry,
                                                 const struct tunecheck_launch* launch);
__attribute__((weak)) void tunecheck_probe_end(const struct tunecheck_launch* launch, int status);
}

#define TUNECHECK_EXPAND_TO_TEXT(...) #__VA_ARGS__
#define TUNECHECK_TO_TEXT(...) TUNECHECK_EXPAND_TO_TEXT(__VA_ARGS__)

namespace tunecheck {

// Status of a launch that asks for more than the device has.
inline constexpr int launch_out_of_resources = 701;

namespace detail {

inline uint32_t bits_of(float value) {
  uint32_t bits;
  __builtin_memcpy(&bits, &value, sizeof bits);
  return bits;
}
inline float float_of(uint32_t bits) {
  float value;
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}

// Drops the lowest `count` bits, rounding to nearest, ties to even.
inline uint32_t round_off(uint32_t bits, int count) {
  return (bits + (1U << (count - 1)) - 1 + (bits >> count & 1)) >> count;
}

// Element types that only store: arithmetic is done in float.
template <class Self>
struct Storage {
  template <class Number>
  Self& operator+=(Number value) {
    return self() = Self(static_cast<float>(self()) + static_cast<float>(value));
  }
  template <class Number>
  Self& operator-=(Number value) {
    return self() = Self(static_cast<float>(self()) - static_cast<float>(value));
  }
  template <class Number>
  Self& operator*=(Number value) {
    return self() = Self(static_cast<float>(self()) * static_cast<float>(value));
  }
  template <class Number>
  Self& operator/=(Number value) {
    return self() = Self(static_cast<float>(self()) / static_cast<float>(value));
  }

 private:
  Self& self() { return static_cast<Self&>(*this); }
};

}  // namespace detail

// bfloat16: the upper half of a float.
struct bf16 : detail::Storage<bf16> {
  uint16_t bits;

  bf16() = default;
  bf16(float value) {
    const uint32_t wide = detail::bits_of(value);
    // Rounding could turn a NaN into an infinity; keep its upper bits and make it quiet.
    bits = static_cast<uint16_t>(value != value ? wide >> 16 | 0x40 : detail::round_off(wide, 16));
  }
  operator float() const { return detail::float_of(static_cast<uint32_t>(bits) << 16); }
};

// IEEE half precision: 5 bits of exponent, 10 of fraction.
struct f16 : detail::Storage<f16> {
  uint16_t bits;

  f16() = default;
  f16(float value) {
    // All ways are computed and one is chosen, so that loops over f16 become vector code.
    const uint32_t wide = detail::bits_of(value);
    const uint32_t magnitude = wide & 0x7fffffff;
    const uint32_t normal = detail::round_off(magnitude, 13) - (112 << 10);
    // In 0.5 + x the last bit is worth 2^-24, as in a subnormal half.
    const uint32_t subnormal = detail::bits_of(detail::float_of(magnitude) + 0.5f) - 0x3f000000;
    const uint32_t finite = magnitude < 0x38800000 ? subnormal : normal;
    // 65520 and more round to infinity.
    const uint32_t half = magnitude >= 0x477ff000 ? 0x7c00 : finite;
    const uint32_t quiet_nan = 0x7e00 | (magnitude >> 13 & 0x3ff);
    bits =
        static_cast<uint16_t>((magnitude > 0x7f800000 ? quiet_nan : half) | (wide >> 16 & 0x8000));
  }
  operator float() const {
    const uint32_t sign = (bits & 0x8000u) << 16;
    const uint32_t shifted = (bits & 0x7fffu) << 13;
    // The product moves the exponent, and makes normal numbers of subnormal ones.
    const uint32_t finite = detail::bits_of(detail::float_of(shifted) * 0x1p112f);
    return detail::float_of(finite | (shifted >= 0x0f800000 ? 0x7f800000 : 0) | sign);
  }
};

// A strided tensor of up to 8 dimensions; indices are not checked.
template <class T>
class Tensor {
 public:
  explicit Tensor(const tunecheck_tensor& tensor)
      : m_data(static_cast<T*>(tensor.data)), m_tensor(&tensor) {}

  T* data() const { return m_data; }
  int64_t size(int dimension) const { return m_tensor->shape[dimension]; }
  int64_t stride(int dimension) const { return m_tensor->strides[dimension]; }
  int rank() const { return m_tensor->rank; }
  T& operator()(int64_t i) const { return m_data[i * stride(0)]; }
  T& operator()(int64_t i, int64_t j) const { return m_data[i * stride(0) + j * stride(1)]; }
  T& operator()(int64_t i, int64_t j, int64_t k) const {
    return m_data[i * stride(0) + j * stride(1) + k * stride(2)];
  }
  T& operator()(int64_t i, int64_t j, int64_t k, int64_t l) const {
    return m_data[i * stride(0) + j * stride(1) + k * stride(2) + l * stride(3)];
  }

 private:
  T* m_data;
  const tunecheck_tensor* m_tensor;
};

namespace detail {

template <class T>
struct Argument;

template <class T>
struct Argument<Tensor<T>> {
  static constexpr bool is_tensor = true;
  static Tensor<T> get(const tunecheck_launch& launch, int index) {
    return Tensor<T>(launch.tensors[index]);
  }
};

template <class T>
struct Scalar {
  static constexpr bool is_tensor = false;
  static T get(const tunecheck_launch& launch, int index) {
    const tunecheck_scalar& scalar = launch.scalars[index];
    return static_cast<T>(1) / 2 == 0 ? static_cast<T>(scalar.integer)
                                      : static_cast<T>(scalar.real);
  }
};
template <>
struct Argument<float> : Scalar<float> {};
template <>
struct Argument<double> : Scalar<double> {};
template <>
struct Argument<int> : Scalar<int> {};
template <>
struct Argument<long> : Scalar<long> {};

template <int... indices>
struct Indices {};
template <class List, int position, int tensors, int scalars, class... Arguments>
struct Positions;
template <int... found, int position, int tensors, int scalars>
struct Positions<Indices<found...>, position, tensors, scalars> {
  using type = Indices<found...>;
  static constexpr int tensor_count = tensors;
  static constexpr int scalar_count = scalars;
};
// Tensors and scalars are counted apart: each kind has an array of its own.
template <int... found, int position, int tensors, int scalars, class First, class... Rest>
struct Positions<Indices<found...>, position, tensors, scalars, First, Rest...>
    : Positions<Indices<found..., (Argument<First>::is_tensor ? tensors : scalars)>, position + 1,
                tensors + (Argument<First>::is_tensor ? 1 : 0),
                scalars + (Argument<First>::is_tensor ? 0 : 1), Rest...> {};

inline int status_of(int status) {
  return status;
}

template <class... Arguments, int... indices>
int invoke(void (*kernel)(Arguments...), const tunecheck_launch& launch, Indices<indices...>) {
  kernel(Argument<Arguments>::get(launch, indices)...);
  return 0;
}
template <class... Arguments, int... indices>
int invoke(int (*kernel)(Arguments...), const tunecheck_launch& launch, Indices<indices...>) {
  return kernel(Argument<Arguments>::get(launch, indices)...);
}

// Status of a launch whose number of arguments is not the kernel's.
inline constexpr int wrong_arguments = 1;

template <class Return, class... Arguments>
int run(Return (*kernel)(Arguments...), const tunecheck_launch& launch) {
  using Order = Positions<Indices<>, 0, 0, 0, Arguments...>;
  if (launch.tensor_count != Order::tensor_count || launch.scalar_count != Order::scalar_count)
    return wrong_arguments;
  return invoke(kernel, launch, typename Order::type());
}

}  // namespace detail
}  // namespace tunecheck

#ifndef TUNECHECK_CONFIG
#define TUNECHECK_CONFIG
#endif

namespace tunecheck::detail {
// Of one length for all configs, so that artifacts differ in nothing else where the code is the
// same.
inline constexpr int config_text_size = 512;
}  // namespace tunecheck::detail

// Exports `kernel` as the entry of this artifact.
#define TUNECHECK_KERNEL(kernel)                                                              \
  extern "C" __attribute__((visibility("default"))) int tunecheck_entry(                      \
      const tunecheck_launch* launch) {                                                       \
    static const char config[tunecheck::detail::config_text_size] =                           \
        TUNECHECK_TO_TEXT(TUNECHECK_CONFIG);                                                  \
    if (tunecheck_probe_begin != nullptr)                                                     \
      tunecheck_probe_begin(#kernel, config, reinterpret_cast<const void*>(&tunecheck_entry), \
                            launch);                                                          \
    const int status = tunecheck::detail::run(&kernel, *launch);                              \
    if (tunecheck_probe_end != nullptr) tunecheck_probe_end(launch, status);                  \
    return status;                                                                            \
  }

#endif

// What a function for Kernel Tuner's C backend does itself: it times its work and returns
// milliseconds. Beside that it says to tunecheck's launch probe what it was given, where the probe
// is loaded, before its time begins and after it has ended.
#ifndef TUNECHECK_KERNEL_TUNER_LAUNCH_H
#define TUNECHECK_KERNEL_TUNER_LAUNCH_H

#include <tunecheck/cpu_kernel.h>

#include <time.h>

// A contiguous argument of float: its address, and one size a dimension.
struct Argument {
  Argument(const float* data, int64_t size) : data(data), shape{size}, strides{1}, rank(1) {}
  Argument(const float* data, int64_t rows, int64_t cols)
      : data(data), shape{rows, cols}, strides{cols, 1}, rank(2) {}

  const float* data;
  int64_t shape[2];
  int64_t strides[2];
  int32_t rank;
};

template <int count>
class Launch {
 public:
  // The arguments in the order of kernel.info.
  template <class... Arguments>
  explicit Launch(const char* kernel, Arguments... arguments) : m_arguments{arguments...} {
    for (int i = 0; i < count; ++i) {
      const Argument& argument = m_arguments[i];
      m_tensors[i] = {const_cast<float*>(argument.data), argument.shape, argument.strides,
                      argument.rank, f32};
    }
    m_launch = {m_tensors, nullptr, count, 0};
    if (tunecheck_probe_begin != nullptr)
      tunecheck_probe_begin(kernel, TUNECHECK_TO_TEXT(TUNECHECK_CONFIG), &f32, &m_launch);
    clock_gettime(CLOCK_MONOTONIC, &m_begin);
  }

  // To be called once, as the last thing: the milliseconds that the work took. A launch that could
  // not be made (`status`) must not win.
  float end(int status = 0) {
    timespec end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    if (tunecheck_probe_end != nullptr) tunecheck_probe_end(&m_launch, status);
    if (status != 0) return __builtin_inff();
    return static_cast<float>(static_cast<double>(end.tv_sec - m_begin.tv_sec) * 1e3 +
                              static_cast<double>(end.tv_nsec - m_begin.tv_nsec) / 1e6);
  }

 private:
  static constexpr int32_t f32 = 1;  // also an address in this library

  Argument m_arguments[count];
  tunecheck_tensor m_tensors[count];
  tunecheck_launch m_launch;
  timespec m_begin;
};

template <class... Arguments>
Launch(const char*, Arguments...) -> Launch<sizeof...(Arguments)>;

#endif

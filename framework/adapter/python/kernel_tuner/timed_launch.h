// What a function for Kernel Tuner's C backend does itself: it times its work and returns
// milliseconds. The work is that of a kernel folder's source, which the file that includes this one
// has included.
#ifndef TUNECHECK_KERNEL_TUNER_TIMED_LAUNCH_H
#define TUNECHECK_KERNEL_TUNER_TIMED_LAUNCH_H

#include <tunecheck/cpu_kernel.h>

#include <initializer_list>
#include <time.h>

/// What TUNECHECK_KERNEL makes of the kernel.
extern "C" int tunecheck_entry(const tunecheck_launch* launch);

/// `memory`: the first byte that each tensor may touch. `layout`: for each tensor its dtype's code,
/// its rank, the bytes from there to element [0, ..., 0], its shape, and its strides in elements. A
/// launch that the kernel refused takes infinitely long, so that it cannot win.
template <int tensor_count>
float timed_launch(char* const (&memory)[tensor_count], const int64_t* layout,
                   std::initializer_list<double> values) {
  tunecheck_tensor tensors[tensor_count];
  for (int i = 0; i < tensor_count; ++i) {
    const int64_t rank = layout[1];
    tensors[i] = {memory[i] + layout[2], layout + 3, layout + 3 + rank, static_cast<int32_t>(rank),
                  static_cast<int32_t>(layout[0])};
    layout += 3 + 2 * rank;
  }
  tunecheck_scalar scalars[16];
  int scalar_count = 0;
  for (const double value : values)
    scalars[scalar_count++] = {value, static_cast<int64_t>(value)};
  const tunecheck_launch launch = {tensors, scalars, tensor_count, scalar_count};
  timespec begin, end;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  const int status = tunecheck_entry(&launch);
  clock_gettime(CLOCK_MONOTONIC, &end);
  if (status != 0) return __builtin_inff();
  return static_cast<float>(static_cast<double>(end.tv_sec - begin.tv_sec) * 1e3 +
                            static_cast<double>(end.tv_nsec - begin.tv_nsec) / 1e6);
}

#endif

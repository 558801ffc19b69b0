#pragma once
// From which line of the program the calling thread does something.
#include <string>

namespace tunecheck::watch {

/// "train.py:9 (step)": the innermost frame of Python that is neither of its library nor of an
/// installed package. "" where the process runs no Python, or the thread none of it. Waits for the
/// interpreter's lock.
[[nodiscard]] std::string python_place();

/// "/path/of/program+0x12f0": the innermost caller inside the program itself; "" if there is none.
[[nodiscard]] std::string native_place();

/// The first of the two that is known.
[[nodiscard]] std::string program_place();

/// What Numba (https://numba.pydata.org) has LLVM do in the calling thread.
struct NumbaWork {
  bool is_there = false;       ///< the thread comes from one of Numba's functions
  bool loads = false;          ///< it loads what a cache has kept
  bool compiles = false;       ///< it compiles a function
  const void* call = nullptr;  ///< tells one compile from the next, as long as that goes on
  std::string place;           ///< the line of the program on whose behalf
};
/// By frames of Numba's own functions; neither where there are none. Waits for the interpreter's
/// lock, so the thread must not hold one that somebody with that lock may wait for.
[[nodiscard]] NumbaWork numba_work();

}  // namespace tunecheck::watch

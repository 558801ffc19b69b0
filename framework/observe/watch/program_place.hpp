#pragma once
// From where in the program the calling thread does something.
#include <cstdint>
#include <string>
#include <string_view>

namespace tunecheck::watch {

/// Texts such as "train.py:9 (step)", "" where it is not known.
struct ProgramPlace {
  std::string launch;      ///< the line of the program that the thread comes from
  std::string definition;  ///< the first line of the Python function that the kernel is made of
};

/// The launch is in the innermost frame of Python that is neither of its library nor of an
/// installed package. The definition is what a `self` of the frames up to that one keeps as `fn`
/// (Triton, and what is made like it) or `py_func` (Numba), perhaps behind others: a function whose
/// name is in `kernel`. Only looks into dictionaries of instances, so that no code of the program
/// runs. Empty where the process runs no Python, or the thread none of it. Waits for the
/// interpreter's lock.
[[nodiscard]] ProgramPlace python_place(const std::string& kernel);

/// "/path/of/program+0x12f0": the innermost caller inside the program itself; "" if there is none.
[[nodiscard]] std::string native_place();

/// The calling thread comes from a function of a library whose file has this name.
[[nodiscard]] bool comes_from_library(std::string_view name);

struct Caller {
  ProgramPlace place;      ///< of the two above, the first that is known; empty if not asked for
  std::uint64_t path = 0;  ///< of call_path()
};

/// Tells one way to a launch from others: all calls that are under way in the thread, innermost
/// first; those of Python where it runs any, with the position in each function. Two launches of
/// one loop have the same path, whatever they launch. Means nothing to another process. Callers
/// inside the module that is loaded at `module` do not count (it may be a code of its own each
/// time).
[[nodiscard]] std::uint64_t call_path(const void* module);

[[nodiscard]] Caller program_caller(const std::string& kernel, const void* module,
                                    bool wants_place);

/// What Numba (https://numba.pydata.org) has LLVM do in the calling thread.
struct NumbaWork {
  bool is_there = false;       ///< the thread comes from one of Numba's functions
  bool compiles = false;       ///< it compiles a function; else it loads what a cache has kept
  const void* call = nullptr;  ///< tells one compile from the next, as long as that goes on
  std::string place;           ///< the line of the program on whose behalf
};
/// By frames of Numba's own functions; all false where there are none. Waits for the interpreter's
/// lock, so the thread must not hold one that somebody with that lock may wait for.
[[nodiscard]] NumbaWork numba_work();

}  // namespace tunecheck::watch

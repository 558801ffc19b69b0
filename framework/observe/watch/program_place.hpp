#pragma once
// From which line of the program the calling thread does something.
#include <string>

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

/// The first of the two that is known.
[[nodiscard]] ProgramPlace program_place(const std::string& kernel);

}  // namespace tunecheck::watch

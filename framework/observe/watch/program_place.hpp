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

}  // namespace tunecheck::watch

#pragma once
// From an address in a program to the line of its source.
#include "result/watch_result.hpp"

namespace tunecheck::watch {

/// Replaces "/path/of/program+0x12f0" by file, line and function where the program has lines for a
/// debugger and addr2line is there; else leaves it. Other places stay as they are, except that a
/// file below the working folder becomes relative to it.
void find_source_line(WatchResult::Place& place);

}  // namespace tunecheck::watch

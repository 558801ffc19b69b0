#pragma once
// `for` and `repeat` in scenario files: unrolled before anything else is read.
#include "core/info.hpp"

namespace tunecheck {

/// Replaces each `for "NAME in A B C" { ... }` below `node` by its body once per word with $NAME
/// replaced in keys and values, and each `repeat N { ... }` by N copies of its body, where $repeat
/// is the number of the copy from 1. Lines stay those of the file. More than 64 MiB of copies is an
/// error.
void unroll_loops(InfoNode& node, InfoErrors& errors);

}  // namespace tunecheck

#pragma once
// `for` and `repeat` in scenario files: unrolled before anything else is read.
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/info.hpp"

namespace tunecheck {

/// What an `each` loop goes through: for each of its rounds the words of its variables. One without
/// a word stands for "not there": a key with that variable as its whole value is left out.
using LoopRows = std::vector<std::map<std::string, std::optional<std::string>>>;
/// By the word behind `each`.
using LoopTables = std::map<std::string, LoopRows>;

/// Replaces each `for "NAME in A B C" { ... }` below `node` by its body once per word with $NAME
/// replaced in keys and values, and each `repeat N { ... }` by N copies of its body, where $repeat
/// is the number of the copy from 1. `each TABLE { ... }` is replaced by its body once per row of
/// that table; a scenario around it must need the capability of that name, since a tuner without it
/// has no rows. Lines stay those of the file. More than 64 MiB of copies is an
/// error.
void unroll_loops(InfoNode& node, InfoErrors& errors, const LoopTables& tables);

}  // namespace tunecheck

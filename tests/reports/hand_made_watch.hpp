#pragma once
#include "result/watch_result.hpp"

namespace tunecheck::test {

/// A watch with findings that fail, that are allowed, known and unclear, and a tuned kernel.
[[nodiscard]] WatchResult mixed_watch();

}  // namespace tunecheck::test

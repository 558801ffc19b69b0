#pragma once
// Where something stands in an adapter.info that has been read: for mistakes that only show later.
#include <string>

#include "harness/process/adapter_info.hpp"

namespace tunecheck {

/// The line of `key` in the adapter's file; 0 where it cannot be told.
[[nodiscard]] int adapter_line(const AdapterInfo& adapter, const std::string& key);

}  // namespace tunecheck

#pragma once
// The sections `table` and `bundle` of adapter.info.
#include "core/info.hpp"
#include "harness/process/adapter_info.hpp"

namespace tunecheck {

/// Reads them, and checks that the capabilities with their names are declared just where they are.
void read_exchange_variables(InfoReader& reader, AdapterInfo& info);

}  // namespace tunecheck

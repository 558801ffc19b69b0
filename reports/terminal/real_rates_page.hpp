#pragma once
// The table of `tunecheck gate calibrate --from`, in Markdown, which a terminal shows well enough.
#include <string>
#include <vector>

#include "gate/rule/real_session.hpp"

namespace tunecheck {

/// A table for each machine and question, with a heading of this level, then what the rates are to
/// reach. The same sessions give the same text, in whatever order they come.
[[nodiscard]] std::string real_rates_page(const std::vector<gate::RealSession>& sessions,
                                          int heading_level = 3);

}  // namespace tunecheck

#pragma once
// The page of an HTML report without its data. reports/html holds its source; where Node.js was
// there, the build made it a part of the program.
#include <string>

namespace tunecheck {

/// "" where the program was built without it.
[[nodiscard]] std::string html_template();

}  // namespace tunecheck

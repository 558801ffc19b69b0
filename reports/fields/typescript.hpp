#pragma once
// What the page of HTML reports knows of the documents: reports/html/src/stored.ts.
#include <string>
#include <vector>

#include "reports/fields/description.hpp"

namespace tunecheck {

/// A module of TypeScript: an interface for each of these objects and for all that they name, and
/// `layouts`, by which the page unpacks what html_pack() packed.
[[nodiscard]] std::string typescript_of(const std::vector<const ObjectDescription*>& objects);

}  // namespace tunecheck

#pragma once
// The commit that this program was built from: parts of a run that was divided among machines must
// have the same.
#include <map>
#include <string>
#include <string_view>

namespace tunecheck::cli {

/// The full name of the commit, with " and changes" where files that git knows were changed; ""
/// where it was built from an archive that does not say.
[[nodiscard]] std::string_view build_commit();

/// Notes it among the facts of a result, where it is known.
void add_build_commit(std::map<std::string, std::string>& environment);

}  // namespace tunecheck::cli

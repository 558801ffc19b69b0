#pragma once
// The part of a C++ source that decides what is compiled from it.
#include <string>
#include <string_view>

namespace tunecheck {

/// `text` with each comment as one blank, each run of blanks as one, and no empty lines: two
/// sources that differ only in comments and blanks become equal. Line ends stay where they separate
/// directives; strings, characters and raw strings stay as they are; a spliced line (backslash at
/// its end) is joined. Understands what a compiler accepts; of the rest it only promises not to
/// make two sources equal that differ outside of comments and blanks.
[[nodiscard]] std::string normalised_source(std::string_view text);

}  // namespace tunecheck

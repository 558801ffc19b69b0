#include "core/byte_size.hpp"

#include <array>
#include <limits>

#include <fmt/format.h>

#include "core/text.hpp"

namespace tunecheck {

std::optional<std::uint64_t> parse_byte_size(std::string_view text) {
  unsigned shift = 0;
  if (!text.empty()) switch (text.back()) {
      case 'K':
        shift = 10;
        break;
      case 'M':
        shift = 20;
        break;
      case 'G':
        shift = 30;
        break;
      default:
        break;
    }
  if (shift != 0) text.remove_suffix(1);
  const auto number = parse_integer(text);
  if (!number || *number < 0 || *number > std::numeric_limits<std::int64_t>::max() >> shift)
    return std::nullopt;
  return static_cast<std::uint64_t>(*number) << shift;
}

std::string byte_size_text(std::uint64_t bytes) {
  constexpr std::array<std::string_view, 4> units = {"KiB", "MiB", "GiB", "TiB"};
  if (bytes < 1024) return fmt::format("{} B", bytes);
  double size = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  while (size >= 1024 && unit + 1 < units.size()) {
    size /= 1024;
    ++unit;
  }
  return fmt::format("{:.1f} {}", size, units.at(unit));
}

}  // namespace tunecheck

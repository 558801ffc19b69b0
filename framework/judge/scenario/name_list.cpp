#include "judge/scenario/name_list.hpp"

#include <cstdint>
#include <sstream>

#include "core/files.hpp"
#include "core/plain_text.hpp"

namespace tunecheck {

namespace {

constexpr std::uint64_t most_bytes = 16 << 20;
// Longer than that of anything; a message quotes it.
constexpr std::size_t longest_name = 300;

}  // namespace

Result<std::vector<ListedName>> read_name_list(const std::filesystem::path& file) {
  const auto mistake = [&](int line, const std::string& what) {
    return failure(Error{ErrorKind::bad_input, what, file.string(), line, {}});
  };
  const auto text = read_text_file(file, most_bytes);
  if (!text)
    return failure(Error{ErrorKind::bad_input, text.error().message, file.string(), 0, {}});
  std::vector<ListedName> names;
  std::istringstream lines(*text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (broken_utf8(line)) return mistake(number, "expected UTF-8");
    std::istringstream words(line.substr(0, line.find('#')));
    std::string name, more;
    if (!(words >> name)) continue;
    if (words >> more) return mistake(number, "expected one name a line, found more than one");
    if (name.size() > longest_name)
      return mistake(number, "expected a name of at most 300 bytes, found a longer one");
    names.push_back({name, number});
  }
  if (names.empty()) return mistake(0, "expected names, one a line, found none");
  return names;
}

}  // namespace tunecheck

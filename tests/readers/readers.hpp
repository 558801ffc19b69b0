#pragma once
// Every reader of a text that tunecheck itself need not have written.
#include <filesystem>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

namespace tunecheck::test {

struct Reader {
  std::string name;
  /// What it says of a file; "" where it takes it for good.
  std::function<std::string(const std::filesystem::path&)> read;
  std::string file_name = "file";  ///< that it looks for
  bool takes_any_words = false;    ///< some shapes are no mistake
};

inline void PrintTo(const Reader& reader, std::ostream* out) {
  *out << reader.name;
}

[[nodiscard]] const std::vector<Reader>& readers();

}  // namespace tunecheck::test

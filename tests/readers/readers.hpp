#pragma once
// Every reader of a text that tunecheck itself need not have written.
#include <filesystem>
#include <functional>
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

[[nodiscard]] const std::vector<Reader>& readers();

}  // namespace tunecheck::test

// Whoever changes what decides a winner is asked whether winners found before still hold.
#include <algorithm>
#include <filesystem>
#include <vector>

#include <gtest/gtest.h>

#include "core/digest.hpp"
#include "core/files.hpp"
#include "core/sources/normalised_source.hpp"
#include "tuner/key/key.hpp"

namespace tunecheck::test {
namespace {

namespace fs = std::filesystem;

// How configs are proposed, tried, measured, validated and chosen.
std::vector<fs::path> deciding_sources() {
  const fs::path tuner = fs::path(TUNECHECK_SOURCE_ROOT) / "framework" / "tuner";
  std::vector<fs::path> files = {tuner / "tuning.cpp"};
  for (const char* const folder : {"search", "trial"})
    for (const auto& file : fs::directory_iterator(tuner / folder))
      if (file.path().extension() == ".cpp" || file.path().extension() == ".hpp")
        files.push_back(file.path());
  std::sort(files.begin(), files.end());
  return files;
}

// Comments and blanks decide nothing.
std::string digest_of_deciding_sources() {
  std::string text;
  for (const fs::path& file : deciding_sources())
    text += file.filename().string() + " " +
            key_digest(normalised_source(read_text_file(file).value())) + "\n";
  return key_digest(text);
}

TEST(DecidingSources, change_with_the_question_whether_winners_found_before_still_hold) {
  EXPECT_EQ(decisions_version, 1);
  EXPECT_EQ(digest_of_deciding_sources(), "d811cee38659203a7e263e2ddd37062d")
      << "What decides a winner has changed. If a winner that was found before might not win now, "
         "raise decisions_version (framework/tuner/key/key.hpp) and the number here, and every "
         "user "
         "tunes once more. If the change decides nothing, such as a new name, leave the number. "
         "Then put the digest here.";
}

TEST(DecidingSources, are_more_than_a_few) {
  EXPECT_GT(deciding_sources().size(), 20u);
}

}  // namespace
}  // namespace tunecheck::test

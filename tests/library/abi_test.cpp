// The binary interface of libtunecheck against framework/library/abi: a program that was compiled
// with an older header must still work.
#include <tunecheck/tunecheck.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "core/files.hpp"

namespace tunecheck::test {
namespace {

namespace fs = std::filesystem;
using testing::IsSupersetOf;

const fs::path library_folder = fs::path(TUNECHECK_SOURCE_ROOT) / "framework" / "library";
constexpr auto advice =
    "What programs that were compiled before rely on has changed. If something was only added (a "
    "function; a field at the end of a structure; an enumerator), add it to the list. Otherwise "
    "raise TUNECHECK_ABI_VERSION and SOVERSION as well.";

std::string read(const fs::path& file) {
  return read_text_file(file).value();
}

std::string header() {
  static const std::regex comment(R"(/\*[^*]*\*+([^/*][^*]*\*+)*/|//[^\n]*)");
  return std::regex_replace(read(library_folder / "include/tunecheck/tunecheck.h"), comment, "");
}

std::string output_of(const std::string& command) {
  std::string output;
  std::array<char, 4096> buffer{};
  FILE* const pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return "no pipe";
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe))
    output.append(buffer.data(), count);
  return ::pclose(pipe) == 0 ? output : "failed: " + command;
}

std::vector<std::string> all_matches(const std::string& text, const std::regex& pattern) {
  std::vector<std::string> found;
  for (std::sregex_iterator at(text.begin(), text.end(), pattern), end; at != end; ++at)
    found.push_back((*at)[1]);
  return found;
}

// One line each, sorted, without the addresses.
std::string exported_symbols() {
  const std::string listed =
      output_of(std::string("nm -D --defined-only --with-symbol-versions '") +
                TUNECHECK_SHARED_LIBRARY + "'");
  const std::regex line("[0-9a-f]+ ([A-Za-z] [^\\n]+)\\n");
  std::vector<std::string> symbols = all_matches(listed, line);
  std::sort(symbols.begin(), symbols.end());
  return fmt::format("{}\n", fmt::join(symbols, "\n"));
}

#define FIELD(structure, name)                                               \
  fmt::format("{}.{} {} {}\n", #structure, #name, offsetof(structure, name), \
              sizeof(structure::name))
#define WHOLE(structure) fmt::format("{} {}\n", #structure, sizeof(structure))
#define NUMBER(name) fmt::format("{} {}\n", #name, static_cast<int>(name))

std::string layouts() {
  return WHOLE(tunecheck_options) + FIELD(tunecheck_options, struct_size) +
         FIELD(tunecheck_options, device) + FIELD(tunecheck_options, cache_folder) +
         FIELD(tunecheck_options, cache_limit_bytes) + FIELD(tunecheck_options, effort) +
         FIELD(tunecheck_options, trials) + FIELD(tunecheck_options, time_ns) +
         FIELD(tunecheck_options, compile_jobs) + FIELD(tunecheck_options, device_number) +
         FIELD(tunecheck_options, never_search) + FIELD(tunecheck_options, never_wait) +
         WHOLE(tunecheck_size) + FIELD(tunecheck_size, name) + FIELD(tunecheck_size, value) +
         WHOLE(tunecheck_named_tensor) + FIELD(tunecheck_named_tensor, name) +
         FIELD(tunecheck_named_tensor, data) + FIELD(tunecheck_named_tensor, dtype) +
         FIELD(tunecheck_named_tensor, rank) + FIELD(tunecheck_named_tensor, shape) +
         FIELD(tunecheck_named_tensor, strides) + WHOLE(tunecheck_named_scalar) +
         FIELD(tunecheck_named_scalar, name) + FIELD(tunecheck_named_scalar, value) +
         WHOLE(tunecheck_report) + FIELD(tunecheck_report, struct_size) +
         FIELD(tunecheck_report, cache) + FIELD(tunecheck_report, launch_status) +
         FIELD(tunecheck_report, compiles) + FIELD(tunecheck_report, trials) +
         FIELD(tunecheck_report, given_meanwhile) + FIELD(tunecheck_report, winner) +
         FIELD(tunecheck_report, message) + WHOLE(tunecheck_status) + WHOLE(tunecheck_dtype) +
         WHOLE(tunecheck_cache_use) + NUMBER(TUNECHECK_ABI_VERSION) + NUMBER(TUNECHECK_OK) +
         NUMBER(TUNECHECK_BAD_INPUT) + NUMBER(TUNECHECK_UNSUPPORTED) + NUMBER(TUNECHECK_MACHINE) +
         NUMBER(TUNECHECK_UNTRUSTED) + NUMBER(TUNECHECK_INTERNAL) +
         NUMBER(TUNECHECK_LAUNCH_REFUSED) + NUMBER(TUNECHECK_F64) + NUMBER(TUNECHECK_F32) +
         NUMBER(TUNECHECK_BF16) + NUMBER(TUNECHECK_F16) + NUMBER(TUNECHECK_I32) +
         NUMBER(TUNECHECK_I64) + NUMBER(TUNECHECK_U8) + NUMBER(TUNECHECK_CACHE_HIT) +
         NUMBER(TUNECHECK_CACHE_MISS) + NUMBER(TUNECHECK_CACHE_STALE) +
         NUMBER(TUNECHECK_CACHE_DISABLED) + NUMBER(TUNECHECK_CACHE_PENDING) +
         NUMBER(TUNECHECK_CACHE_UNCHECKED);
}

// The first word of each line.
std::set<std::string> first_words_of(const std::string& list) {
  const auto names = all_matches(list, std::regex("([^ \\n]+)[^\\n]*\\n"));
  return {names.begin(), names.end()};
}

TEST(Abi, exports_the_symbols_of_the_list_and_no_others) {
  EXPECT_EQ(exported_symbols(), read(library_folder / "abi/symbols.txt")) << advice;
}

TEST(Abi, has_the_layouts_and_numbers_of_the_list) {
  EXPECT_EQ(layouts(), read(library_folder / "abi/layouts.txt")) << advice;
}

TEST(Abi, each_function_of_the_header_is_exported) {
  const auto declared =
      all_matches(header(), std::regex(R"(TUNECHECK_API [^;(]*?(tunecheck_\w+)\()"));
  EXPECT_GT(declared.size(), 8U);
  for (const std::string& name : declared)
    EXPECT_NE(exported_symbols().find(" " + name + "@"), std::string::npos) << name;
}

TEST(Abi, each_field_and_number_of_the_header_is_in_the_list) {
  const std::string text = header();
  std::set<std::string> declared;
  const std::regex structure(R"(typedef struct \w+ \{([^}]*)\} (\w+);)");
  for (std::sregex_iterator at(text.begin(), text.end(), structure), end; at != end; ++at) {
    declared.insert((*at)[2]);
    for (const std::string& field : all_matches((*at)[1], std::regex(R"((\w+);)")))
      declared.insert(std::string((*at)[2]) + "." + field);
  }
  for (const std::string& number : all_matches(text, std::regex(R"((TUNECHECK_\w+) = )")))
    declared.insert(number);
  EXPECT_GT(declared.size(), 40U);
  EXPECT_THAT(first_words_of(layouts()), IsSupersetOf(declared));
}

// Padding would be a place that no line of the list speaks of.
TEST(Abi, structures_have_no_gaps) {
  EXPECT_EQ(sizeof(tunecheck_options), 4 * sizeof(void*) + 3 * 8 + 4 * 4);
  EXPECT_EQ(sizeof(tunecheck_named_tensor), 4 * sizeof(void*) + 2 * 4);
  EXPECT_EQ(sizeof(tunecheck_report), 3 * sizeof(void*) + 3 * 8 + 2 * 4);
}

}  // namespace
}  // namespace tunecheck::test

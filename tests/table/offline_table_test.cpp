// Offline tables as files: what is read, what is refused and with which place, and what is written.
#include "table/offline_table.hpp"

#include <thread>

#include <gmock/gmock.h>

#include "core/files.hpp"

namespace tunecheck::table {
namespace {

using testing::HasSubstr;

Entry entry_of(std::int64_t n, std::int64_t block) {
  Entry entry;
  entry.kernel = "axpy_inplace";
  entry.device = {"x86-64-v2", ""};
  entry.dtypes = {{"x", DType::f32}, {"y", DType::f32}};
  entry.sizes = {{"n", n}};
  entry.config = {{"block", block}, {"unroll", 4}};
  entry.median_ns = 610.5;
  entry.code = "abc";
  entry.space = "def";
  return entry;
}

std::string error_of(const std::string& text) {
  const auto table = parse_table(text, "tuned.json");
  return table ? "" : table.error().text();
}

TEST(OfflineTables, are_read_as_they_were_written) {
  const std::string text = to_json_text({{entry_of(1000, 128), entry_of(20, 512)}});
  const OfflineTable read = parse_table(text, "tuned.json").value();
  ASSERT_EQ(read.entries.size(), 2u);
  const Entry& first = read.entries[0];
  EXPECT_EQ(first.sizes.at("n"), 20) << "sorted";
  EXPECT_EQ(first.config, entry_of(20, 512).config);
  EXPECT_EQ(first.dtypes, entry_of(20, 512).dtypes);
  EXPECT_EQ(first.device, entry_of(20, 512).device);
  EXPECT_EQ(first.median_ns, 610.5);
  EXPECT_EQ(first.code, "abc");
  EXPECT_EQ(first.space, "def");
  EXPECT_EQ(first.line, 6);
  EXPECT_GT(read.entries[1].line, first.line);
  EXPECT_EQ(to_json_text(read), text);
}

TEST(OfflineTables, that_were_cut_anywhere_are_refused_with_their_line) {
  const std::string text = to_json_text({{entry_of(1000, 128), entry_of(20, 512)}});
  for (std::size_t length = 0; length + 2 < text.size(); ++length)
    EXPECT_THAT(error_of(text.substr(0, length)), HasSubstr("tuned.json:")) << length;
}

TEST(OfflineTables, of_another_kind_or_version_are_refused) {
  EXPECT_EQ(error_of("[]"), "tuned.json: kind: expected \"tunecheck table\"");
  EXPECT_EQ(error_of(R"({"kind": "tunecheck table", "schema": "2.0.0", "entries": []})"),
            "tuned.json:1: schema: expected a table of version 1.0.0, found \"2.0.0\"");
  EXPECT_EQ(error_of(R"({"kind": "tunecheck table", "schema": "1.9.0", "entries": []})"), "");
  EXPECT_EQ(error_of(R"({"kind": "tunecheck table", "schema": 1, "entries": []})"),
            "tuned.json:1: schema: expected a table of version 1.0.0, found 1");
}

TEST(OfflineTables, say_which_key_of_which_entry_is_wrong) {
  const auto with = [](const std::string& from, const std::string& to) {
    std::string text = to_json_text({{entry_of(1000, 128)}});
    text.replace(text.find(from), from.size(), to);
    return error_of(text);
  };
  EXPECT_THAT(with("\"f32\"", "\"f33\""), HasSubstr("tuned.json:6: dtypes: expected a dtype"));
  EXPECT_THAT(with("1000", "1000.5"), HasSubstr("tuned.json:6: sizes: expected whole numbers"));
  EXPECT_THAT(with("128", "\"128\""), HasSubstr("tuned.json:6: config: expected whole numbers"));
  EXPECT_THAT(with("\"kernel\": \"axpy_inplace\"", "\"kernel\": \"\""), HasSubstr("kernel: "));
  EXPECT_THAT(with("\"config\"", "\"konfig\""), HasSubstr("tuned.json:6: config: "));
  EXPECT_THAT(with("610.5", "\"fast\""), HasSubstr("tuned.json:6: median_ns: expected a number"));
  EXPECT_THAT(with("\"f32\"", "5"), HasSubstr("tuned.json:6: dtypes: expected a dtype"));
  EXPECT_THAT(with("\"x86-64-v2\"", "5"),
              HasSubstr("tuned.json:6: arch: expected a text, found 5"));
  EXPECT_THAT(with("\"abc\"", "5"), HasSubstr("tuned.json:6: code: expected a text, found 5"));
  EXPECT_EQ(error_of("{\"kind\": \"tunecheck table\", \"schema\": \"1.0.0\",\n\"entries\": [1]}"),
            "tuned.json:2: entries: expected objects, found 1");
}

TEST(OfflineTables, keep_what_a_newer_version_or_a_person_has_added) {
  const std::string text = R"({
    "schema": "1.9.0", "kind": "tunecheck table", "comment": "reviewed",
    "entries": [{ "note": ["keep"], "kernel": "axpy_inplace",
                  "device": { "arch": "x86-64-v2", "kind": "", "socket": 2 },
                  "dtypes": { "x": "f32", "y": "f32" }, "sizes": { "n": 20 },
                  "config": { "block": 128, "unroll": 4 } }] })";
  const std::string written = to_json_text(parse_table(text, "tuned.json").value());
  for (const char* const kept :
       {R"("schema": "1.9.0")", R"("comment": "reviewed")", R"("keep")", R"("socket": 2)"})
    EXPECT_THAT(written, HasSubstr(kept));
  EXPECT_EQ(to_json_text(parse_table(written, "tuned.json").value()), written);
  EXPECT_THAT(to_json_text({}), HasSubstr(R"("schema": "1.0.0")"));
}

class OfflineTableFiles : public testing::Test {
 protected:
  TemporaryFolder m_folder = TemporaryFolder::create("tunecheck-table-test").value();
  std::filesystem::path m_file = m_folder.path() / "tuned.json";
};

TEST_F(OfflineTableFiles, take_an_entry_in_place_of_one_for_the_same) {
  ASSERT_TRUE(merge_into_table(m_file, {entry_of(1000, 128), entry_of(20, 128)}));
  ASSERT_TRUE(merge_into_table(m_file, {entry_of(1000, 512)}));
  const OfflineTable table = read_table(m_file).value();
  ASSERT_EQ(table.entries.size(), 2u);
  EXPECT_EQ(table.entries[1].config.at("block"), 512);
}

TEST_F(OfflineTableFiles, keep_their_mode_and_what_is_not_known) {
  std::string text = to_json_text({{entry_of(20, 128)}});
  const std::string kind = "\"kind\": \"tunecheck table\",";
  text.replace(text.find(kind), kind.size(), kind + " \"comment\": \"reviewed\",");
  ASSERT_TRUE(write_file(m_file, text));
  std::filesystem::permissions(m_file, std::filesystem::perms{0600});
  ASSERT_TRUE(merge_into_table(m_file, {entry_of(1000, 512)}));
  EXPECT_THAT(read_text_file(m_file).value(), HasSubstr("\"comment\": \"reviewed\""));
  EXPECT_EQ(std::filesystem::status(m_file).permissions(), std::filesystem::perms{0600});
}

TEST_F(OfflineTableFiles, are_looked_at_before_there_is_something_to_add) {
  EXPECT_TRUE(check_can_merge(m_file));
  ASSERT_TRUE(write_file(m_file, "a letter\n"));
  EXPECT_THAT(check_can_merge(m_file).error().text(), HasSubstr("expected a table as JSON"));
  EXPECT_THAT(check_can_merge(m_folder.path() / "nowhere" / "tuned.json").error().text(),
              HasSubstr("cannot be written: No such file or directory"));
}

TEST_F(OfflineTableFiles, that_are_something_else_stay_as_they_are) {
  ASSERT_TRUE(write_file(m_file, "a letter\n"));
  EXPECT_FALSE(merge_into_table(m_file, {entry_of(1000, 128)}));
  EXPECT_EQ(read_text_file(m_file).value(), "a letter\n");
}

TEST_F(OfflineTableFiles, lose_no_entry_of_several_writers) {
  {
    std::vector<std::jthread> writers;
    for (int i = 1; i <= 8; ++i)
      writers.emplace_back(
          [this, i] { EXPECT_TRUE(merge_into_table(m_file, {entry_of(i, 128)})); });
  }
  EXPECT_EQ(read_table(m_file).value().entries.size(), 8u);
}

}  // namespace
}  // namespace tunecheck::table

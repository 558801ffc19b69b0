#include "tuner/store/entry_format.hpp"

#include <gtest/gtest.h>

namespace tunecheck {
namespace {

Entry an_entry() {
  Entry entry;
  entry.key = Key({{"kernel", "k"}, {"strides", "x=\"1\",\n\xff"}, {"toolchain", "t", true}});
  entry.winner = {{"block", 64}};
  entry.artifact_digest = std::string(64, 'a');
  entry.artifact_bytes = 123;
  entry.trials = {{{{"block", 64}}, "", 12.5, 10, 1e9, 12},
                  {{{"block", 32}}, "signal 11", 0, 0, 0, 0}};
  entry.created_ns = 1'700'000'000'123'456'789;
  entry.tuner_version = "9";
  entry.searched = {7, std::chrono::milliseconds(20), "balanced"};
  return entry;
}

TEST(EntryFormat, what_is_written_is_read) {
  Entry entry = an_entry();
  entry.key = Key({{"kernel", "k"}, {"toolchain", "t", true}});
  entry.trials[0].median_ns = 0.1 + 0.2;
  entry.trials[0].low_ns = 1e-300;
  const Entry read = parse_entry(to_json_text(entry)).value();
  EXPECT_TRUE(entry.key.agrees_with(read.key));
  EXPECT_EQ(read.winner, entry.winner);
  EXPECT_EQ(read.artifact_digest, entry.artifact_digest);
  EXPECT_EQ(read.artifact_bytes, entry.artifact_bytes);
  EXPECT_EQ(read.trials, entry.trials);
  EXPECT_EQ(read.created_ns, entry.created_ns);
  EXPECT_EQ(read.tuner_version, entry.tuner_version);
  EXPECT_EQ(read.searched, entry.searched);
}

TEST(EntryFormat, bytes_that_are_no_text_do_no_harm) {
  EXPECT_TRUE(parse_entry(to_json_text(an_entry())).has_value());
}

TEST(EntryFormat, every_torn_entry_is_refused) {
  const std::string text = to_json_text(an_entry());
  for (std::size_t length = 0; length < text.size(); ++length)
    EXPECT_FALSE(parse_entry(text.substr(0, length)).has_value()) << length;
}

TEST(EntryFormat, every_changed_letter_is_refused) {
  const std::string text = to_json_text(an_entry());
  for (std::size_t at = 0; at < text.size(); ++at) {
    std::string changed = text;
    changed[at] = static_cast<char>(changed[at] ^ 1);
    EXPECT_FALSE(parse_entry(changed).has_value()) << at << ": " << changed.substr(at, 20);
  }
}

TEST(EntryFormat, nothing_is_parsed_before_its_digest_was_compared) {
  std::string text = to_json_text(an_entry());
  const std::size_t blank = text.find(' ', text.find(' ') + 1);
  // Deep enough to be a mistake of its own, if anybody looked.
  text.replace(blank + 1, text.npos, std::string(200, '['));
  EXPECT_EQ(parse_entry(text).error().message,
            "the digest of the entry does not match its content");
}

TEST(EntryFormat, another_format_is_refused) {
  EXPECT_FALSE(parse_entry("{}").has_value());
  EXPECT_FALSE(parse_entry("[]").has_value());
  EXPECT_FALSE(parse_entry("{\"digest\": 1, \"body\": 2}").has_value());
  EXPECT_FALSE(parse_entry("tunecheck-entry-2 ").has_value());
}

}  // namespace
}  // namespace tunecheck

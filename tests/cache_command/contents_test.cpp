// What is read of a cache folder, and how it is shown.
#include <sstream>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>

#include "filled_cache.hpp"
#include "tuner/cache_command/show.hpp"
#include "tuner/cache_command/sorted_names.hpp"

namespace tunecheck::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

const cache::StoredEntry& of_shape(const cache::Contents& contents, int shape) {
  for (const cache::StoredEntry& entry : contents.entries)
    if (entry.folder_digest == FilledCache::key(shape).folder_digest()) return entry;
  throw std::runtime_error("no such entry");
}

std::string listed(const cache::Contents& contents, bool json = false) {
  std::ostringstream out;
  cache::EntryList list(out, json, now_ns());
  for (const cache::StoredEntry& entry : contents.entries)
    list.add(entry);
  list.finish();
  return out.str();
}

TEST(CacheContents, are_all_entries_with_what_the_tuner_stored) {
  const FilledCache cache(3);
  const cache::Contents contents = cache.contents();
  ASSERT_THAT(contents.entries, SizeIs(3));
  const cache::StoredEntry& entry = of_shape(contents, 1);
  EXPECT_EQ(entry.trouble, "");
  EXPECT_EQ(entry.kernel, "nudge");
  EXPECT_EQ(entry.entry.winner, (Config{{"block", 64}}));
  EXPECT_EQ(entry.artifact.bytes.size(), artifact_bytes);
  EXPECT_GT(entry.bytes, artifact_bytes);
}

// The tuner calls each of them stale, and so do the commands that say what is wrong.
TEST(CacheContents, are_damaged_where_something_else_stands_in_their_place) {
  const FilledCache cache(4);
  displace(cache);
  std::vector<std::string> troubles;
  const cache::Contents contents = cache.contents();
  for (const cache::StoredEntry& entry : contents.entries)
    if (!entry.trouble.empty())
      troubles.push_back(entry.file.lexically_relative(cache.path()).string() + ": " +
                         entry.trouble);
  const std::string linked = FilledCache::key(0).folder_digest();
  EXPECT_THAT(troubles,
              testing::UnorderedElementsAre(
                  fmt::format("v1/nudge/{}: {} is a symbolic link or not a folder", linked, linked),
                  HasSubstr(".json is not a regular file"),
                  "v1/shove: shove is a symbolic link or not a folder"));
  EXPECT_THAT(cache.good(), testing::ElementsAre(2, 3));
  EXPECT_THAT(listed(contents), HasSubstr(linked.substr(0, 12)));
  EXPECT_EQ(cache::find_entry(cache.path(), linked.substr(0, 12)).value().trouble,
            linked + " is a symbolic link or not a folder");
}

TEST(CacheContents, looking_at_an_entry_is_not_using_it) {
  const FilledCache cache(1);
  cache.leave_unused(0, 1000);
  (void)cache.contents();
  EXPECT_LT(cache.contents().entries[0].last_used_ns, now_ns() - 900'000'000'000);
}

TEST(CacheContents, nothing_that_a_file_says_reaches_a_terminal_as_it_is) {
  const FilledCache cache(2);
  cache::Contents contents = cache.contents();
  const std::string hostile = "\x1b]0;title\x07\x1b[2J\nkey  fake";
  cache::StoredEntry& entry = contents.entries[0];
  entry.kernel = hostile;
  entry.entry.winner = {{hostile, 1}};
  entry.entry.tuner_version = hostile;
  entry.entry.artifact_digest = hostile;
  std::vector<KeyValue> values = entry.entry.key.values();
  for (KeyValue& value : values)
    value.value = hostile;
  values.push_back({hostile, hostile, false});
  entry.entry.key = Key(values);
  Trial& trial = entry.entry.trials.emplace_back();
  trial.config = {{hostile, 2}};
  trial.failure = hostile;
  cache::StoredEntry& damaged = contents.entries[1];
  damaged.trouble = hostile;
  for (const std::string& text :
       {listed(contents), cache::show_text(entry, now_ns()), cache::show_text(damaged, now_ns()),
        cache::explain_text(entry, damaged)}) {
    EXPECT_EQ(text.find('\x1b'), text.npos) << text;
    EXPECT_EQ(text.find('\x07'), text.npos) << text;
    EXPECT_EQ(text.find("\nkey  fake"), text.npos) << text;
  }
}

TEST(CacheContents, of_a_folder_without_entries_are_empty) {
  const FilledCache cache(0);
  fs::create_directory(cache.path());
  fs::permissions(cache.path(), fs::perms::owner_all);
  EXPECT_THAT(cache.contents().entries, IsEmpty());
}

TEST(CacheContents, of_no_folder_are_a_mistake) {
  const auto contents = cache::read_contents("/no/such/folder");
  ASSERT_FALSE(contents);
  EXPECT_EQ(contents.error().text(), "/no/such/folder: --cache: there is no such folder");
}

TEST(CacheContents, damage_is_found_as_the_tuner_finds_it) {
  FilledCache cache(6);
  flip(cache.entry_file(0));
  flip(cache.artifact_file(1));
  fs::remove(cache.artifact_file(2));
  fs::rename(cache.entry_file(3), cache.entry_file(3).replace_filename("elsewhere.json"));
  ASSERT_EQ(::chmod(cache.entry_file(4).c_str(), 0666), 0);
  const cache::Contents contents = cache.contents();
  EXPECT_THAT(of_shape(contents, 0).trouble, HasSubstr("json"));
  EXPECT_THAT(of_shape(contents, 1).trouble, HasSubstr("SHA-256"));
  EXPECT_THAT(of_shape(contents, 2).trouble, HasSubstr("is missing"));
  EXPECT_THAT(of_shape(contents, 3).trouble, HasSubstr("where its key belongs"));
  EXPECT_THAT(of_shape(contents, 4).trouble, HasSubstr("can be written by other users"));
  EXPECT_EQ(of_shape(contents, 5).trouble, "");
}

TEST(CacheContents, a_symbolic_link_is_damage_and_not_followed) {
  FilledCache cache(1);
  fs::rename(cache.entry_file(0), cache.beside("elsewhere"));
  fs::create_symlink(cache.beside("elsewhere"), cache.entry_file(0));
  EXPECT_THAT(cache.contents().entries.at(0).trouble, HasSubstr("symbolic link"));
}

TEST(CacheContents, an_entry_is_found_by_the_beginning_of_its_key) {
  const FilledCache cache(2);
  const cache::Contents contents = cache.contents();
  const cache::StoredEntry& first = contents.entries.at(0);
  for (const std::string& name :
       {first.id, first.folder_digest, first.folder_digest.substr(0, 8)}) {
    const auto found = cache::find_entry(cache.path(), name);
    ASSERT_TRUE(found) << name;
    EXPECT_EQ(found->file, first.file);
    EXPECT_EQ(found->artifact.bytes, first.artifact.bytes);
  }
}

TEST(CacheContents, two_toolchains_of_one_key_are_told_apart) {
  FilledCache cache(1);
  cache.put(0, 0, "another compiler");
  const cache::Contents contents = cache.contents();
  ASSERT_THAT(contents.entries, SizeIs(2));
  const auto both = cache::find_entry(cache.path(), contents.entries[0].folder_digest);
  ASSERT_FALSE(both);
  EXPECT_THAT(both.error().message, HasSubstr("could be any of " + contents.entries[0].id));
  EXPECT_EQ(cache::find_entry(cache.path(), contents.entries[1].id)->file,
            contents.entries[1].file);
}

TEST(CacheContents, a_name_that_could_be_many_entries_lists_some_of_them) {
  const FilledCache cache(400);
  std::string longest;  // the first digit that most entries have
  for (const char digit : std::string("0123456789abcdef")) {
    const auto found = cache::find_entry(cache.path(), std::string(1, digit));
    if (!found && found.error().message.size() > longest.size()) longest = found.error().message;
  }
  EXPECT_THAT(longest, HasSubstr(" more"));
  EXPECT_LT(longest.size(), 600U);
}

TEST(CacheContents, come_in_the_order_of_their_kernels_and_keys) {
  const FilledCache cache(50);
  std::vector<std::string> digests;
  for (const cache::StoredEntry& entry : cache.contents().entries)
    digests.push_back(entry.folder_digest);
  EXPECT_TRUE(std::is_sorted(digests.begin(), digests.end()));
  EXPECT_THAT(digests, SizeIs(50));
}

TEST(CacheContents, an_error_of_who_looks_ends_the_walk) {
  const FilledCache cache(5);
  int seen = 0;
  const auto walked =
      cache::for_each_entry(cache.path(), [&](const cache::StoredEntry&) -> Result<void> {
        return ++seen == 2 ? failure("enough") : Result<void>();
      });
  ASSERT_FALSE(walked);
  EXPECT_EQ(walked.error().message, "enough");
  EXPECT_EQ(seen, 2);
}

std::vector<std::string> in_order(const std::vector<std::string>& names, std::size_t in_memory) {
  cache::SortedNames sorted(in_memory);
  for (const std::string& name : names)
    must(sorted.add(name));
  std::vector<std::string> visited;
  must(sorted.visit([&](const std::string& name) -> Result<void> {
    visited.push_back(name);
    return {};
  }));
  return visited;
}

TEST(SortedNames, come_once_each_whether_or_not_they_fit_into_memory) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < 1000; ++i)
    names.push_back(fmt::format("{}{}", i * 7919 % 997, std::string(i % 300, 'x')));
  names.push_back("");
  names.push_back(std::string(5000, 'y'));
  names.push_back("line\nbreak");
  std::vector<std::string> expected = names;
  std::sort(expected.begin(), expected.end());
  expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
  names.insert(names.end(), expected.begin(), expected.end());
  for (const std::size_t in_memory : {1UL, 3UL, 64UL, 2000UL, 100'000UL})
    EXPECT_EQ(in_order(names, in_memory), expected) << in_memory;
  EXPECT_THAT(in_order({}, 4), IsEmpty());
}

TEST(CacheContents, what_is_no_key_is_a_mistake) {
  const FilledCache cache(1);
  for (const char* const name : {"", "zz", "-", "nudge"})
    EXPECT_FALSE(cache::find_entry(cache.path(), name)) << name;
}

TEST(CacheText, list_has_a_line_for_each_entry_and_the_sum) {
  FilledCache cache(2);
  cache.put(2, 7200);
  flip(cache.artifact_file(0));
  const std::string text = listed(cache.contents());
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 5);
  EXPECT_THAT(text, HasSubstr("block=64"));
  EXPECT_THAT(text, HasSubstr("2 h"));
  EXPECT_THAT(text, HasSubstr("damaged: "));
  EXPECT_THAT(text, HasSubstr("3 entries, 1"));
}

TEST(CacheText, list_as_json_has_an_object_for_each_entry) {
  FilledCache cache(2);
  flip(cache.artifact_file(0));
  const auto list = nlohmann::json::parse(listed(cache.contents(), true));
  ASSERT_EQ(list.size(), 2U);
  int good = 0;
  for (const auto& entry : list) {
    EXPECT_EQ(entry.at("kernel"), "nudge");
    if (entry.at("state") == "damaged") {
      EXPECT_THAT(entry.at("reason").get<std::string>(), HasSubstr("SHA-256"));
    } else {
      ++good;
      EXPECT_EQ(entry.at("winner").at("block"), 64);
      EXPECT_EQ(entry.at("arch"), "x86-64-v2");
    }
  }
  EXPECT_EQ(good, 1);
}

TEST(CacheText, show_tells_every_axis_and_every_trial_with_its_reason) {
  const FilledCache cache(1);
  const std::string text = cache::show_text(cache.contents().entries.at(0), now_ns());
  for (const char* const part :
       {"arch         x86-64-v2", "shape        x=0", "toolchain    a compiler",
        "block=64 (the winner): 1200 ns (1100 to 1300) in 16 reps",
        "block=128: signal 11 (Segmentation fault)", "state          good"})
    EXPECT_THAT(text, HasSubstr(part));
}

TEST(CacheText, explain_names_the_axes_that_differ_and_no_other) {
  FilledCache cache(2);
  cache.put(1, 0, "another compiler");
  const cache::Contents contents = cache.contents();
  const cache::StoredEntry& zero = of_shape(contents, 0);
  const std::optional<cache::StoredEntry> nearest = cache::nearest_to(zero, cache.path()).value();
  ASSERT_TRUE(nearest);
  EXPECT_EQ(*nearest->entry.key.find("toolchain"), "a compiler");
  const std::string text = cache::explain_text(zero, *nearest);
  EXPECT_THAT(text, HasSubstr("differ in 1 of 4 axes"));
  EXPECT_THAT(text, HasSubstr("shape\n  " + zero.id + ": x=0\n"));
  EXPECT_THAT(text, testing::Not(HasSubstr("arch")));
}

TEST(CacheText, an_only_entry_has_no_nearest) {
  const FilledCache cache(1);
  EXPECT_FALSE(cache::nearest_to(cache.contents().entries[0], cache.path()).value());
}

}  // namespace
}  // namespace tunecheck::test

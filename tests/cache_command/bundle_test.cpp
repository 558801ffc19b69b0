// Bundles: whole and true, or nothing of them is believed.
#include "tuner/cache_command/bundle.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "core/digest.hpp"
#include "filled_cache.hpp"
#include "tuner/store/entry_format.hpp"

namespace tunecheck::test {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using Json = nlohmann::ordered_json;

class Bundles : public testing::Test {
 protected:
  Bundles() {
    if (!cache::write_bundle(m_from.contents(), bundle()).has_value())
      throw std::runtime_error("no bundle");
  }

  [[nodiscard]] fs::path bundle() const { return m_from.beside("winners.bundle"); }
  [[nodiscard]] std::string text() const { return read_text_file(bundle()).value(); }

  // A bundle of one entry, made as a forger would: with right digests.
  void forge(const std::string& entry, const std::string& artifact) const {
    std::string lines = "{\"tunecheck_bundle\":1}\n";
    lines +=
        Json{
            {"entry", entry}, {"artifact", artifact}, {"sha256", artifact_digest(entry + artifact)}}
            .dump() +
        "\n";
    lines += Json{{"entries", 1}, {"sha256", artifact_digest(lines)}}.dump() + "\n";
    must(write_file(bundle(), lines));
  }

  std::string import_error() {
    const auto imported = cache::read_bundle(bundle(), m_to.path());
    EXPECT_FALSE(fs::exists(m_to.path() / "v1")) << "something was written all the same";
    return imported ? "" : imported.error().text();
  }

  FilledCache m_from{3};
  FilledCache m_to{0};
};

TEST_F(Bundles, bring_every_entry_to_another_folder) {
  const cache::Imported imported = cache::read_bundle(bundle(), m_to.path()).value();
  EXPECT_THAT(imported.added, SizeIs(3));
  EXPECT_THAT(m_to.good(), ElementsAre(0, 1, 2));
  EXPECT_EQ(read_text_file(m_to.entry_file(1)).value(),
            read_text_file(m_from.entry_file(1)).value());
}

TEST_F(Bundles, leave_out_what_is_damaged) {
  flip(m_from.artifact_file(1));
  EXPECT_THAT(cache::write_bundle(m_from.contents(), bundle()).value(), SizeIs(1));
  EXPECT_THAT(cache::read_bundle(bundle(), m_to.path()).value().added, SizeIs(2));
}

TEST_F(Bundles, never_replace_a_good_entry_that_is_newer) {
  m_to.put(0);
  m_to.put(1, 1000);
  m_to.put(2);
  flip(m_to.artifact_file(2));
  const std::string newer = read_text_file(m_to.entry_file(0)).value();
  const cache::Imported imported = cache::read_bundle(bundle(), m_to.path()).value();
  EXPECT_THAT(imported.kept, SizeIs(1));
  EXPECT_THAT(imported.added, SizeIs(2));
  EXPECT_EQ(read_text_file(m_to.entry_file(0)).value(), newer);
  EXPECT_EQ(read_text_file(m_to.entry_file(1)).value(),
            read_text_file(m_from.entry_file(1)).value());
  EXPECT_THAT(m_to.good(), ElementsAre(0, 1, 2));
}

TEST_F(Bundles, that_were_cut_anywhere_are_refused_as_a_whole) {
  const std::string whole = text();
  for (const std::size_t length :
       {std::size_t{0}, std::size_t{10}, whole.find('\n') + 1, whole.size() / 2,
        whole.rfind('\n', whole.size() - 2) + 1, whole.size() - 1}) {
    must(write_file(bundle(), whole.substr(0, length)));
    EXPECT_NE(import_error(), "") << length;
  }
}

TEST_F(Bundles, of_which_one_byte_changed_are_refused_as_a_whole) {
  const std::string whole = text();
  for (std::size_t at = 30; at < whole.size(); at += whole.size() / 17) {
    std::string changed = whole;
    changed[at] = changed[at] == 'A' ? 'B' : 'A';
    must(write_file(bundle(), changed));
    EXPECT_NE(import_error(), "") << at;
  }
}

TEST_F(Bundles, of_another_format_are_refused) {
  std::string changed = text();
  changed.replace(changed.find(":1}"), 3, ":2}");
  must(write_file(bundle(), changed));
  EXPECT_THAT(import_error(), HasSubstr("winners.bundle:1: expected a bundle of format 1"));
}

TEST_F(Bundles, what_is_no_bundle_is_refused_with_its_line) {
  for (const char* const no_bundle : {"", "\n", "[]\n", "{}\n", "7\n", "hello\n"}) {
    must(write_file(bundle(), std::string_view(no_bundle)));
    EXPECT_THAT(import_error(), HasSubstr("winners.bundle:1: ")) << no_bundle;
  }
}

TEST_F(Bundles, an_entry_of_another_format_is_refused) {
  std::string entry = read_text_file(m_from.entry_file(0)).value();
  entry.replace(entry.find("entry-2"), 7, "entry-3");
  forge(entry, "AAAA");
  EXPECT_THAT(import_error(), HasSubstr("winners.bundle:2: the entry has a format other than 2"));
}

TEST_F(Bundles, an_artifact_of_another_entry_is_refused) {
  forge(read_text_file(m_from.entry_file(0)).value(), "AAAA");
  EXPECT_THAT(import_error(), HasSubstr("not the one that its entry was written for"));
}

TEST_F(Bundles, a_name_in_a_key_cannot_leave_the_folder) {
  Entry entry;
  entry.key = Key({{"kernel", "../../../evil"}, {"toolchain", "../..", true}});
  const std::string_view artifact = "abc";
  entry.artifact_digest = artifact_digest(artifact);
  entry.artifact_bytes = artifact.size();
  forge(to_json_text(entry), "YWJj");
  ASSERT_TRUE(cache::read_bundle(bundle(), m_to.path()));
  EXPECT_FALSE(fs::exists(m_to.beside("evil")));
  std::size_t files = 0;
  for (const auto& file : fs::recursive_directory_iterator(m_to.path() / "v1"))
    files += file.is_regular_file() ? 1U : 0U;
  EXPECT_EQ(files, 2U);
}

TEST_F(Bundles, a_digest_that_is_a_path_is_refused) {
  Entry entry;
  entry.key = FilledCache::key(9);
  entry.artifact_digest = "../../../evil";
  entry.artifact_bytes = 3;
  forge(to_json_text(entry), "YWJj");
  EXPECT_THAT(import_error(), HasSubstr("not the one that its entry was written for"));
}

TEST_F(Bundles, without_entries_are_whole_too) {
  const FilledCache empty(0);
  fs::create_directory(empty.path());
  ASSERT_TRUE(cache::write_bundle(empty.contents(), bundle()));
  const auto imported = cache::read_bundle(bundle(), m_to.path());
  ASSERT_TRUE(imported) << imported.error().text();
  EXPECT_THAT(imported->added, IsEmpty());
}

}  // namespace
}  // namespace tunecheck::test

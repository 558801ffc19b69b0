// Bundles of programs: what they are named by, what goes into one, and whose are believed.
#include "tuner/bundle/program_bundle.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include "probe_kernel.hpp"

namespace tunecheck::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const std::string bundle_secret = "0123456789abcdef0123456789abcdef";

class ProgramBundles : public testing::Test {
 protected:
  ProgramBundles() { write_program("int main() { return 0; }\n"); }

  void write_program(const std::string& text) { must(write_file(program(), text)); }
  [[nodiscard]] fs::path program() const { return m_home.path() / "program.cpp"; }
  [[nodiscard]] fs::path bundles() const { return m_home.path() / "bundles"; }

  // One run of the program on a machine, which calls with each of these strides.
  BundleBegun run(const std::string& machine, const std::vector<std::int64_t>& strides,
                  const std::string& key = bundle_secret) {
    Tuner tuner(m_backend, quick_options(m_home.path() / machine));
    const BundleOptions options{bundles(), {program()}, "device", key};
    const BundleBegun begun = tuner.begin_program(options).value();
    m_hits = 0;
    for (const std::int64_t stride : strides) {
      ProbeTensors tensors(stride);
      TunedKernel kernel = tuner.bind(m_folder.request()).value();
      if (kernel.call(tensors.arguments()).value().cache == CacheUse::hit) ++m_hits;
    }
    m_written = tuner.end_program().value();
    return begun;
  }

  [[nodiscard]] std::vector<fs::path> files() const {
    std::vector<fs::path> found;
    std::error_code none;
    for (const auto& file : fs::directory_iterator(bundles(), none))
      found.push_back(file.path());
    return found;
  }

  TemporaryFolder m_home = TemporaryFolder::create("tunecheck-bundle-test").value();
  ProbeFolder m_folder;
  FunctionBackend m_backend{run_probe};
  int m_hits = 0;
  std::size_t m_written = 0;
};

TEST_F(ProgramBundles, take_all_that_was_used_to_another_machine) {
  EXPECT_EQ(run("first", {1, 2}).use, BundleUse::absent);
  EXPECT_EQ(m_written, 2u);
  const BundleBegun second = run("second", {1, 2});
  EXPECT_EQ(second.use, BundleUse::loaded);
  EXPECT_EQ(second.entries, 2u);
  EXPECT_EQ(m_hits, 2);
  EXPECT_EQ(m_written, 2u) << "what was only found belongs to it too";
  run("third", {1, 2});
  EXPECT_EQ(m_hits, 2);
}

TEST_F(ProgramBundles, are_not_written_where_nothing_was_used) {
  run("first", {});
  EXPECT_EQ(m_written, 0u);
  EXPECT_TRUE(files().empty());
  run("first", {1});
  const std::string before = read_text_file(files().at(0)).value();
  run("first", {});
  EXPECT_EQ(read_text_file(files().at(0)).value(), before) << "the earlier one stays";
}

TEST_F(ProgramBundles, are_named_by_the_program_without_its_comments) {
  run("first", {1});
  write_program("int main() { /* still */  return 0; }\n");
  EXPECT_EQ(run("second", {1}).use, BundleUse::loaded);
  write_program("int main() { return 1; }\n");
  EXPECT_EQ(run("third", {1}).use, BundleUse::absent);
  EXPECT_EQ(files().size(), 2u);
}

TEST_F(ProgramBundles, that_were_cut_or_altered_are_refused_and_written_anew) {
  for (const int percent : {0, 10, 50, 90, 99}) {
    run("first", {1});
    const fs::path file = files().at(0);
    const std::string whole = read_text_file(file).value();
    const std::size_t at = whole.size() * static_cast<std::size_t>(percent) / 100;
    std::string altered = whole;
    altered[at] = static_cast<char>(altered[at] ^ 1);
    for (const std::string& text : {whole.substr(0, at), altered}) {
      must(write_file(file, text));
      const std::string machine = fmt::format("of {} {}", percent, text.size());
      const BundleBegun begun = run(machine, {1});
      EXPECT_EQ(begun.use, BundleUse::refused) << percent;
      EXPECT_THAT(begun.reason, HasSubstr(".bundle:"));
      EXPECT_EQ(m_hits, 0);
      EXPECT_EQ(run("after " + machine, {1}).use, BundleUse::loaded);
    }
  }
}

TEST_F(ProgramBundles, of_somebody_else_are_refused) {
  for (const char* const key : {"", "fedcba9876543210fedcba9876543210"}) {
    run("stranger", {1}, key);
    const BundleBegun begun = run(std::string("reader of ") + key, {1});
    EXPECT_EQ(begun.use, BundleUse::refused);
    EXPECT_THAT(begun.reason,
                HasSubstr(*key == '\0' ? "is not signed" : "the signature does not fit"));
    EXPECT_EQ(m_hits, 0);
    fs::remove_all(bundles());
  }
}

TEST_F(ProgramBundles, without_a_key_must_be_in_a_file_that_nobody_else_could_write) {
  run("first", {1}, "");
  ASSERT_EQ(::chmod(files().at(0).c_str(), 0666), 0);
  EXPECT_EQ(run("second", {1}, "").use, BundleUse::refused);
  EXPECT_EQ(run("third", {1}, "").use, BundleUse::loaded) << "written anew";
}

TEST_F(ProgramBundles, leave_a_good_entry_of_the_folder_as_it_is) {
  run("first", {1});
  EXPECT_EQ(run("first", {1}).entries, 0u);
  EXPECT_EQ(m_hits, 1);
}

TEST_F(ProgramBundles, need_a_cache_folder_and_sources) {
  Tuner without(m_backend, quick_options(""));
  EXPECT_FALSE(without.begin_program({bundles(), {program()}, "", ""}));
  EXPECT_FALSE(without.end_program());
  Tuner tuner(m_backend, quick_options(m_home.path() / "cache"));
  EXPECT_FALSE(tuner.begin_program({bundles(), {m_home.path() / "missing.cpp"}, "", ""}));
}

}  // namespace
}  // namespace tunecheck::test

// What is said of NVRTC without loading it is what the loaded one says, however it is found.
#include "backend/gpu/runtime_compiler.hpp"

#include <filesystem>
#include <sstream>
#include <unistd.h>
#include <utility>

#include <gmock/gmock.h>
#include <sys/stat.h>

#include "backend/gpu/loader_answer.hpp"
#include "core/command.hpp"
#include "core/files.hpp"

namespace tunecheck::test {
namespace {

namespace fs = std::filesystem;
using testing::StartsWith;

constexpr const char* name = "libnvrtc.so.13";
constexpr const char* fake = "NVRTC libnvrtc.so.13 build 0f0f0f01";
constexpr const char* other = "NVRTC libnvrtc.so.13 build 0f0f0f02";

struct Said {
  std::string without_opening;
  std::string how;
  std::string opened;
};

// Each test starts processes, because a loader looks at its variables once.
class RuntimeCompilerFingerprint : public testing::Test {
 protected:
  RuntimeCompilerFingerprint() {
    environment = current_environment();
    for (const char* const each :
         {"TUNECHECK_NVRTC", "CUDA_HOME", "LD_LIBRARY_PATH", "VIRTUAL_ENV", "LD_AUDIT"})
      environment.erase(each);
    // Resources without a virtual environment that has an NVRTC.
    environment["TUNECHECK_ROOT"] = folder("resources").string();
  }

  fs::path folder(const fs::path& below) const {
    const fs::path made = m_folder.path() / below;
    fs::create_directories(made);
    return made;
  }
  // A copy, so that another process finds another file.
  fs::path put(const fs::path& library, const fs::path& below, const char* as = name) const {
    const fs::path copy = folder(below) / as;
    fs::copy_file(library, copy, fs::copy_options::overwrite_existing);
    return copy;
  }

  Said ask(std::vector<std::string> before = {}, std::vector<std::string> after = {}) const {
    CommandOptions options;
    options.arguments = std::move(before);
    options.arguments.push_back(helper.string());
    options.arguments.insert(options.arguments.end(), after.begin(), after.end());
    options.environment = environment;
    const auto run = run_command(options);
    if (!run) return {run.error().text(), "", ""};
    std::istringstream lines(run->output);
    Said said;
    std::getline(lines, said.without_opening);
    std::getline(lines, said.how);
    std::getline(lines, said.opened);
    return said;
  }
  void expect(const std::string& fingerprint, const std::string& how) const {
    expect(ask(), fingerprint, how);
  }
  static void expect(const Said& said, const std::string& fingerprint, const std::string& how) {
    EXPECT_EQ(said.without_opening, fingerprint);
    EXPECT_EQ(said.opened, fingerprint);
    EXPECT_EQ(said.how, how);
  }
  fs::path put_fifo(const fs::path& below, const char* as = name) const {
    const fs::path fifo = folder(below) / as;
    EXPECT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
    return fifo;
  }
  static void cut(const fs::path& library) { fs::resize_file(library, fs::file_size(library) / 2); }
  static bool runs(std::vector<std::string> arguments) {
    CommandOptions options;
    options.arguments = std::move(arguments);
    const auto run = run_command(options);
    return run && !run->end.timed_out && run->end.signal == 0 && run->end.exit_status == 0;
  }
  // What this machine has where no test can put anything comes before wheels.
  bool machine_has_one() const {
    return ask().without_opening.find("there is no") == std::string::npos;
  }

  Environment environment;
  fs::path helper = TUNECHECK_FINGERPRINT_HELPER;

 private:
  TemporaryFolder m_folder = TemporaryFolder::create("tunecheck-test-nvrtc").value();
};

TEST_F(RuntimeCompilerFingerprint, of_the_one_that_a_variable_names) {
  environment["TUNECHECK_NVRTC"] = put(FAKE_NVRTC, "named", "any.so").string();
  environment["CUDA_HOME"] = put(OTHER_NVRTC, "home/lib64").parent_path().parent_path().string();
  expect(fake, "read");
}

TEST_F(RuntimeCompilerFingerprint, of_the_toolkit_before_what_the_loader_finds) {
  environment["CUDA_HOME"] = folder("home").string();
  environment["LD_LIBRARY_PATH"] = put(OTHER_NVRTC, "searched").parent_path().string();
  put(FAKE_NVRTC, "home/lib");
  expect(fake, "read");
  put(OTHER_NVRTC, "home/lib64");
  expect(other, "read");
}

TEST_F(RuntimeCompilerFingerprint, of_the_one_that_the_loader_finds_by_its_variable) {
  environment["LD_LIBRARY_PATH"] = folder("empty").string() + ":" +
                                   put(FAKE_NVRTC, "first").parent_path().string() + ":" +
                                   put(OTHER_NVRTC, "second").parent_path().string();
  expect(fake, "read");
  put(OTHER_NVRTC, "empty");
  expect(other, "read");
}

TEST_F(RuntimeCompilerFingerprint, of_the_first_name_in_any_folder_before_the_second_name) {
  environment["LD_LIBRARY_PATH"] =
      put(OTHER_NVRTC, "first", "libnvrtc.so.12").parent_path().string() + ":" +
      put(FAKE_NVRTC, "second").parent_path().string();
  expect(fake, "read");
}

TEST_F(RuntimeCompilerFingerprint, of_the_one_in_a_programs_own_search_path) {
  put(FAKE_NVRTC, "program/lib");
  const std::string searched = put(OTHER_NVRTC, "searched").parent_path().string();
  // The variable comes between the two kinds of path.
  for (const auto& [program, before_the_variable] :
       {std::pair(TUNECHECK_HELPER_WITH_RPATH, true),
        std::pair(TUNECHECK_HELPER_WITH_RUNPATH, false)}) {
    helper = put(program, "program", "helper");
    environment.erase("LD_LIBRARY_PATH");
    expect(fake, "read");
    environment["LD_LIBRARY_PATH"] = searched;
    expect(before_the_variable ? fake : other, "read");
  }
}

// The loader takes the one for the processor; which processor that is nobody but it knows.
TEST_F(RuntimeCompilerFingerprint, of_one_in_a_folder_for_a_processor_is_asked_of_the_loaded_one) {
  environment["LD_LIBRARY_PATH"] = put(FAKE_NVRTC, "first").parent_path().string();
  put(OTHER_NVRTC, "first/glibc-hwcaps/x86-64-v2");
  const Said said = ask();
  EXPECT_EQ(said.without_opening, said.opened);
  EXPECT_THAT(said.opened, testing::AnyOf(fake, other));
  EXPECT_EQ(said.how, "loaded");
}

TEST_F(RuntimeCompilerFingerprint, of_the_one_in_the_loaders_cache) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give a process another cache";
  const fs::path cached = put(FAKE_NVRTC, "cached");
  const fs::path list = folder("cache") / "conf";
  ASSERT_TRUE(write_file(list, "include /etc/ld.so.conf\n" + cached.parent_path().string() + "\n"));
  const std::string cache = (folder("cache") / "ld.so.cache").string();
  if (!runs({"ldconfig", "-X", "-C", cache, "-f", list.string()}))
    GTEST_SKIP() << "ldconfig makes no cache here";
  const std::vector<std::string> with_cache = {
      "unshare", "-m", "sh", "-c",
      "mount --bind " + cache + " /etc/ld.so.cache && exec \"$0\" \"$@\""};
  if (!runs({"unshare", "-m", "true"}))
    GTEST_SKIP() << "no process can have mounts of its own here";
  expect(ask(with_cache), fake, "read");
  environment["LD_LIBRARY_PATH"] = put(OTHER_NVRTC, "searched").parent_path().string();
  expect(ask(with_cache), other, "read");
}

TEST_F(RuntimeCompilerFingerprint, of_the_one_in_a_wheel) {
  if (machine_has_one()) GTEST_SKIP() << "this machine has one elsewhere";
  environment["VIRTUAL_ENV"] = folder("venv").string();
  put(OTHER_NVRTC, "venv/lib/python3.11/site-packages/nvidia/cuda_nvrtc/lib", "libnvrtc.so.12");
  expect(other, "read");
  put(FAKE_NVRTC, "venv/lib/python3.11/site-packages/nvidia/cu13/lib");
  expect(fake, "read");
}

TEST_F(RuntimeCompilerFingerprint, of_none_is_why_there_is_none) {
  environment["TUNECHECK_NVRTC"] = "/nowhere/libnvrtc.so";
  const Said said = ask();
  EXPECT_THAT(said.without_opening, StartsWith("there is no NVRTC"));
  EXPECT_EQ(said.without_opening, said.opened);
  environment["TUNECHECK_NVRTC"] = "libnothing-of-this-name.so.13";
  EXPECT_THAT(ask().without_opening, StartsWith("there is no NVRTC"));
}

TEST_F(RuntimeCompilerFingerprint, of_the_next_one_where_the_first_file_is_broken) {
  environment["CUDA_HOME"] = folder("home").string();
  ASSERT_TRUE(write_file(folder("home/lib64") / name, std::string_view("no library\n")));
  put(FAKE_NVRTC, "home/lib");
  expect(fake, "read");
}

// The loader would end the process.
TEST_F(RuntimeCompilerFingerprint, of_the_next_one_where_the_first_is_cut_off) {
  environment["CUDA_HOME"] = folder("home").string();
  cut(put(FAKE_NVRTC, "home/lib64"));
  put(OTHER_NVRTC, "home/lib");
  expect(other, "loaded");
}

TEST_F(RuntimeCompilerFingerprint, of_the_next_one_where_the_loader_finds_one_that_is_cut_off) {
  environment["LD_LIBRARY_PATH"] =
      put(FAKE_NVRTC, "searched", "libnvrtc.so.13").parent_path().string();
  cut(folder("searched") / "libnvrtc.so.13");
  put(OTHER_NVRTC, "searched", "libnvrtc.so.12");
  expect(other, "loaded");
}

TEST_F(RuntimeCompilerFingerprint, of_none_names_the_one_that_is_cut_off) {
  const fs::path file = put(FAKE_NVRTC, "named");
  cut(file);
  environment["TUNECHECK_NVRTC"] = file.string();
  EXPECT_THAT(ask().opened, StartsWith("there is no NVRTC (" + file.string() + " is cut off): "));
}

// The loader would wait until a process writes to it.
TEST_F(RuntimeCompilerFingerprint, of_none_names_the_one_that_is_not_a_regular_file) {
  for (const fs::path& named : {put_fifo("fifo"), folder("a_folder"), fs::path("/dev/null")}) {
    environment["TUNECHECK_NVRTC"] = named.string();
    const Said said = ask();
    EXPECT_THAT(said.opened,
                StartsWith("there is no NVRTC (" + named.string() + " is not a regular file): "));
    EXPECT_EQ(said.without_opening, said.opened);
  }
}

TEST_F(RuntimeCompilerFingerprint, of_the_next_one_where_the_first_is_a_fifo) {
  environment["CUDA_HOME"] = folder("home").string();
  put_fifo("home/lib64");
  put(FAKE_NVRTC, "home/lib");
  expect(fake, "read");
}

TEST_F(RuntimeCompilerFingerprint, of_one_beside_builtins_that_are_a_fifo) {
  environment["TUNECHECK_NVRTC"] = put(FAKE_NVRTC, "named").string();
  put_fifo("named", "libnvrtc-builtins.so.13.0");
  expect(fake, "read");
}

TEST_F(RuntimeCompilerFingerprint, of_none_where_links_lead_in_a_circle) {
  const fs::path link = folder("circle") / name;
  fs::create_symlink(link, link);
  environment["TUNECHECK_NVRTC"] = link.string();
  EXPECT_THAT(ask().opened, StartsWith("there is no NVRTC"));
}

TEST_F(RuntimeCompilerFingerprint, of_the_next_one_where_the_first_lacks_a_function) {
  environment["CUDA_HOME"] = folder("home").string();
  put(INCOMPLETE_NVRTC, "home/lib64");
  put(FAKE_NVRTC, "home/lib");
  expect(fake, "loaded");
}

TEST_F(RuntimeCompilerFingerprint, of_the_next_one_where_the_first_needs_what_is_missing) {
  environment["CUDA_HOME"] = folder("home").string();
  put(NEEDY_NVRTC, "home/lib64");
  put(FAKE_NVRTC, "home/lib");
  expect(fake, "loaded");
}

TEST_F(RuntimeCompilerFingerprint, of_one_without_a_build_id_is_its_version) {
  environment["TUNECHECK_NVRTC"] = put(PLAIN_NVRTC, "named").string();
  expect("NVRTC 99.3", "loaded");
}

// The file that is there now is not what the process has.
TEST_F(RuntimeCompilerFingerprint, of_a_loaded_one_is_that_of_what_is_loaded) {
  const fs::path loaded = put(FAKE_NVRTC, "loaded");
  environment["LD_LIBRARY_PATH"] = put(OTHER_NVRTC, "searched").parent_path().string();
  expect(ask({}, {loaded.string()}), fake, "read");
}

TEST_F(RuntimeCompilerFingerprint, of_a_real_one_is_read) {
  const Said said = [&] {
    environment.erase("TUNECHECK_ROOT");
    return ask();
  }();
  if (said.opened.find("there is no") != std::string::npos) GTEST_SKIP() << said.opened;
  EXPECT_EQ(said.without_opening, said.opened);
  EXPECT_EQ(said.how, "read");
}

// A cache as glibc's ldconfig writes it, of two libraries.
std::string cache_of(const std::string& first_name, const std::string& second_name,
                     std::uint64_t processor = 0) {
#if defined(__aarch64__)
  constexpr std::int32_t flags = 0x0a03;
#else
  constexpr std::int32_t flags = 0x0303;
#endif
  const std::string texts = first_name + '\0' + "/a/" + first_name + '\0' + second_name + '\0' +
                            "/b/" + second_name + '\0';
  std::string cache = "glibc-ld.so.cache1.1";
  const auto append = [&](auto number) {
    cache.append(reinterpret_cast<const char*>(&number), sizeof number);
  };
  constexpr std::uint32_t entries_end = 48 + 2 * 24;
  for (const std::uint32_t number :
       {2U, static_cast<std::uint32_t>(texts.size()), 2U, 0U, 0U, 0U, 0U})
    append(number);
  auto at = entries_end;
  for (const std::string& each : {first_name, second_name}) {
    append(flags);
    append(at);
    at += static_cast<std::uint32_t>(each.size()) + 1;
    append(at);
    at += static_cast<std::uint32_t>(each.size()) + 4;
    append(std::uint32_t{0});
    append(processor);
  }
  return cache + texts;
}

TEST(LoaderCache, leads_from_a_name_to_a_path) {
  const std::string cache = cache_of("libone.so.1", "libtwo.so.2");
  EXPECT_EQ(find_in_loader_cache(cache, "libone.so.1")->path, "/a/libone.so.1");
  EXPECT_EQ(find_in_loader_cache(cache, "libtwo.so.2")->path, "/b/libtwo.so.2");
  EXPECT_EQ(find_in_loader_cache(cache, "libthree.so.3")->path, "");
}

TEST(LoaderCache, does_not_choose_between_two_or_by_processor) {
  EXPECT_FALSE(find_in_loader_cache(cache_of("libone.so.1", "libone.so.1"), "libone.so.1"));
  EXPECT_FALSE(find_in_loader_cache(cache_of("libone.so.1", "libtwo.so.2", 1), "libone.so.1"));
  EXPECT_TRUE(find_in_loader_cache(cache_of("libone.so.1", "libtwo.so.2", 1), "libthree.so.3"));
}

TEST(LoaderCache, that_is_damaged_says_nothing_or_what_it_says) {
  const std::string cache = cache_of("libone.so.1", "libtwo.so.2");
  for (std::size_t size = 0; size < cache.size(); ++size)
    EXPECT_FALSE(find_in_loader_cache(cache.substr(0, size), "libtwo.so.2")) << size;
  for (std::size_t at = 0; at < cache.size(); ++at)
    for (const char byte : {'\0', '\x01', '\x7f', '\xff'}) {
      std::string damaged = cache;
      damaged[at] = byte;
      (void)find_in_loader_cache(damaged, "libtwo.so.2");
    }
  EXPECT_FALSE(find_in_loader_cache("ld.so-1.7.0", "libtwo.so.2"));
}

}  // namespace
}  // namespace tunecheck::test

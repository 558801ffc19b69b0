// What NVRTC and libraries like it compile inside the processes of a program.
#include "observe/watch/runtime_compiles.hpp"

#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../observe/runtime_libraries.hpp"
#include "observe/programs/program_watch.hpp"
#include "observe/watch/dynamic_symbols.hpp"
#include "observe/watch/loaded_image.hpp"
#include "watched.hpp"

namespace tunecheck::watch {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Words = std::set<std::string>;

const Words compiled = {"COMPILED scale"};

class RuntimeCompilers : public testing::Test {
 protected:
  void SetUp() override {
    if (nvrtc.empty()) GTEST_SKIP() << "there is no NVRTC";
  }
  // The program that opens the library with dlopen().
  [[nodiscard]] WatchResult watch(const std::string& what) const {
    return watch_command({WATCHED_RUNTIME_PROGRAM, nvrtc.string(), what});
  }
  [[nodiscard]] static WatchResult watch_command(std::vector<std::string> command) {
    Watched watched("runtime");
    watched.options.command = std::move(command);
    watched.options.warm_runs = 1;
    WatchResult result = watched.run();
    EXPECT_EQ(result.runs.size(), 2U);
    for (const WatchResult::Run& run : result.runs)
      EXPECT_EQ(run.end, "exit status 0");
    return result;
  }
  const fs::path nvrtc = test::find_nvrtc();
  // NVRTC looks there for a library of its own.
  const Variable m_path{"LD_LIBRARY_PATH", nvrtc.parent_path().string()};
};

std::vector<std::int64_t> compiles(const WatchResult& result) {
  std::vector<std::int64_t> all;
  for (const WatchResult::Run& run : result.runs)
    all.push_back(run.compiles);
  return all;
}

int line_with(const std::string& file, const std::string& text) {
  std::ifstream lines(file);
  int number = 1;
  for (std::string line; std::getline(lines, line); ++number)
    if (line.find(text) != line.npos) return number;
  return 0;
}

void expect_compiled_in_each_start(const WatchResult& result) {
  EXPECT_EQ(words_of(result), compiled);
  EXPECT_THAT(compiles(result), ElementsAre(1, 1));
  ASSERT_FALSE(result.findings.empty());
  const WatchResult::Finding& finding = result.findings.front();
  EXPECT_EQ(finding.text, "a warm start compiles: it ran nvrtc 1 time");
  EXPECT_THAT(finding.details, Contains(HasSubstr("nvrtc scale in scale.cu")));
  EXPECT_THAT(finding.details,
              Contains("an earlier start has compiled the same source with the same options"));
  EXPECT_THAT(result.notes, IsEmpty());
  EXPECT_EQ(result.exit_status(), 1);
}

TEST_F(RuntimeCompilers, a_library_that_is_opened_is_seen) {
  const WatchResult result = watch("once");
  expect_compiled_in_each_start(result);
  const WatchResult::Place& place = result.findings.at(0).place;
  EXPECT_THAT(place.file, HasSubstr("programs/runtime/program.cpp"));
  EXPECT_EQ(place.function, "compile");
  EXPECT_EQ(place.line, line_with(WATCHED_RUNTIME "/program.cpp", "that a finding names"));
}

TEST_F(RuntimeCompilers, a_library_that_is_linked_is_seen) {
  if (std::string(WATCHED_LINKED_PROGRAM).empty()) GTEST_SKIP() << "no NVRTC was there at build";
  expect_compiled_in_each_start(watch_command({WATCHED_LINKED_PROGRAM, "linked", "once"}));
}

TEST_F(RuntimeCompilers, a_table_of_addresses_in_another_library_is_seen) {
  if (std::string(WATCHED_TABLE).empty()) GTEST_SKIP() << "no NVRTC was there at build";
  expect_compiled_in_each_start(watch_command({WATCHED_RUNTIME_PROGRAM, WATCHED_TABLE, "once"}));
}

TEST_F(RuntimeCompilers, a_library_that_python_opens_is_seen_with_its_line) {
  const WatchResult result =
      watch_command({"python3", WATCHED_RUNTIME "/program.py", nvrtc.string()});
  expect_compiled_in_each_start(result);
  EXPECT_EQ(result.findings.at(0).place.function, "compile_by");
  EXPECT_EQ(result.findings.at(0).place.line, 11);
  EXPECT_THAT(result.findings.at(0).details, Contains(HasSubstr("program.py:11 (compile_by)")));
}

// Two files, and so two libraries to the loader.
TEST_F(RuntimeCompilers, several_libraries_in_one_process_are_seen) {
  const fs::path folder = fs::temp_directory_path() / ("nvrtc-" + std::to_string(::getpid()));
  fs::create_directories(folder);
  const fs::path other = folder / "libother.so";
  fs::copy_file(nvrtc, other, fs::copy_options::overwrite_existing);
  const WatchResult result =
      watch_command({"python3", WATCHED_RUNTIME "/program.py", nvrtc.string(), other.string()});
  fs::remove_all(folder);
  EXPECT_EQ(words_of(result), compiled);
  EXPECT_THAT(compiles(result), ElementsAre(2, 2));
  EXPECT_THAT(result.notes, IsEmpty()) << "another library is no repetition";
}

TEST_F(RuntimeCompilers, what_a_cache_folder_keeps_is_right) {
  const WatchResult result = watch("keeps");
  EXPECT_EQ(words_of(result), Words{});
  EXPECT_THAT(compiles(result), ElementsAre(1, 0));
  EXPECT_THAT(result.notes, IsEmpty());
  EXPECT_EQ(result.exit_status(), 0);
}

TEST_F(RuntimeCompilers, the_same_source_twice_in_one_process_is_noted) {
  const WatchResult result = watch("twice");
  EXPECT_EQ(words_of(result), compiled);
  EXPECT_THAT(compiles(result), ElementsAre(2, 2));
  EXPECT_THAT(result.notes, Contains("cold: one process compiled the same source with the same "
                                     "options 2 times: nvrtc scale in scale.cu"));
}

TEST_F(RuntimeCompilers, other_options_are_another_compile) {
  const WatchResult result = watch("configs");
  EXPECT_THAT(compiles(result), ElementsAre(2, 2));
  EXPECT_THAT(result.notes, IsEmpty());
}

TEST_F(RuntimeCompilers, a_source_that_differs_from_start_to_start_is_said_to) {
  const WatchResult result = watch("never_the_same");
  EXPECT_EQ(words_of(result), compiled);
  EXPECT_THAT(result.findings.at(0).details, Contains(HasSubstr("differs from start to start")));
}

TEST_F(RuntimeCompilers, a_compile_that_fails_is_one) {
  const WatchResult result = watch("fails");
  EXPECT_THAT(compiles(result), ElementsAre(1, 1));
  EXPECT_THAT(result.findings.at(0).details, Contains(HasSubstr("which failed")));
}

TEST_F(RuntimeCompilers, threads_that_compile_at_once_are_all_seen) {
  const WatchResult result = watch("threads");
  EXPECT_EQ(words_of(result), compiled);
  EXPECT_THAT(compiles(result), ElementsAre(4, 4));
  EXPECT_THAT(result.notes, IsEmpty());
}

TEST_F(RuntimeCompilers, a_forked_child_that_compiles_is_seen) {
  const WatchResult result = watch("child");
  EXPECT_EQ(words_of(result), compiled);
  EXPECT_THAT(compiles(result), ElementsAre(1, 1));
}

TEST_F(RuntimeCompilers, a_program_that_another_one_starts_is_seen) {
  const WatchResult result = watch_command(
      {"/bin/sh", "-c", std::string(WATCHED_RUNTIME_PROGRAM) + " " + nvrtc.string() + " once; :"});
  expect_compiled_in_each_start(result);
}

// A program that loads the library and compiles nothing is innocent.
TEST_F(RuntimeCompilers, loading_is_no_compile) {
  const WatchResult result = watch("loads");
  EXPECT_EQ(words_of(result), Words{});
  EXPECT_THAT(compiles(result), ElementsAre(0, 0));
}

TEST_F(RuntimeCompilers, a_library_that_is_bound_past_the_observer_is_noted) {
  const Variable deep("DEEP", "1");
  const WatchResult result = watch("once");
  EXPECT_THAT(compiles(result), ElementsAre(0, 0));
  EXPECT_THAT(result.notes, Contains(HasSubstr("what a library compiles inside the process is not "
                                               "seen")));
}

TEST_F(RuntimeCompilers, a_process_without_the_observer_is_noted) {
  const WatchResult result =
      watch_command({"/usr/bin/env", "-i", "LD_LIBRARY_PATH=" + nvrtc.parent_path().string(),
                     WATCHED_RUNTIME_PROGRAM, nvrtc.string(), "once"});
  EXPECT_THAT(compiles(result), ElementsAre(0, 0));
  EXPECT_THAT(result.notes, Contains(HasSubstr("what it compiles there is not seen")));
}

// They start with little else than their own, and have their own functions for those of the C
// library.
TEST_F(RuntimeCompilers, programs_with_sanitizers_are_seen) {
  std::string programs = WATCHED_SANITIZED;
  if (programs.empty()) GTEST_SKIP() << "the compiler has no sanitizers";
  const Variable leaks("ASAN_OPTIONS", "detect_leaks=0");
  for (std::size_t end; !programs.empty(); programs.erase(0, end)) {
    end = programs.find(':');
    const std::string program = programs.substr(0, end);
    expect_compiled_in_each_start(watch_command({program, nvrtc.string(), "once"}));
    if (end != programs.npos) ++end;
  }
}

TEST_F(RuntimeCompilers, an_auditor_of_the_programs_own_stays) {
  const fs::path file = fs::temp_directory_path() / ("own-audit-" + std::to_string(::getpid()));
  fs::remove(file);
  const Variable audit("LD_AUDIT", WATCHED_OWN_AUDIT);
  const Variable told("OWN_AUDIT_FILE", file.string());
  expect_compiled_in_each_start(watch("once"));
  EXPECT_TRUE(fs::exists(file));
  fs::remove(file);
}

TEST_F(RuntimeCompilers, a_library_that_goes_on_to_another_one_compiles_once) {
  const Variable real("NVRTC", nvrtc.string());
  expect_compiled_in_each_start(
      watch_command({WATCHED_RUNTIME_PROGRAM, WATCHED_FORWARDING, "once"}));
}

TEST_F(RuntimeCompilers, a_library_that_is_opened_over_and_over_is_seen_each_time) {
  const WatchResult result = watch("reopens");
  EXPECT_THAT(compiles(result), ElementsAre(40, 40));
  EXPECT_THAT(result.notes, IsEmpty());
}

// More than there is room for: what is known is counted, and that there is more is said.
TEST_F(RuntimeCompilers, too_many_libraries_at_once_are_noted) {
  const fs::path folder = fs::temp_directory_path() / ("many-" + std::to_string(::getpid()));
  fs::create_directories(folder);
  std::vector<std::string> command = {"python3", "-c",
                                      "import ctypes, sys\n"
                                      "for name in sys.argv[1:]: "
                                      "ctypes.CDLL(name).nvJitLinkComplete(None)\n"};
  for (int i = 0; i < 20; ++i) {
    command.push_back((folder / ("libnvJitLink-" + std::to_string(i) + ".so")).string());
    fs::copy_file(WATCHED_FORWARDING, command.back(), fs::copy_options::overwrite_existing);
  }
  const WatchResult result = watch_command(std::move(command));
  fs::remove_all(folder);
  ASSERT_EQ(result.runs.size(), 2U);
  EXPECT_GE(result.runs.at(0).compiles, 8);
  EXPECT_LT(result.runs.at(0).compiles, 20);
  EXPECT_THAT(result.notes, Contains(HasSubstr("too many are loaded")));
}

TEST_F(RuntimeCompilers, each_version_of_a_function_of_nvjitlink_goes_on_to_its_own) {
  const WatchResult result = watch_command(
      {"python3", "-c",
       "import ctypes, sys\n"
       "library = ctypes.CDLL(sys.argv[1])\n"
       "for value, version in enumerate(['nvJitLinkComplete', '__nvJitLinkComplete_13_0', "
       "'__nvJitLinkComplete_13_1']):\n"
       "  assert getattr(library, version)(None) == value\n",
       WATCHED_FORWARDING});
  EXPECT_THAT(compiles(result), ElementsAre(3, 3));
  EXPECT_EQ(result.findings.at(0).text, "a warm start compiles: it ran nvJitLink 3 times");
}

// Without a device it compiles nothing, but it was asked to.
TEST_F(RuntimeCompilers, hiprtc_is_seen_too) {
  Watched watched("hiprtc");
  watched.options.command = {WATCHED_RUNTIME_PROGRAM, WATCHED_HIPRTC, "fails"};
  const WatchResult result = watched.run();
  ASSERT_FALSE(result.findings.empty());
  EXPECT_EQ(result.findings.at(0).text, "a warm start compiles: it ran hiprtc 1 time");
}

TEST(RuntimeCompiles, kernels_are_found_by_their_declarations) {
  EXPECT_EQ(kernels_in("__global__ void axpy(float* x) {}"), "axpy");
  EXPECT_EQ(
      kernels_in("extern \"C\" __global__ void __launch_bounds__(64, 2)\n  a(int) {}\n"
                 "template <class T> __global__ __launch_bounds__(32) void b(T* t) { f(t); }"),
      "a, b");
  EXPECT_EQ(kernels_in("// no __global__ here;\nint f(int);"), "");
  EXPECT_EQ(kernels_in("__global__ void k(int); __global__ void k(int) {}"), "k");
  EXPECT_EQ(kernels_in("__global__"), "");
  EXPECT_EQ(kernels_in("__global__ void __launch_bounds__(64"), "");
}

std::string digest(RuntimeCompiles& compiles, const RuntimeSource& source,
                   std::vector<const char*> options = {}, const char* expression = nullptr,
                   const std::string& library = "/nvrtc") {
  const int program = 0;
  compiles.created(&program, source);
  if (expression != nullptr) compiles.add_expression(&program, expression);
  JitEvent event;
  event.library = library;
  compiles.describe(&program, options, event);
  compiles.destroyed(&program);
  JitEvent gone;
  compiles.describe(&program, options, gone);
  EXPECT_EQ(gone.source, "");
  return event.source;
}

TEST(RuntimeCompiles, whatever_a_compile_is_given_tells_it_from_others) {
  RuntimeCompiles compiles;
  const RuntimeSource source{"s", "n", {}, {}};
  const std::string usual = digest(compiles, source);
  EXPECT_EQ(usual, digest(compiles, source));
  const char* const text = "h";
  std::set<std::string> all = {usual};
  const auto is_other = [&](const std::string& other) { return all.insert(other).second; };
  EXPECT_TRUE(is_other(digest(compiles, {"t", "n", {}, {}})));
  EXPECT_TRUE(is_other(digest(compiles, {"s", "m", {}, {}})));
  EXPECT_TRUE(is_other(digest(compiles, {"s", nullptr, {}, {}})));
  EXPECT_TRUE(is_other(digest(compiles, {"s", "n", {&text, 1}, {}})));
  EXPECT_TRUE(is_other(digest(compiles, {"s", "n", {&text, 1}, {&text, 1}})));
  EXPECT_TRUE(is_other(digest(compiles, source, {"-a"})));
  EXPECT_TRUE(is_other(digest(compiles, source, {"-a", "-b"})));
  EXPECT_TRUE(is_other(digest(compiles, source, {"-a-b"})));
  EXPECT_TRUE(is_other(digest(compiles, source, {}, "f<int>")));
  EXPECT_TRUE(is_other(digest(compiles, source, {}, nullptr, "/other")));
}

TEST(LoadedImages, are_found_by_an_address) {
  const auto image = image_at(reinterpret_cast<const void*>(&::dlsym));
  ASSERT_TRUE(image);
  EXPECT_NE(DynamicSymbols(*image).find("dlsym"), nullptr);
  const int local = 0;
  EXPECT_FALSE(image_at(&local)) << "a stack is no image";
}

// A word that the loader has filled in and made unwritable, and is so again afterwards.
TEST(LoadedImages, are_written_to_wherever_the_word_is) {
  const void* const own = reinterpret_cast<const void*>(&digest);
  const auto here = image_at(own);
  ASSERT_TRUE(here);
  for (const LoadedImage& image : loaded_images()) {
    if (image.base() != here->base()) continue;
    const auto real = reinterpret_cast<ElfW(Addr)>(&::dlsym);
    ElfW(Addr)* bound = nullptr;
    image.each_binding([&](ElfW(Addr) & word) {
      if (word == real) bound = &word;
    });
    ASSERT_NE(bound, nullptr);
    const auto other = reinterpret_cast<ElfW(Addr)>(
        static_cast<void* (*)(void*, const char*)>([](void*, const char*) -> void* {
          static int answer = 42;
          return &answer;
        }));
    ASSERT_TRUE(image.write(*bound, other));
    const int* const answer = static_cast<int*>(::dlsym(nullptr, ""));
    ASSERT_TRUE(image.write(*bound, real));
    EXPECT_EQ(*answer, 42);
    EXPECT_EQ(::dlsym(RTLD_DEFAULT, "no such name"), nullptr);
    int outside = 0;
    EXPECT_FALSE(image.write(reinterpret_cast<ElfW(Addr)&>(outside), 1)) << "another's memory";
  }
}

// By the table of each kind: libc.so has the newer one; NVRTC 12 the older one alone.
TEST(DynamicSymbols, finds_what_dlsym_finds) {
  Dl_info libc{};
  link_map* map = nullptr;
  ASSERT_NE(::dladdr1(::dlsym(RTLD_DEFAULT, "qsort"), &libc, reinterpret_cast<void**>(&map),
                      RTLD_DL_LINKMAP),
            0);
  const DynamicSymbols symbols(LoadedImage(map->l_addr, map->l_ld));
  for (const char* const name : {"qsort", "getenv", "strtol", "mmap"}) {
    const ElfW(Sym)* const found = symbols.find(name);
    ASSERT_NE(found, nullptr) << name;
    EXPECT_EQ(reinterpret_cast<void*>(map->l_addr + found->st_value), ::dlsym(RTLD_DEFAULT, name));
  }
  EXPECT_EQ(symbols.find("nvrtcCompileProgram"), nullptr);
  int count = 0;
  bool has_qsort = false;
  symbols.each([&](std::string_view name, const ElfW(Sym)&) {
    ++count;
    has_qsort = has_qsort || name == "qsort";
  });
  EXPECT_GT(count, 1000);
  EXPECT_TRUE(has_qsort);
}

TEST(DynamicSymbols, finds_by_the_older_table) {
  void* const library = ::dlopen(WATCHED_OLD_HASH, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << ::dlerror();
  link_map* map = nullptr;
  ASSERT_EQ(::dlinfo(library, RTLD_DI_LINKMAP, &map), 0);
  const DynamicSymbols symbols(LoadedImage(map->l_addr, map->l_ld));
  const ElfW(Sym)* const found = symbols.find("la_version");
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(reinterpret_cast<void*>(map->l_addr + found->st_value), ::dlsym(library, "la_version"));
  EXPECT_EQ(symbols.find("getenv"), nullptr) << "it is another library's";
  int count = 0;
  symbols.each([&](std::string_view, const ElfW(Sym)&) { ++count; });
  EXPECT_GE(count, 1);
  ::dlclose(library);
}

TEST(RuntimeCompilerNames, are_those_of_libraries_that_compile) {
  for (const char* const name : {"libnvrtc.so.13", "libnvrtc-672ee683.so.11.2",
                                 "libnvJitLink.so.12", "libhiprtc.so", "libnvrtc.alt.so.13"})
    EXPECT_TRUE(is_runtime_compiler_name(name)) << name;
  for (const char* const name : {"libnvrtc-builtins.so.13.0", "libcuda.so.1", "libc.so.6", ""})
    EXPECT_FALSE(is_runtime_compiler_name(name)) << name;
}

}  // namespace
}  // namespace tunecheck::watch

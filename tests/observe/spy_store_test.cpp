#include <fstream>
#include <thread>
#include <unistd.h>

#include <gmock/gmock.h>

#include "spy_fixture.hpp"

namespace tunecheck {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class SpyStore : public SpyFixture {
 protected:
  void SetUp() override {
    settings.store = folder.path() / "store";
    SpyFixture::SetUp();
    make_workspace("one");
  }

  // A copy of one kernel.
  void make_workspace(const std::string& name) const { make_kernel(folder.path() / name); }
  void make_kernel(const fs::path& place) const {
    put(place / "kernel.cpp",
        "#include \"factor.h\"\n#include <part.h>\n"
        "#ifndef BLOCK\n#define BLOCK 1\n#endif\n"
        "int scale(int x) { return x * factor * BLOCK + part; }\n");
    put(place / "factor.h", "constexpr int factor = 3;\n");
    put(place / "include" / "part.h", "constexpr int part = 5;\n");
    fs::create_directories(place / "early");
  }

  CommandResult compile_in(const fs::path& place, const std::vector<std::string>& options = {},
                           const Environment& environment = {}) const {
    std::vector<std::string> arguments = {"-O1", "-shared", "-fPIC"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    for (const char* const include : {"early", "include"})
      arguments.push_back("-I" + (place / include).string());
    arguments.insert(arguments.end(),
                     {"-ffile-prefix-map=" + place.string() + "=kernel",
                      (place / "kernel.cpp").string(), "-o", (place / "out.so").string()});
    CommandResult result = run(arguments, environment);
    EXPECT_TRUE(result.end.success()) << result.output;
    return result;
  }
  // Compiles and tells whether the store answered.
  bool hit(const std::string& workspace, const std::vector<std::string>& options = {},
           const Environment& environment = {}) const {
    (void)compile_in(folder.path() / workspace, options, environment);
    return recorded().back().from_store;
  }
  [[nodiscard]] std::vector<std::byte> output(const std::string& workspace) const {
    return read_binary_file(folder.path() / workspace / "out.so").value();
  }
  [[nodiscard]] std::vector<fs::path> stored(const std::string& extension) const {
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(settings.store))
      if (entry.is_regular_file() && entry.path().extension() == extension)
        files.push_back(entry.path());
    return files;
  }
};

TEST_F(SpyStore, the_same_compile_again_is_answered_with_the_same_bytes) {
  EXPECT_FALSE(hit("one"));
  const auto first = output("one");
  fs::remove(folder.path() / "one" / "out.so");
  EXPECT_TRUE(hit("one"));
  EXPECT_EQ(output("one"), first);
  EXPECT_EQ(::access((folder.path() / "one" / "out.so").c_str(), X_OK), 0);
  const auto events = recorded();
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[1].output_digest, events[0].output_digest);
  EXPECT_EQ(events[1].arguments, events[0].arguments);
}

TEST_F(SpyStore, the_stored_bytes_are_what_the_compiler_makes_without_a_store) {
  EXPECT_FALSE(hit("one"));
  const auto with_store = output("one");
  settings.store.clear();
  install();
  EXPECT_FALSE(hit("one"));
  EXPECT_EQ(output("one"), with_store);
}

TEST_F(SpyStore, a_changed_header_is_a_miss_and_the_old_one_again_a_hit) {
  EXPECT_FALSE(hit("one"));
  const auto three = output("one");
  put(folder.path() / "one" / "factor.h", "constexpr int factor = 4;\n");
  EXPECT_FALSE(hit("one"));
  EXPECT_NE(output("one"), three);
  put(folder.path() / "one" / "factor.h", "constexpr int factor = 3;\n");
  EXPECT_TRUE(hit("one"));
  EXPECT_EQ(output("one"), three);
}

// What the compiler has read is then not what lies there.
TEST_F(SpyStore, a_header_that_is_changed_during_the_compile_is_a_miss) {
  const fs::path header = folder.path() / "one" / "factor.h";
  const fs::path once = folder.path() / "once";
  const fs::path compiler = folder.path() / "busy";
  put(once, "");
  put(compiler, "#!/bin/sh\nc++ \"$@\" || exit\nrm " + once.string() +
                    " 2> /dev/null && echo 'constexpr int factor = 4;' > " + header.string() +
                    "\nexit 0\n");
  fs::permissions(compiler, fs::perms(0755));
  settings.real_compiler = compiler;
  install();
  EXPECT_FALSE(hit("one"));
  const auto three = output("one");
  EXPECT_FALSE(hit("one"));
  EXPECT_NE(output("one"), three);
  EXPECT_TRUE(hit("one"));
}

TEST_F(SpyStore, a_changed_source_is_a_miss) {
  EXPECT_FALSE(hit("one"));
  put(folder.path() / "one" / "kernel.cpp", "int scale(int x) { return x; }\n");
  EXPECT_FALSE(hit("one"));
}

TEST_F(SpyStore, another_macro_or_option_is_a_miss) {
  EXPECT_FALSE(hit("one", {"-DBLOCK=64"}));
  EXPECT_FALSE(hit("one", {"-DBLOCK=128"}));
  EXPECT_FALSE(hit("one", {"-DBLOCK=64", "-O2"}));
  EXPECT_TRUE(hit("one", {"-DBLOCK=64"}));
}

TEST_F(SpyStore, a_new_header_that_shadows_another_is_a_miss) {
  EXPECT_FALSE(hit("one"));
  EXPECT_TRUE(hit("one"));
  put(folder.path() / "one" / "early" / "part.h", "constexpr int part = 6;\n");
  EXPECT_FALSE(hit("one"));
}

TEST_F(SpyStore, an_environment_variable_of_the_compiler_is_a_miss) {
  EXPECT_FALSE(hit("one"));
  for (const char* const name : {"CPATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH"})
    EXPECT_FALSE(hit("one", {}, {{name, folder.path().string()}})) << name;
  EXPECT_TRUE(hit("one", {}, {{"UNRELATED", "1"}}));
}

TEST_F(SpyStore, another_compiler_is_a_miss) {
  const fs::path wrapper = folder.path() / "wrapper";
  put(wrapper, "#!/bin/sh\nexec c++ \"$@\"\n");
  fs::permissions(wrapper, fs::perms(0755));
  settings.real_compiler = wrapper;
  install();
  EXPECT_FALSE(hit("one"));
  EXPECT_TRUE(hit("one"));
  put(wrapper, "#!/bin/sh\n# 2\nexec c++ \"$@\"\n");
  EXPECT_FALSE(hit("one"));
}

// The compiler starts the first one of PATH; a folder of that name is none.
TEST_F(SpyStore, another_assembler_or_linker_is_a_miss) {
  for (const std::string tool : {"as", "ld"}) {
    const fs::path own = folder.path() / ("own-" + tool) / tool;
    const fs::path none = folder.path() / "none";
    fs::create_directories(none / tool);
    const Environment environment = {
        {"PATH", none.string() + ":" + own.parent_path().string() + ":" + std::getenv("PATH")}};
    const auto install = [&](const std::string& comment) {
      put(own, "#!/bin/sh\n# " + comment + "\nexec " + find_program(tool).string() + " \"$@\"\n");
      fs::permissions(own, fs::perms::owner_exec, fs::perm_options::add);
    };
    (void)hit("one");
    EXPECT_TRUE(hit("one"));
    install("first");
    EXPECT_FALSE(hit("one", {}, environment)) << tool;
    EXPECT_TRUE(hit("one", {}, environment)) << tool;
    install("the second");
    EXPECT_FALSE(hit("one", {}, environment)) << tool;
  }
}

TEST_F(SpyStore, two_workspaces_with_copies_of_one_source_share_an_entry) {
  make_workspace("two");
  EXPECT_FALSE(hit("one"));
  EXPECT_TRUE(hit("two"));
  EXPECT_EQ(output("two"), output("one"));
  put(folder.path() / "two" / "include" / "part.h", "constexpr int part = 7;\n");
  EXPECT_FALSE(hit("two"));
  EXPECT_TRUE(hit("one"));
}

TEST_F(SpyStore, workspaces_outside_the_temporary_folders_share_entries_too) {
  std::string one = "/dev/shm/tunecheck-spy.XXXXXX";
  std::string two = one;
  if (::mkdtemp(one.data()) == nullptr || ::mkdtemp(two.data()) == nullptr)
    GTEST_SKIP() << "no /dev/shm here";
  for (const std::string& place : {one, two})
    make_kernel(place);
  std::vector<bool> answered;
  for (const auto& [place, workspace] :
       {std::pair(one, one), std::pair(two, two), std::pair(two, folder.path().string())}) {
    settings.workspace = workspace;
    install();
    (void)compile_in(place);
    answered.push_back(recorded().back().from_store);
  }
  fs::remove_all(one);
  fs::remove_all(two);
  EXPECT_EQ(answered, (std::vector<bool>{false, true, false}));
}

TEST_F(SpyStore, a_source_named_from_the_working_folder_is_shared_too) {
  make_workspace("two");
  std::vector<bool> answered;
  for (const char* const name : {"one", "two"}) {
    const fs::path place = folder.path() / name;
    EXPECT_TRUE(run({"-O1", "-shared", "-fPIC", "-Iinclude", "-o", (place / "out.so").string(),
                     "kernel.cpp"},
                    {}, place)
                    .end.success());
    answered.push_back(recorded().back().from_store);
  }
  EXPECT_EQ(answered, (std::vector<bool>{false, true}));
  EXPECT_EQ(output("one"), output("two"));
}

TEST_F(SpyStore, an_output_that_names_its_workspace_is_not_shared) {
  for (const char* const name : {"one", "two"}) {
    make_workspace(name);
    put(folder.path() / name / "factor.h",
        "#include <cassert>\ninline void check(int x) { assert(x > 0); }\n"
        "constexpr int factor = 3;\nvoid (*checked)(int) = check;\n");
  }
  const auto compile = [&](const char* name) {
    const fs::path place = folder.path() / name;
    EXPECT_TRUE(run({"-O1", "-shared", "-fPIC", "-I" + (place / "include").string(),
                     (place / "kernel.cpp").string(), "-o", (place / "out.so").string()})
                    .end.success());
    return recorded().back().from_store;
  };
  EXPECT_FALSE(compile("one"));
  EXPECT_FALSE(compile("two"));
  EXPECT_TRUE(compile("one"));
  EXPECT_TRUE(compile("two"));
  EXPECT_NE(output("one"), output("two"));
}

TEST_F(SpyStore, warnings_are_shown_again) {
  put(folder.path() / "one" / "kernel.cpp",
      "#include <part.h>\nint scale(int) { int unused; return part; }\n");
  const CommandResult first = compile_in(folder.path() / "one", {"-Wall"});
  const CommandResult second = compile_in(folder.path() / "one", {"-Wall"});
  EXPECT_TRUE(recorded().back().from_store);
  EXPECT_THAT(first.output, HasSubstr("unused"));
  EXPECT_EQ(second.output, first.output);
}

// A source under the names that a tuner gives its temporary files.
class TemporarySource : public SpyStore {
 protected:
  CommandResult compile(const std::string& name, const std::string& text,
                        const std::string& option = "-O1") {
    const fs::path place = folder.path() / "one";
    put(place / (name + ".cpp"), text);
    CommandResult result =
        run({option, "-Wall", "-shared", "-fPIC", "-I" + (place / "include").string(),
             (place / (name + ".cpp")).string(), "-o", (place / (name + ".so")).string()});
    EXPECT_TRUE(result.end.success()) << result.output;
    fs::remove(place / (name + ".cpp"));
    return result;
  }
  bool hit(const std::string& name, const std::string& text, const std::string& option = "-O1") {
    (void)compile(name, text, option);
    return recorded().back().from_store;
  }
  [[nodiscard]] std::vector<std::byte> output(const std::string& name) const {
    return read_binary_file(folder.path() / "one" / (name + ".so")).value();
  }
  // Has an initializer, whose name has that of the file where no other is there.
  const std::string text =
      "#include \"part.h\"\nextern \"C\" int getpid();\nint used() { int unused; return getpid(); "
      "}\n"
      "namespace { struct Part { int part; } part_of{used()}; }\n"
      "int scale(int x) { return x * part * part_of.part; }\n";
};

TEST_F(TemporarySource, under_another_name_is_what_the_compiler_makes_of_that_name) {
  const CommandResult first = compile("temp_k3x9w2ab", text);
  EXPECT_FALSE(recorded().back().from_store);
  const CommandResult second = compile("temp_zz_1q0c7", text);
  EXPECT_TRUE(recorded().back().from_store);
  EXPECT_THAT(first.output, HasSubstr("temp_k3x9w2ab.cpp:3"));
  EXPECT_THAT(second.output, HasSubstr("temp_zz_1q0c7.cpp:3"));
  const auto answered = output("temp_zz_1q0c7");
  EXPECT_NE(answered, output("temp_k3x9w2ab"));
  EXPECT_EQ(recorded().back().output_digest, bytes_digest(answered));
  settings.store.clear();
  install();
  EXPECT_FALSE(hit("temp_zz_1q0c7", text));
  EXPECT_EQ(output("temp_zz_1q0c7"), answered);
}

TEST_F(TemporarySource, of_another_text_or_length_or_with_its_own_name_in_it_is_a_miss) {
  EXPECT_FALSE(hit("temp_k3x9w2ab", text));
  EXPECT_FALSE(hit("temp_zz_1q0c7", text + "int more() { return 1; }\n"));
  EXPECT_FALSE(hit("temp_zz_1q0c", text));
  // One text, which has one of the names: its function keeps that name under the other.
  for (const char* const name : {"temp_aaaaaaaa", "temp_bbbbbbbb"})
    EXPECT_FALSE(hit(name, "int temp_aaaaaaaa() { return 1; }\n"));
}

TEST_F(TemporarySource, beside_another_header_is_a_miss) {
  EXPECT_FALSE(hit("temp_k3x9w2ab", text));
  put(folder.path() / "one" / "include" / "part.h", "constexpr int part = 6;\n");
  EXPECT_FALSE(hit("temp_zz_1q0c7", text));
}

TEST_F(TemporarySource, whose_name_a_header_has_is_not_kept) {
  put(folder.path() / "one" / "include" / "part.h",
      "constexpr int part = 1;\nint temp_aaaaaaaa();\n");
  for (const char* const name : {"temp_aaaaaaaa", "temp_bbbbbbbb"})
    EXPECT_FALSE(hit(name, "#include \"part.h\"\nint value() { return part; }\n"));
}

TEST_F(TemporarySource, whose_name_an_option_has_keeps_it) {
  const std::string macro = "int scale(int) { return sizeof(NAME); }\n";
  EXPECT_FALSE(hit("temp_aaaaaaaa", macro, "-DNAME=\"temp_aaaaaaaa.cpp\""));
  // The compiler, asked again, says the same as before; under the other name it says another.
  EXPECT_FALSE(hit("temp_bbbbbbbb", macro, "-DNAME=\"temp_aaaaaaaa.cpp\""));
  EXPECT_TRUE(hit("temp_aaaaaaaa", macro, "-DNAME=\"temp_aaaaaaaa.cpp\""));
}

TEST_F(TemporarySource, is_told_by_its_name_and_any_other_name_decides) {
  EXPECT_FALSE(hit("kernel_aaaaaa", text));
  EXPECT_FALSE(hit("kernel_bbbbbb", text));
  EXPECT_FALSE(hit("tmp_short", text));
  EXPECT_FALSE(hit("tmp_sharp", text));
}

TEST_F(SpyStore, a_source_that_asks_for_the_time_is_never_answered) {
  put(folder.path() / "one" / "factor.h",
      "constexpr int factor = 3;\ninline const char* when() { return __TIME__; }\n");
  EXPECT_FALSE(hit("one"));
  EXPECT_FALSE(hit("one"));
}

TEST_F(SpyStore, commands_with_further_outputs_or_inputs_are_never_answered) {
  for (const std::vector<std::string>& options :
       std::vector<std::vector<std::string>>{{"-MD", "-MF", (folder.path() / "deps").string()},
                                             {"-save-temps=obj"},
                                             {"-L" + folder.path().string()},
                                             {"-Wl,-rpath," + folder.path().string()}}) {
    EXPECT_FALSE(hit("one", options)) << options[0];
    EXPECT_FALSE(hit("one", options)) << options[0];
  }
}

TEST_F(SpyStore, a_damaged_output_is_a_miss_and_is_healed) {
  EXPECT_FALSE(hit("one"));
  const auto good = output("one");
  const auto outputs = fs::directory_iterator(settings.store / "outputs");
  const fs::path file = begin(outputs)->path();
  {
    std::fstream damaged(file, std::ios::in | std::ios::out | std::ios::binary);
    damaged.seekp(200);
    damaged.put('\x55').put('\xaa');
  }
  EXPECT_FALSE(hit("one"));
  EXPECT_EQ(output("one"), good);
  EXPECT_TRUE(hit("one"));
  fs::remove(file);
  EXPECT_FALSE(hit("one"));
  EXPECT_TRUE(hit("one"));
}

TEST_F(SpyStore, a_damaged_entry_is_a_miss_and_is_healed) {
  EXPECT_FALSE(hit("one"));
  const auto entries = stored(".entry");
  ASSERT_EQ(entries.size(), 1u);
  std::string text = read_text_file(entries[0]).value();
  // It still parses: only its digest tells.
  text.replace(text.find("\"err\":\"\""), 8, "\"err\":\"x\"");
  put(entries[0], text);
  EXPECT_FALSE(hit("one"));
  EXPECT_TRUE(hit("one"));
  fs::resize_file(entries[0], 10);
  EXPECT_FALSE(hit("one"));
  EXPECT_TRUE(hit("one"));
}

TEST_F(SpyStore, a_failing_compile_fails_again) {
  put(folder.path() / "one" / "bad.cpp", "this is no C++\n");
  const std::vector<std::string> command = {"-c", (folder.path() / "one" / "bad.cpp").string(),
                                            "-o", (folder.path() / "bad.o").string()};
  const CommandResult first = run(command);
  const CommandResult second = run(command);
  EXPECT_EQ(first.end.exit_status, 1);
  EXPECT_EQ(second.end.exit_status, 1);
  EXPECT_EQ(second.output, first.output);
  EXPECT_FALSE(fs::exists(folder.path() / "bad.o"));
}

TEST_F(SpyStore, eight_spies_use_one_store_at_once) {
  for (int index = 0; index < 8; ++index)
    make_workspace("w" + std::to_string(index));
  for (int round = 0; round < 2; ++round) {
    std::vector<std::thread> spies;
    for (int index = 0; index < 8; ++index)
      spies.emplace_back([&, index] {
        (void)compile_in(folder.path() / ("w" + std::to_string(index)),
                         {"-DBLOCK=" + std::to_string(index / 4)});
      });
    for (std::thread& spy : spies)
      spy.join();
  }
  const auto events = recorded();
  ASSERT_EQ(events.size(), 16u);
  for (std::size_t index = 8; index < 16; ++index)
    EXPECT_TRUE(events[index].from_store);
  for (int index = 0; index < 8; ++index)
    EXPECT_EQ(output("w" + std::to_string(index)), output(index < 4 ? "w0" : "w4"));
  EXPECT_NE(output("w0"), output("w4"));
  // No scratch file is left behind.
  EXPECT_EQ(stored(".entry").size(), 2u);
  for (const auto& entry : fs::recursive_directory_iterator(settings.store))
    EXPECT_FALSE(entry.path().filename().string().starts_with("scratch.")) << entry.path();
}

}  // namespace
}  // namespace tunecheck

#include "harness/process/workspace.hpp"

#include <chrono>
#include <cstdlib>
#include <unistd.h>

#include <gmock/gmock.h>
#include <sys/stat.h>

#include "backend/gpu/runtime_compiler.hpp"
#include "core/device_kinds.hpp"
#include "observe/spy_settings.hpp"
#include "observe/tools.hpp"
#include "toy_kernel.hpp"

namespace tunecheck::test {
namespace {

namespace fs = std::filesystem;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;
using Action = CacheAction::Kind;
using Target = Touch::Target;

class WorkspaceCase : public testing::Test {
 protected:
  WorkspaceCase()
      : folder(*TemporaryFolder::create("tunecheck-test-workspace")),
        kernel(write_kernel(folder.path() / "toy")),
        workspace(Workspace::create(folder.path() / "work" / "one", kernel).value()) {}
  ~WorkspaceCase() override { workspace.remove(); }

  // The text of a file of the workspace's own kernel.
  std::string kernel_text(const std::string& file) const {
    return read_text_file(workspace.kernel_folder() / file).value();
  }
  void touch(Target target) {
    const auto touched = workspace.touch({target}, kernel);
    ASSERT_TRUE(touched) << touched.error().text();
  }
  void act(Action action, const std::string& glob = "") {
    const auto done = workspace.act({action, glob}, adapter);
    ASSERT_TRUE(done) << done.error().text();
  }
  fs::path cached(const std::string& file, const std::string& text = "0123456789") const {
    const fs::path path = workspace.cache_folder() / file;
    fs::create_directories(path.parent_path());
    EXPECT_TRUE(write_file(path, text));
    return path;
  }
  static unsigned mode(const fs::path& path) {
    struct stat status {};
    EXPECT_EQ(::stat(path.c_str(), &status), 0) << path;
    return status.st_mode & 0777;
  }
  // The status of a shell command, run as the adapter's process would be.
  int shell(const std::string& command) const {
    CommandOptions options;
    options.arguments = {"/bin/sh", "-c", command};
    options.in_child = workspace.child_setup();
    return run_command(options).value().end.exit_status;
  }

  TemporaryFolder folder;
  AdapterInfo adapter;
  KernelDefinition kernel;
  Workspace workspace;
};

TEST_F(WorkspaceCase, starts_with_a_copy_of_the_kernel_and_an_empty_cache_of_its_own) {
  EXPECT_EQ(kernel_text("cpu.cpp"), KernelText().cpu);
  EXPECT_TRUE(fs::is_empty(workspace.cache_folder()));
  EXPECT_EQ(mode(workspace.cache_folder()), 0700U);
  cached("old");
  const auto again = Workspace::create(workspace.folder(), kernel);
  ASSERT_TRUE(again);
  EXPECT_TRUE(fs::is_empty(again->cache_folder()));
}

TEST_F(WorkspaceCase, touching_the_source_adds_other_code_each_time) {
  touch(Target::source);
  const std::string once = kernel_text("cpu.cpp");
  EXPECT_THAT(once, StartsWith(KernelText().cpu));
  EXPECT_THAT(once, EndsWith("\nstruct tunecheck_touched_1;"));
  touch(Target::source);
  EXPECT_THAT(kernel_text("cpu.cpp"), EndsWith("\nstruct tunecheck_touched_2;"));
  EXPECT_EQ(kernel_text("step.h"), KernelText().header);
  EXPECT_EQ(read_text_file(kernel.cpu->source).value(), KernelText().cpu);
}

TEST_F(WorkspaceCase, touching_the_header_leaves_the_source) {
  touch(Target::header);
  EXPECT_EQ(kernel_text("cpu.cpp"), KernelText().cpu);
  EXPECT_EQ(kernel_text("step.h"), KernelText().header + "\nstruct tunecheck_touched_1;");
}

TEST_F(WorkspaceCase, touching_the_inner_header_leaves_the_one_that_includes_it) {
  const fs::path folder = workspace.kernel_folder();
  const std::string header = kernel_text("step.h");
  EXPECT_FALSE(workspace.touch({Target::inner_header}, kernel)) << "there is none";
  ASSERT_TRUE(write_file(folder / "step.h", "#include \"inner.h\"\n" + header));
  ASSERT_TRUE(write_file(folder / "inner.h", std::string_view("int inner();\n")));
  touch(Target::inner_header);
  EXPECT_EQ(kernel_text("step.h"), "#include \"inner.h\"\n" + header);
  EXPECT_THAT(kernel_text("inner.h"), HasSubstr("struct tunecheck_touched_"));
}

TEST_F(WorkspaceCase, touching_a_comment_adds_no_code_to_source_and_header) {
  touch(Target::comment);
  EXPECT_EQ(kernel_text("cpu.cpp"), KernelText().cpu + "\n// touched 1\n");
  EXPECT_EQ(kernel_text("step.h"), KernelText().header + "\n// touched 1\n");
}

TEST_F(WorkspaceCase, touching_blanks_leaves_every_token) {
  touch(Target::blanks);
  const std::string changed = kernel_text("cpu.cpp");
  EXPECT_THAT(changed, HasSubstr("\n\t \v\f "));
  EXPECT_THAT(changed, HasSubstr("; \r\n"));
  EXPECT_FALSE(changed.ends_with('\n'));
  std::string tokens = changed;
  for (const std::string blanks : {"\t \v\f", " \r"})
    for (std::size_t at = tokens.find(blanks); at != tokens.npos; at = tokens.find(blanks))
      tokens.erase(at, blanks.size());
  EXPECT_EQ(tokens + '\n', KernelText().cpu);
}

TEST_F(WorkspaceCase, touching_the_folder_moves_it_and_changes_no_file) {
  const fs::path before = workspace.kernel_folder();
  touch(Target::folder);
  EXPECT_EQ(kernel_text("cpu.cpp"), KernelText().cpu) << workspace.kernel_folder();
  EXPECT_FALSE(fs::exists(before));
}

TEST_F(WorkspaceCase, touching_a_word_makes_it_another_each_time) {
  Touch touch{Target::word, "float factor", ""};
  ASSERT_TRUE(workspace.touch(touch, kernel));
  EXPECT_EQ(kernel_text("cpu.cpp"), with(KernelText().cpu, "float factor", "float factor_1"));
  ASSERT_TRUE(workspace.touch(touch, kernel));
  EXPECT_EQ(kernel_text("cpu.cpp"), with(KernelText().cpu, "float factor", "float factor_2_1"));
  touch = {Target::word, "STEP", "step.h"};
  ASSERT_TRUE(workspace.touch(touch, kernel));
  EXPECT_EQ(kernel_text("step.h"), with(KernelText().header, "STEP", "STEP_3"));
}

TEST_F(WorkspaceCase, touching_a_word_needs_it_once) {
  const Touch touches[] = {{Target::word, "no_such_word", ""},
                           {Target::word, "y", ""},
                           {Target::word, "factor", "no/such/file"}};
  for (const Touch& touch : touches)
    EXPECT_FALSE(workspace.touch(touch, kernel)) << touch.word;
  EXPECT_EQ(kernel_text("cpu.cpp"), KernelText().cpu);
}

TEST_F(WorkspaceCase, touching_blanks_needs_one) {
  KernelText text;
  text.cpu = "int f\n";
  const KernelDefinition flat = write_kernel(folder.path() / "flat", text);
  Workspace other = Workspace::create(folder.path() / "work" / "two", flat).value();
  EXPECT_FALSE(other.touch({Target::blanks}, flat));
}

TEST_F(WorkspaceCase, age_makes_each_file_a_day_older_and_changes_nothing_else) {
  const fs::path first = cached("first");
  const fs::path second = cached("sub/second");
  const auto before = fs::last_write_time(first);
  fs::last_write_time(second, before - std::chrono::minutes(1));
  act(Action::age);
  EXPECT_EQ(fs::last_write_time(first), before - std::chrono::hours(24));
  EXPECT_EQ(fs::last_write_time(second), before - std::chrono::minutes(24 * 60 + 1));
  EXPECT_EQ(read_text_file(second).value(), "0123456789");
}

TEST_F(WorkspaceCase, a_kernel_without_header_has_none_to_touch) {
  KernelText text;
  text.cpu = with(text.cpu, "#include \"step.h\"\n", "");
  const KernelDefinition alone = write_kernel(folder.path() / "alone", text);
  Workspace other = Workspace::create(folder.path() / "work" / "two", alone).value();
  const auto touched = other.touch({Target::header}, alone);
  ASSERT_FALSE(touched);
  EXPECT_THAT(touched.error().message, HasSubstr("includes no header of its own"));
  EXPECT_TRUE(other.touch({Target::comment}, alone));
}

TEST_F(WorkspaceCase, move_takes_the_cache_along_under_another_name) {
  cached("sub/winner.so");
  const fs::path before = workspace.cache_folder();
  act(Action::move);
  EXPECT_NE(workspace.cache_folder(), before);
  EXPECT_FALSE(fs::exists(before));
  EXPECT_TRUE(fs::exists(workspace.cache_folder() / "sub" / "winner.so"));
  const fs::path once = workspace.cache_folder();
  act(Action::move);
  EXPECT_NE(workspace.cache_folder(), once);
  EXPECT_TRUE(fs::exists(workspace.cache_folder() / "sub" / "winner.so"));
}

TEST_F(WorkspaceCase, absent_names_a_folder_below_one_that_does_not_exist) {
  const fs::path file = cached("sub/winner.so");
  act(Action::absent);
  EXPECT_FALSE(fs::exists(workspace.cache_folder().parent_path()));
  EXPECT_TRUE(fs::exists(file));
  EXPECT_TRUE(workspace.cache_snapshot("").value().files.empty());
  act(Action::clear);
  EXPECT_TRUE(fs::is_empty(workspace.cache_folder()));
}

TEST_F(WorkspaceCase, a_read_only_cache_refuses_writes_and_root_too_until_it_is_writable) {
  const fs::path file = cached("sub/winner.so");
  const std::string overwrite = "echo x > '" + file.string() + "' 2> /dev/null";
  const std::string add = "echo x > '" + (file.parent_path() / "new").string() + "' 2> /dev/null";
  EXPECT_EQ(shell(overwrite), 0);
  act(Action::read_only);
  EXPECT_EQ(mode(file) & 0222U, 0U);
  EXPECT_NE(shell(overwrite), 0);
  EXPECT_NE(shell(add), 0);
  act(Action::writable);
  EXPECT_EQ(shell(overwrite), 0);
  EXPECT_EQ(shell(add), 0);
}

TEST_F(WorkspaceCase, world_writable_lets_everybody_write_files_and_folders) {
  const fs::path file = cached("sub/winner.so");
  act(Action::world_writable);
  EXPECT_EQ(mode(file) & 0222U, 0222U);
  EXPECT_EQ(mode(file.parent_path()) & 0222U, 0222U);
  EXPECT_EQ(mode(workspace.cache_folder()) & 0222U, 0222U);
}

TEST_F(WorkspaceCase, unreadable_files_cannot_be_read_by_root_either_and_can_be_replaced) {
  const std::string file = cached("sub/winner.so").string();
  EXPECT_EQ(shell("cat '" + file + "' > /dev/null"), 0);
  act(Action::unreadable);
  EXPECT_NE(shell("cat '" + file + "' 2> /dev/null"), 0);
  EXPECT_EQ(shell("echo x > '" + file + ".new' && mv -f '" + file + ".new' '" + file + "'"), 0);
  EXPECT_EQ(shell("cat '" + file + "' > /dev/null"), 0);
}

TEST_F(WorkspaceCase, what_was_saved_comes_back_and_nothing_else_stays) {
  const fs::path kept = cached("below/kept", "old");
  fs::permissions(kept, fs::perms::owner_read);
  fs::create_symlink("kept", kept.parent_path() / "link");
  act(Action::save);
  fs::remove(kept);
  cached("below/kept", "new");
  cached("other");
  act(Action::restore);
  EXPECT_EQ(read_text_file(kept).value(), "old");
  EXPECT_EQ(mode(kept), 0400U);
  EXPECT_EQ(fs::read_symlink(kept.parent_path() / "link"), "kept");
  EXPECT_FALSE(fs::exists(workspace.cache_folder() / "other"));

  cached("later");
  fs::remove(kept);
  act(Action::save);
  act(Action::restore);
  EXPECT_TRUE(fs::exists(workspace.cache_folder() / "later"));
  EXPECT_FALSE(fs::exists(kept));
}

TEST_F(WorkspaceCase, links_lead_to_the_same_files_elsewhere) {
  const fs::path file = cached("sub/winner.so");
  act(Action::links);
  EXPECT_TRUE(fs::is_symlink(file));
  EXPECT_EQ(read_text_file(file).value(), "0123456789");
  EXPECT_FALSE(fs::is_symlink(file.parent_path()));
}

TEST_F(WorkspaceCase, links_need_a_file) {
  const auto done = workspace.act({Action::links, "", 1}, adapter);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().message, "the cache folder holds no file to be replaced");
}

TEST_F(WorkspaceCase, touching_the_signature_declares_an_output_otherwise) {
  KernelText text;
  text.info = with(with(text.info, "access in_place  fill normal", "access write"), "restore_value",
                   "; restore_value");
  const KernelDefinition writes = write_kernel(folder.path() / "writes", text);
  Workspace other = Workspace::create(folder.path() / "work" / "two", writes).value();
  ASSERT_TRUE(other.touch({Target::signature}, writes));
  const auto touched = read_kernel(other.kernel_folder());
  ASSERT_TRUE(touched) << touched.error().text();
  EXPECT_TRUE(touched->restores("y"));
  EXPECT_FALSE(writes.restores("y"));
}

TEST_F(WorkspaceCase, touching_the_signature_needs_an_output_that_is_not_restored) {
  const auto touched = workspace.touch({Target::signature}, kernel);
  ASSERT_FALSE(touched);
  EXPECT_THAT(touched.error().message, HasSubstr("has no output that could be declared"));
}

TEST_F(WorkspaceCase, files_of_another_owner_need_root) {
  const fs::path file = cached("sub/winner.so");
  const auto done = workspace.act({Action::other_owner, "", 1}, adapter);
  if (!done) {
    EXPECT_EQ(done.error().kind, ErrorKind::unsupported) << done.error().message;
    return;
  }
  struct stat status {};
  ASSERT_EQ(::stat(file.c_str(), &status), 0);
  EXPECT_NE(status.st_uid, ::geteuid());
  EXPECT_EQ(mode(file) & 0044U, 0044U);
  EXPECT_EQ(mode(file.parent_path()) & 0055U, 0055U);
}

TEST_F(WorkspaceCase, truncate_halves_the_files_that_match) {
  const fs::path hit = cached("sub/winner.so"), spared = cached("winner.json");
  act(Action::truncate, "*.so");
  EXPECT_EQ(read_text_file(hit).value(), "01234");
  EXPECT_EQ(read_text_file(spared).value(), "0123456789");
}

TEST_F(WorkspaceCase, flip_changes_one_bit) {
  const fs::path hit = cached("winner.so"), spared = cached("winner.json");
  act(Action::flip, "*.so");
  EXPECT_EQ(read_text_file(hit).value(), "0123446789");
  EXPECT_EQ(read_text_file(spared).value(), "0123456789");
}

TEST_F(WorkspaceCase, at_the_end_of_a_file_its_last_byte_is_damaged) {
  const fs::path cut = cached("winner.so"), flipped = cached("winner.json");
  for (const auto& [kind, files] :
       {std::pair(Action::truncate, "*.so"), std::pair(Action::flip, "*.json")}) {
    CacheAction action{kind, files, 1};
    action.at_percent = 100;
    ASSERT_TRUE(workspace.act(action, adapter));
  }
  EXPECT_EQ(read_text_file(cut).value(), "012345678");
  EXPECT_EQ(read_text_file(flipped).value(), "0123456788");
}

TEST_F(WorkspaceCase, the_adapter_says_which_files_are_entries_and_artifacts) {
  adapter.cache_files = {{"entry", "*.best"}, {"artifact", "*.cubin"}};
  const fs::path entry = cached("1/winner.best"), artifact = cached("winner.cubin");
  act(Action::truncate, "entry");
  EXPECT_EQ(read_text_file(entry).value(), "01234");
  EXPECT_EQ(read_text_file(artifact).value(), "0123456789");
  act(Action::flip, "artifact");
  EXPECT_EQ(read_text_file(entry).value(), "01234");
  EXPECT_EQ(read_text_file(artifact).value(), "0123446789");
}

TEST_F(WorkspaceCase, damage_that_hits_no_file_is_an_error) {
  cached("winner.json");
  cached("empty.so", "");
  const auto done = workspace.act({Action::flip, "*.so", 1}, adapter);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().message, "no file of the cache folder matches \"*.so\"");
}

TEST_F(WorkspaceCase, removes_a_file_or_what_holds_it) {
  for (const int up : {0, 1, 2, 3, 9}) {
    act(Action::clear);
    cached("a/b/entry.json");
    cached("a/other");
    cached("top");
    const auto done = workspace.act({.kind = Action::remove, .glob = "*.json", .up = up}, adapter);
    ASSERT_TRUE(done) << done.error().text();
    const fs::path cache = workspace.cache_folder();
    EXPECT_FALSE(fs::exists(cache / "a/b/entry.json"));
    EXPECT_EQ(fs::exists(cache / "a/b"), up < 1) << up;
    EXPECT_EQ(fs::exists(cache / "a/other"), up < 2) << up;
    EXPECT_EQ(fs::exists(cache / "top"), up < 3) << up;
    EXPECT_EQ(fs::exists(cache), up < 3) << up;
  }
}

TEST_F(WorkspaceCase, replaces_a_file_by_a_folder_and_a_folder_by_a_file) {
  cached("a/entry.json");
  act(Action::replace, "*.json");
  EXPECT_TRUE(fs::is_empty(workspace.cache_folder() / "a/entry.json"));
  EXPECT_TRUE(fs::is_directory(workspace.cache_folder() / "a/entry.json"));
  cached("b/entry.json");
  ASSERT_TRUE(workspace.act({.kind = Action::replace, .glob = "b/*", .up = 1}, adapter));
  EXPECT_TRUE(fs::is_regular_file(workspace.cache_folder() / "b"));
  cached("c/entry.json");
  ASSERT_TRUE(workspace.act({.kind = Action::replace, .glob = "c/*", .up = 2}, adapter));
  EXPECT_TRUE(fs::is_regular_file(workspace.cache_folder()));
  EXPECT_TRUE(workspace.cache_snapshot().value().files.empty());
  act(Action::clear);
  EXPECT_TRUE(fs::is_empty(workspace.cache_folder()));
}

TEST_F(WorkspaceCase, protects_one_level_from_root_too) {
  const fs::path entry = cached("a/entry.json");
  act(Action::protect, "*.json");
  EXPECT_NE(shell("echo x >> " + entry.string()), 0);
  EXPECT_EQ(shell("touch " + (entry.parent_path() / "beside").string()), 0);
  act(Action::clear);
  cached("a/entry.json");
  ASSERT_TRUE(workspace.act({.kind = Action::protect, .glob = "*.json", .up = 1}, adapter));
  EXPECT_EQ(shell("echo x >> " + entry.string()), 0);
  EXPECT_NE(shell("touch " + (entry.parent_path() / "beside").string()), 0);
  act(Action::clear);
  EXPECT_TRUE(fs::is_empty(workspace.cache_folder()));
}

TEST_F(WorkspaceCase, hides_a_file_from_root_too) {
  const fs::path entry = cached("entry.json");
  const fs::path artifact = cached("artifact.so");
  act(Action::hide, "*.so");
  EXPECT_EQ(shell("cat " + entry.string()), 0);
  EXPECT_NE(shell("cat " + artifact.string()), 0);
}

TEST_F(WorkspaceCase, a_cache_that_is_gone_holds_nothing_and_comes_back) {
  cached("entry.json");
  act(Action::save);
  fs::remove_all(workspace.cache_folder());
  EXPECT_TRUE(workspace.cache_snapshot().value().files.empty());
  act(Action::restore);
  EXPECT_EQ(workspace.cache_snapshot().value().files.size(), 1U);
}

// Whether the system's own programs can mount a file system: then the workspace must be able to.
bool may_mount() {
  return std::system(
             "unshare --mount mount -t tmpfs none /tmp 2> /dev/null ||"
             "unshare --mount --map-root-user mount -t tmpfs none /tmp 2> /dev/null") == 0;
}

TEST_F(WorkspaceCase, a_full_cache_takes_no_byte_and_only_the_adapter_sees_it) {
  if (const auto done = workspace.act({Action::full, "", 1}, adapter); !done) {
    EXPECT_EQ(done.error().kind, ErrorKind::unsupported) << done.error().message;
    EXPECT_FALSE(may_mount()) << done.error().message;
    GTEST_SKIP() << done.error().message;
  }
  const std::string file = (workspace.cache_folder() / "new").string();
  EXPECT_NE(shell("{ echo x > '" + file + "'; } 2> /dev/null"), 0);
  EXPECT_TRUE(fs::is_empty(workspace.cache_folder()));
  cached("here");
}

TEST_F(WorkspaceCase, is_removed_with_read_only_folders_and_all) {
  cached("sub/deep/winner.so");
  act(Action::read_only);
  workspace.remove();
  EXPECT_FALSE(fs::exists(workspace.folder()));
}

// A tuner may ask for the real path of its compiler and run that: the settings lie beside it.
TEST_F(WorkspaceCase, has_spies_whose_real_path_is_their_own) {
  const Observers observers =
      find_observers(folder.path() / "store", folder.path() / "spies").value();
  ProcessSetup setup;
  setup.name = "cold";
  ASSERT_TRUE(workspace.prepare_process(setup, AdapterInfo(), observers));
  const fs::path spy = workspace.folder() / "bin" / "c++";
  EXPECT_EQ(fs::canonical(spy), fs::canonical(workspace.folder()) / "bin" / "c++");
  EXPECT_TRUE(fs::equivalent(spy, observers.spy_program)) << "a link to the session's own copy";
  EXPECT_FALSE(fs::equivalent(spy, find_compiler_spy().value())) << "which may be somebody else's";
  const Observers later = find_observers(folder.path() / "store", folder.path() / "spies").value();
  ASSERT_TRUE(workspace.prepare_process(setup, AdapterInfo(), later));
  EXPECT_TRUE(fs::equivalent(spy, later.spy_program)) << "and that of the session that runs";
}

TEST_F(WorkspaceCase, gives_a_process_a_home_a_spy_and_variables_of_its_own) {
  const Observers observers =
      find_observers(folder.path() / "store", folder.path() / "spies").value();
  AdapterInfo adapter;
  adapter.cache_variable = "TOY_CACHE";
  adapter.compiler_variable = "TOY_CXX";
  adapter.environment = {{"TOY", "1"}, {"BOTH", "adapter"}};
  ProcessSetup setup;
  setup.name = "cold";
  setup.environment = {{"BOTH", "scenario"}};
  ASSERT_TRUE(workspace.prepare_process(setup, AdapterInfo(), observers));
  const Environment variables = workspace.environment_for(setup, adapter, observers);
  EXPECT_EQ(variables.at("TOY_CACHE"), workspace.cache_folder());
  EXPECT_EQ(variables.at("TOY_CXX"), workspace.folder() / "bin" / "c++");
  EXPECT_EQ(variables.at("TOY"), "1");
  EXPECT_EQ(variables.at("BOTH"), "scenario");
  EXPECT_EQ(variables.at("TUNECHECK_PROBE_WATCH"), "no");
  EXPECT_EQ(variables.at("LD_PRELOAD"), observers.probe_library.path());
  for (const char* const name : {"HOME", "TMPDIR"}) {
    EXPECT_THAT(variables.at(name), StartsWith(workspace.process_folder("cold").string())) << name;
    EXPECT_TRUE(fs::is_directory(variables.at(name))) << name;
  }
  EXPECT_FALSE(variables.contains("USER"));
  EXPECT_TRUE(fs::exists(workspace.evidence_file("cold")));
  EXPECT_EQ(find_program("c++", variables.at("PATH")), workspace.folder() / "bin" / "c++");
}

TEST_F(WorkspaceCase, the_spy_stands_for_every_compiler_that_the_tuner_looks_for) {
  const Observers observers =
      find_observers(folder.path() / "store", folder.path() / "spies").value();
  AdapterInfo adapter;
  adapter.compilers = {"g++", "no-such-compiler"};
  adapter.compiler_variable = "TOY_COMPILER";
  adapter.compiler = "g++";
  ProcessSetup setup;
  setup.name = "cold";
  setup.compiler = CompilerMode::poisoned;
  ASSERT_TRUE(workspace.prepare_process(setup, adapter, observers));
  const fs::path bin = workspace.folder() / "bin";
  EXPECT_FALSE(fs::exists(bin / "no-such-compiler"));
  const auto settings = read_spy_settings(spy_settings_file(bin / "g++"));
  ASSERT_TRUE(settings) << settings.error().text();
  EXPECT_EQ(settings->real_compiler, find_program("g++"));
  EXPECT_EQ(settings->mode, "poisoned");
  EXPECT_EQ(settings->evidence, workspace.evidence_socket("cold"));
  const Environment variables = workspace.environment_for(setup, adapter, observers);
  EXPECT_EQ(variables.at("TOY_COMPILER"), bin / "g++");
}

TEST_F(WorkspaceCase, on_a_gpu_gives_a_process_the_observers_of_one) {
  Workspace other =
      Workspace::create(folder.path() / "work" / "gpu", kernel, DeviceKind::cuda).value();
  Observers observers = find_observers(folder.path() / "store", folder.path() / "spies").value();
  observers.gpu_probe = ListedPath::create("/lib/gpu-probe.so").value();
  observers.runtime_compiler_spy = observers.fault_library.path();  // any library
  observers.runtime_compiler = observers.probe_library.path();
  AdapterInfo adapter;
  adapter.cache_variable = "TOY_CACHE";
  adapter.runtime_compiler_variables = {{DeviceKind::cuda, "TOY_NVRTC"},
                                        {DeviceKind::hip, "TOY_HIPRTC"}};
  ProcessSetup setup;
  setup.name = "cold";
  const auto prepared = other.prepare_process(setup, AdapterInfo(), observers);
  ASSERT_TRUE(prepared) << prepared.error().text();
  const Environment variables = other.environment_for(setup, adapter, observers);
  EXPECT_EQ(variables.at("CUDA_INJECTION64_PATH"), "/lib/gpu-probe.so");
  EXPECT_EQ(variables.at("TUNECHECK_PROBE_KERNEL"), "toy");
  EXPECT_THAT(variables.at("CUDA_CACHE_PATH"), StartsWith(other.process_folder("cold").string()));
  EXPECT_FALSE(variables.contains("LD_PRELOAD"));
  EXPECT_FALSE(variables.contains("TOY_HIPRTC"));
  const fs::path link = variables.at("TOY_NVRTC");
  EXPECT_TRUE(fs::equivalent(link, observers.fault_library.path()));
  const auto settings = read_spy_settings(spy_settings_file(link));
  ASSERT_TRUE(settings) << settings.error().text();
  EXPECT_EQ(settings->real_compiler, observers.probe_library.path());
  EXPECT_EQ(settings->evidence, other.evidence_socket("cold"));
  setup.compiler = CompilerMode::absent;
  EXPECT_FALSE(fs::exists(other.environment_for(setup, adapter, observers).at("TOY_NVRTC")));
  setup.kill = KillPoint{};
  EXPECT_EQ(other.environment_for(setup, adapter, observers).at("LD_PRELOAD"),
            observers.fault_library.path());
}

TEST_F(WorkspaceCase, gives_a_process_the_vulkan_observer_if_the_adapter_names_it) {
  Observers observers = find_observers(folder.path() / "store", folder.path() / "spies").value();
  AdapterInfo adapter;
  adapter.cache_variable = "XDG_CACHE_HOME";
  ProcessSetup setup;
  setup.name = "cold";
  setup.compiler = CompilerMode::slow;
  ASSERT_TRUE(workspace.prepare_process(setup, adapter, observers));
  EXPECT_FALSE(workspace.environment_for(setup, adapter, observers).contains("VK_INSTANCE_LAYERS"));
  adapter.observers = {std::string(vulkan_observer)};
  observers.vulkan_layer = ListedPath();
  const auto unprepared = workspace.prepare_process(setup, adapter, observers);
  ASSERT_FALSE(unprepared);
  EXPECT_THAT(unprepared.error().text(), HasSubstr("the Vulkan observer is not built"));
  observers.vulkan_layer = ListedPath::create("/lib/layers").value();
  ASSERT_TRUE(workspace.prepare_process(setup, adapter, observers));
  const Environment variables = workspace.environment_for(setup, adapter, observers);
  EXPECT_EQ(variables.at("VK_INSTANCE_LAYERS"), vulkan_layer_name);
  EXPECT_EQ(variables.at("VK_ADD_LAYER_PATH"), "/lib/layers");
  EXPECT_EQ(variables.at("TUNECHECK_PROBE_KERNEL"), "toy");
  EXPECT_TRUE(variables.contains("LD_PRELOAD"));
  EXPECT_THAT(variables.at("MESA_SHADER_CACHE_DIR"),
              StartsWith(workspace.process_folder("cold").string()));
  const auto settings = read_spy_settings(variables.at("TUNECHECK_VULKAN_COMPILER"));
  ASSERT_TRUE(settings) << settings.error().text();
  EXPECT_EQ(settings->mode, "slow");
  EXPECT_GT(settings->delay_ms, 0);
  setup.compiler = CompilerMode::absent;
  ASSERT_TRUE(workspace.prepare_process(setup, adapter, observers));
  EXPECT_EQ(read_spy_settings(variables.at("TUNECHECK_VULKAN_COMPILER"))->mode, "poisoned");
}

TEST_F(WorkspaceCase, on_hip_gives_a_process_the_probe_that_the_loader_loads) {
  const auto compiler = open_runtime_compiler(DeviceKind::hip);
  if (!compiler) GTEST_SKIP() << compiler.error().text();
  Workspace other =
      Workspace::create(folder.path() / "work" / "hip", kernel, DeviceKind::hip).value();
  const auto observers =
      find_observers(folder.path() / "store", folder.path() / "spies", DeviceKind::hip);
  ASSERT_TRUE(observers) << observers.error().text();
  AdapterInfo adapter;
  adapter.runtime_compiler_variables = {{DeviceKind::hip, "TOY_HIPRTC"}};
  ProcessSetup setup;
  setup.name = "cold";
  ASSERT_TRUE(other.prepare_process(setup, AdapterInfo(), *observers));
  ::setenv("TUNECHECK_HIP", "/lib/some-hip.so", 1);
  const Environment variables = other.environment_for(setup, adapter, *observers);
  ::unsetenv("TUNECHECK_HIP");
  EXPECT_EQ(variables.at("LD_AUDIT"), find_gpu_probe(DeviceKind::hip).value());
  EXPECT_EQ(variables.at("TUNECHECK_HIP"), "/lib/some-hip.so");
  EXPECT_FALSE(variables.contains("CUDA_INJECTION64_PATH"));
  EXPECT_FALSE(variables.contains("LD_PRELOAD"));
  EXPECT_TRUE(fs::equivalent(variables.at("TOY_HIPRTC"), observers->runtime_compiler_spy));
  EXPECT_EQ(observers->runtime_compiler, (*compiler)->file());
}

TEST_F(WorkspaceCase, on_a_gpu_touches_the_source_for_gpus) {
  kernel.gpu = GpuSource{kernel.folder / "step.h", {"1"}, {"1"}, "", 0};  // any other file
  Workspace other =
      Workspace::create(folder.path() / "work" / "gpu", kernel, DeviceKind::cuda).value();
  ASSERT_TRUE(other.touch({Target::source}, kernel));
  EXPECT_EQ(read_text_file(other.kernel_folder() / "cpu.cpp").value(), KernelText().cpu);
  EXPECT_THAT(read_text_file(other.kernel_folder() / "step.h").value(),
              EndsWith("\nstruct tunecheck_touched_1;"));
}

TEST_F(WorkspaceCase, without_a_compiler_none_is_in_the_path) {
  const Observers observers =
      find_observers(folder.path() / "store", folder.path() / "spies").value();
  ProcessSetup setup;
  setup.name = "cold";
  setup.compiler = CompilerMode::absent;
  ASSERT_TRUE(workspace.prepare_process(setup, AdapterInfo(), observers));
  const std::string path = workspace.environment_for(setup, {}, observers).at("PATH");
  for (const char* const name : {"c++", "g++", "clang++", "cc"})
    EXPECT_EQ(find_program(name, path), "") << name;
}

TEST_F(WorkspaceCase, removing_it_changes_no_file_that_has_another_name_elsewhere) {
  const TemporaryFolder elsewhere = TemporaryFolder::create("tunecheck-test-elsewhere").value();
  const fs::path program = elsewhere.path() / "program";
  ASSERT_TRUE(write_file(program, std::string_view("x")));
  ASSERT_EQ(::chmod(program.c_str(), 0555), 0);
  fs::create_hard_link(program, workspace.folder() / "name");
  workspace.remove();
  EXPECT_FALSE(fs::exists(workspace.folder()));
  EXPECT_EQ(fs::status(program).permissions(), static_cast<fs::perms>(0555));
}

}  // namespace
}  // namespace tunecheck::test

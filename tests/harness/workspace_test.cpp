#include "harness/process/workspace.hpp"

#include <chrono>
#include <cstdlib>
#include <unistd.h>

#include <gmock/gmock.h>
#include <sys/stat.h>

#include "workspace_case.hpp"

namespace tunecheck::test {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;
using Action = CacheAction::Kind;
using Target = Touch::Target;

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
}  // namespace
}  // namespace tunecheck::test

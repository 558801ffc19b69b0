// What the fault library writes down of a process, and that it still stops one at a point.
#include <cerrno>
#include <csignal>

#include <gmock/gmock.h>

#include "core/command.hpp"
#include "core/files.hpp"
#include "observe/evidence.hpp"
#include "observe/tools.hpp"

namespace tunecheck::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class FaultLibrary : public testing::Test {
 protected:
  FaultLibrary() : m_place(TemporaryFolder::create("tunecheck-faults").value()) {
    EXPECT_TRUE(create_folders(watched()));
    EXPECT_TRUE(write_file(m_place.path() / "evidence", std::string_view()));
  }

  std::filesystem::path watched() const { return m_place.path() / "watched"; }

  // A script whose every command is the shell's own work, in the watched folder.
  ProcessEnd run(const std::string& script, Environment settings) {
    settings["LD_PRELOAD"] = find_fault_library().value().string();
    settings["TUNECHECK_FAULT_FOLDER"] = watched().string();
    settings["TUNECHECK_FAULT_EVIDENCE"] = (m_place.path() / "evidence").string();
    CommandOptions options;
    options.arguments = {"/bin/sh", "-c", script};
    options.environment = settings;
    options.folder = watched();
    return run_command(options).value().end;
  }

  Evidence evidence() const {
    std::uint64_t from = 0;
    return read_evidence(m_place.path() / "evidence", from).value();
  }
  std::vector<std::string> operations() const {
    std::vector<std::string> texts;
    for (const FileEvent& file : evidence().files)
      texts.push_back(fmt::format("{} {} {}", file.operation, file.path, file.error));
    return texts;
  }

 private:
  TemporaryFolder m_place;
};

TEST_F(FaultLibrary, writes_down_what_is_done_in_the_folder_and_nothing_else) {
  (void)run("echo one > a; echo two > ../beside; read x < a; read x < missing",
            {{"TUNECHECK_FAULT_WATCH", "yes"}});
  EXPECT_THAT(operations(), ElementsAre("create a 0", "write a 0", "open a 0",
                                        fmt::format("open missing {}", ENOENT)));
}

// As databases write their journals.
TEST_F(FaultLibrary, sees_writes_of_several_pieces_at_a_place) {
  (void)run(
      "exec python3 -c 'import os; a = os.open(\"a\", os.O_WRONLY | os.O_CREAT); "
      "os.pwritev(a, [b\"x\", b\"y\"], 0); os.pwritev(a, [b\"z\"], 2, os.RWF_DSYNC)'",
      {{"TUNECHECK_FAULT_WATCH", "yes"}, {"PATH", "/usr/local/bin:/usr/bin:/bin"}});
  EXPECT_THAT(operations(), ElementsAre("create a 0", "write a 0", "write a 0"));
}

TEST_F(FaultLibrary, writes_nothing_down_unless_it_is_told_to) {
  (void)run("echo one > a", {});
  (void)run("echo one > a", {{"TUNECHECK_FAULT_POINT", "before_write_7"}});
  EXPECT_THAT(operations(), IsEmpty());
}

TEST_F(FaultLibrary, stops_a_process_at_a_point_that_it_also_writes_down) {
  const ProcessEnd end =
      run("echo one > a; echo two > b",
          {{"TUNECHECK_FAULT_WATCH", "yes"}, {"TUNECHECK_FAULT_POINT", "after_create_2"}});
  EXPECT_EQ(end.signal, SIGKILL);
  EXPECT_THAT(operations(), ElementsAre("create a 0", "write a 0", "create b 0"));
  ASSERT_EQ(evidence().faults.size(), 1U);
  EXPECT_EQ(evidence().faults[0].point, "after_create_2");
}

TEST_F(FaultLibrary, counts_from_the_moment_that_it_is_told) {
  const std::string script = "echo one > a; : > ../ready; echo two > b; echo three > c";
  const ProcessEnd end = run(script, {{"TUNECHECK_FAULT_WATCH", "yes"},
                                      {"TUNECHECK_FAULT_POINT", "after_create_1"},
                                      {"TUNECHECK_FAULT_BEGIN", "../ready"}});
  EXPECT_EQ(end.signal, SIGKILL);
  EXPECT_THAT(operations(), ElementsAre("create a 0", "write a 0", "create b 0"));
}

TEST_F(FaultLibrary, to_make_a_folder_that_exists_is_no_operation) {
  const ProcessEnd killed =
      run("exec mkdir ../watched new", {{"TUNECHECK_FAULT_POINT", "after_mkdir_1"}});
  EXPECT_EQ(killed.signal, SIGKILL);
  EXPECT_TRUE(std::filesystem::exists(watched() / "new"));
  const ProcessEnd refused = run("exec mkdir ../watched newer 2> ../said",
                                 {{"TUNECHECK_FAULT_POINT", "before_mkdir_1"},
                                  {"TUNECHECK_FAULT_ERROR", std::to_string(EROFS)}});
  EXPECT_EQ(refused.exit_status, 1);
  EXPECT_THAT(read_text_file(watched() / "../said").value(),
              AllOf(HasSubstr("File exists"), HasSubstr("Read-only file system")));
}

TEST_F(FaultLibrary, writes_down_an_operation_that_it_refused_as_nothing_done) {
  (void)run("echo one > a", {{"TUNECHECK_FAULT_WATCH", "yes"},
                             {"TUNECHECK_FAULT_POINT", "before_create_1"},
                             {"TUNECHECK_FAULT_ERROR", std::to_string(EACCES)}});
  EXPECT_THAT(operations(), IsEmpty());
  EXPECT_EQ(evidence().faults.size(), 1U);
}

}  // namespace
}  // namespace tunecheck::test

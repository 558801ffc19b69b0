// docs/adapter-protocol.md: adapter.info, the process that an adapter is, and the adapter that the
// page shows, run as it stands there.
#include <set>

#include <gmock/gmock.h>

#include "core/device_kinds.hpp"
#include "core/resources.hpp"
#include "core/text.hpp"
#include "example.hpp"
#include "page.hpp"

namespace tunecheck::test::adapter_page {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;
using testing::UnorderedElementsAreArray;

const Page& page() {
  static const Page the_page("adapter-protocol.md");
  return the_page;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  if (at == text.npos) throw std::runtime_error("the page does not show " + from);
  return text.replace(at, from.size(), to);
}

std::string adapter_info() {
  for (const Block& block : page().blocks("info"))
    if (block.section == "adapter.info") return block.text;
  return {};
}

// The page's adapter.info for its files in the example's folder.
AdapterInfo adapter_in(const Example& example) {
  std::string text =
      replaced(adapter_info(), "/opt/first_steps/", (example.folder() / "").string());
  return read_adapter_info(example.write("adapter.info", text)).value();
}

TEST(AdapterPage, its_adapter_info_says_what_the_code_reads) {
  const Example example;
  const auto info = read_adapter_info(example.write("adapter.info", adapter_info()));
  ASSERT_TRUE(info) << info.error().text();
  EXPECT_EQ(info->name, "first_steps");
  EXPECT_THAT(info->command, ElementsAre("/usr/bin/python3", "/opt/first_steps/adapter.py"));
  EXPECT_EQ(info->reset_policy, ResetPolicy::every_call);
  EXPECT_EQ(info->time_limit, std::chrono::seconds(30));
  EXPECT_TRUE(info->environment.contains("OMP_NUM_THREADS"));
}

TEST(AdapterPage, lists_every_key_of_adapter_info_and_no_other) {
  const Example example;
  const auto info = read_adapter_info(
      example.write("adapter.info", replaced(adapter_info(), "{\n", "{\n  nonsense x\n")));
  ASSERT_FALSE(info);
  EXPECT_THAT(page().names_in_table("adapter.info", "key"),
              UnorderedElementsAreArray(words_expected(info.error().message)));
}

TEST(AdapterPage, keys_that_it_calls_optional_may_be_left_out_and_the_others_may_not) {
  const Example example;
  const std::string keys = page().section("adapter.info");
  for (const std::string& key : page().names_in_table("adapter.info", "key")) {
    const bool required = keys.find("| `" + key + "` | required |") != keys.npos;
    // From ";" on a line is a comment. What the example does not show is left out as it is.
    const bool is_shown = adapter_info().find("\n  " + key + " ") != std::string::npos;
    const std::string without =
        is_shown ? replaced(adapter_info(), "\n  " + key + " ", "\n  ; ") : adapter_info();
    EXPECT_EQ(read_adapter_info(example.write("adapter.info", without)).has_value(), !required)
        << key;
  }
}

TEST(AdapterPage, lists_every_kind_of_device_and_no_other) {
  const Example example;
  const auto info = read_adapter_info(example.write(
      "adapter.info", replaced(adapter_info(), "  backends ", "  backends abacus ; ")));
  ASSERT_FALSE(info);
  EXPECT_EQ(info.error().key, "backends");
  const auto known = words_expected(info.error().message);
  EXPECT_THAT(known, UnorderedElementsAreArray(names_of(all_device_kinds)));
  for (const auto& row : page().rows("adapter.info", "key")) {
    if (row.at(0) != "`backends`") continue;
    for (const std::string& name : known)
      EXPECT_THAT(row.at(2), HasSubstr("`" + name + "`"));
  }
}

TEST(AdapterPage, names_a_compiler_that_the_tuner_looks_for) {
  const Example example;
  const auto read = [&](const std::string& keys) {
    return read_adapter_info(
        example.write("adapter.info", replaced(adapter_info(), "{\n", "{\n  " + keys + "\n")));
  };
  EXPECT_EQ(read("").value().compiler, "c++");
  EXPECT_EQ(read("compilers \"g++ ptxas\"\n  compiler ptxas").value().compiler, "ptxas");
  EXPECT_THAT(read("compiler ptxas").error().message,
              HasSubstr("expected c++ or one of compilers, found \"ptxas\""));
}

TEST(AdapterPage, lists_every_reset_policy_and_no_other) {
  const Example example;
  const auto info = read_adapter_info(example.write(
      "adapter.info", replaced(adapter_info(), "reset_to_zero every_call", "reset_to_zero x")));
  ASSERT_FALSE(info);
  std::string message = info.error().message;  // "expected A, B or C, found ..."
  std::vector<std::string> known = split_words(message.substr(0, message.find("found")));
  std::erase(known, "expected");
  std::erase(known, "or");
  EXPECT_THAT(page().names_in_table("Reset policies", "policy"), UnorderedElementsAreArray(known));
}

TEST(AdapterPage, lists_every_variable_of_the_process) {
  Example example;
  example.write("adapter.py", "");
  AdapterInfo adapter = adapter_in(example);
  const auto script = example.write(
      "environment.sh", "#!/bin/sh\ntr '\\0' '\\n' < /proc/$$/environ > environment.txt\n");
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  adapter.command = {script};
  adapter.backends = {DeviceKind::cpu, DeviceKind::sim};
  for (const char* const needed : {"artifact", "burst"})
    adapter.capabilities.emplace_back(needed);
  ASSERT_EQ(::setenv("TUNECHECK_PYTHON", "/opt/python/bin/python3", 1), 0);
  ASSERT_EQ(::setenv("TUNECHECK_OTHER_PYTHON", "/opt/python/bin/python3", 1), 0);
  std::set<std::string> names;
  for (const std::string& scenario :
       {scenario_with_steps("process a { environment { CHOSEN yes }  call { expect { "
                            "store.before_first_launch yes } } }"),
        scenario_with_steps(
            "process a { kill before_write_1  call { expect { outcome killed } } }"),
        replaced(
            scenario_with_steps("process a { call { burst { calls 2  keys 1  scalar variant } } }"),
            "axpy_inplace", "keyed_copy"),
        replaced(scenario_with_steps("process a { call { } }"), "axpy_inplace",
                 "sim_smooth  backends sim")}) {
    (void)example.run(scenario, adapter);
    const auto text = read_text_file(example.folder() / "out" / "work" / "docs.example" / "a" /
                                     "work" / "environment.txt");
    ASSERT_TRUE(text) << text.error().text() << scenario;
    for (std::size_t at = 0; at < text->size();) {
      const std::size_t end = std::min(text->find('\n', at), text->size());
      names.insert(text->substr(at, text->find('=', at) - at));
      at = end + 1;
    }
  }
  ::unsetenv("TUNECHECK_PYTHON");
  ::unsetenv("TUNECHECK_OTHER_PYTHON");
  // Processes on a GPU or with Vulkan have these; workspace_observers_test and
  // vulkan_observer_test in tests/harness look at them.
  const std::set<std::string> of_gpus = {"CUDA_INJECTION64_PATH",
                                         "TUNECHECK_PROBE_KERNEL",
                                         "CUDA_CACHE_PATH",
                                         "nvrtc_variable",
                                         "hiprtc_variable",
                                         "CUDA_VISIBLE_DEVICES",
                                         "HIP_VISIBLE_DEVICES",
                                         "ROCR_VISIBLE_DEVICES",
                                         "LD_LIBRARY_PATH",
                                         "TUNECHECK_CUPTI",
                                         "LD_AUDIT",
                                         "TUNECHECK_HIP",
                                         "VK_INSTANCE_LAYERS",
                                         "VK_ADD_LAYER_PATH",
                                         "TUNECHECK_VULKAN_COMPILER",
                                         "MESA_SHADER_CACHE_DIR"};
  std::set<std::string> listed = {"OMP_NUM_THREADS", "CHOSEN"};
  for (const std::string& name : page().names_in_table("The process", "variable")) {
    if (name == "cache_variable")
      listed.insert("FIRST_STEPS_CACHE");
    else if (name == "compiler_variable")
      listed.insert("FIRST_STEPS_CXX");
    else if (name != "adapter.info" && !of_gpus.contains(name))
      listed.insert(name);
  }
  EXPECT_EQ(names, listed);
}

class ShownAdapter : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists("/usr/bin/python3"))
      GTEST_SKIP() << "the adapter that the page shows needs /usr/bin/python3";
  }
  ScenarioResult run_with(const std::string& source) {
    m_example.write("adapter.py", source);
    return m_example.run(page().file("my.info"), adapter_in(m_example));
  }

 private:
  Example m_example;
};

TEST_F(ShownAdapter, passes_the_scenario_that_the_page_begins_with) {
  const ScenarioResult result = run_with(page().file("adapter.py"));
  EXPECT_THAT(troubles(result), IsEmpty());
  EXPECT_EQ(result.verdict, Verdict::pass);
  EXPECT_EQ(result.tuner, "first_steps 1");
}

TEST_F(ShownAdapter, fails_the_checks_that_the_page_names_once_it_no_longer_restores) {
  std::string source = page().file("adapter.py");
  source = replaced(source, "mapped[name][0][:] = content", "pass");
  const ScenarioResult result = run_with(source);
  EXPECT_EQ(result.verdict, Verdict::fail);
  EXPECT_THAT(troubles(result), Contains(StartsWith("output.reference: ")));
  EXPECT_THAT(troubles(result), Contains(StartsWith("inputs.pristine: ")));
}

}  // namespace
}  // namespace tunecheck::test::adapter_page

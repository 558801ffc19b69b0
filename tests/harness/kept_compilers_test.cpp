// Spies in the places of the machine's compilers, for a command that judges no tuner.
#include "harness/process/kept_compilers.hpp"

#include <cstdlib>
#include <map>
#include <optional>

#include <gmock/gmock.h>

#include "backend/gpu/runtime_compiler.hpp"
#include "observe/spy_settings.hpp"

namespace tunecheck::test {
namespace {

namespace fs = std::filesystem;

// As a test found them, again afterwards.
class Variables {
 public:
  Variables() {
    for (const char* const name : {"LANG", "TUNECHECK_CXX", "TUNECHECK_NVRTC", "TUNECHECK_HIPRTC"})
      m_before[name] = value_of(name);
  }
  ~Variables() {
    for (const auto& [name, value] : m_before)
      if (value)
        ::setenv(name.c_str(), value->c_str(), 1);
      else
        ::unsetenv(name.c_str());
  }
  Variables(const Variables&) = delete;
  Variables& operator=(const Variables&) = delete;

  static std::optional<std::string> value_of(const std::string& name) {
    const char* const value = std::getenv(name.c_str());
    return value == nullptr ? std::nullopt : std::optional<std::string>(value);
  }

 private:
  std::map<std::string, std::optional<std::string>> m_before;
};

TEST(KeptCompilers, of_gpus_are_spies_on_what_the_machine_has) {
  const Variables restored;
  const TemporaryFolder folder = TemporaryFolder::create("tunecheck-kept").value();
  const std::map<DeviceKind, std::string> variables = {{DeviceKind::cuda, "TUNECHECK_NVRTC"},
                                                       {DeviceKind::hip, "TUNECHECK_HIPRTC"}};
  std::map<DeviceKind, fs::path> real;
  for (const auto& [kind, variable] : variables)
    if (const auto library = open_runtime_compiler(kind)) real[kind] = (*library)->file();
  if (real.empty()) GTEST_SKIP() << "there is neither NVRTC nor HIPRTC here";
  const KeptCompilers kept = KeptCompilers::use(folder.path() / "store").value();
  for (const auto& [kind, variable] : variables) {
    if (!real.contains(kind)) continue;
    const auto spy = Variables::value_of(variable);
    ASSERT_TRUE(spy) << variable;
    const auto settings = read_spy_settings(spy_settings_file(*spy));
    ASSERT_TRUE(settings) << settings.error().text();
    EXPECT_EQ(settings->real_compiler, real.at(kind));
    EXPECT_EQ(settings->store, folder.path() / "store");
  }
}

}  // namespace
}  // namespace tunecheck::test

// docs/own-kernels.md, followed word for word: its files are written, its commands run.
#include <gmock/gmock.h>

#include "console.hpp"
#include "page.hpp"

namespace tunecheck::test::own_kernels_page {
namespace {

using testing::HasSubstr;

const Page& page() {
  static const Page the_page("own-kernels.md");
  return the_page;
}

bool is_here(const Console& console, const std::string& adapter) {
  return console.run("tunecheck doctor").find("adapter " + adapter) != std::string::npos &&
         console.run("tunecheck run restore.first_result_is_right --adapter " + adapter)
                 .find("NOT TRUSTED") == std::string::npos;
}

// The commands below a heading, each as the page shows it. After the first one, which writes the
// folder, the page's own files take the place of those of the template.
void follow(const Console& console, const std::string& section, const std::string& kernel,
            const std::vector<std::string>& files) {
  int commands = 0;
  for (const Block& block : page().blocks("console")) {
    if (block.section != section) continue;
    for (const Command& command : commands_of(block.text)) {
      const std::string output = console.run(command.line);
      EXPECT_TRUE(is_shown_as(output, command.output)) << command.line << '\n' << output;
      if (commands++ == 0)
        for (const std::string& name : files)
          console.write(kernel + name, page().file(kernel + name));
    }
  }
  EXPECT_GT(commands, 0) << section;
}

TEST(OwnKernelsPage, leads_from_a_function_for_flydsl_to_a_verdict) {
  const Console console;
  if (!is_here(console, "flydsl")) GTEST_SKIP() << "FlyDSL is not here";
  follow(console, "For FlyDSL", "my_kernels/gated_add/",
         {"kernel.info", "flydsl.py", "kernel.cpp", "reference.cpp"});
}

// Triton needs a GPU; what can be seen without one is that its files are read.
TEST(OwnKernelsPage, leads_from_a_kernel_in_triton_to_scenarios_that_are_read) {
  const Console console;
  follow(console, "For Triton", "my_kernels/swiglu/", {});
  int status = -1;
  const std::string output = console.run(
      "tunecheck run --kernels my_kernels --scenarios my_kernels/swiglu/scenario.info", &status);
  EXPECT_EQ(status, 4) << output;
  EXPECT_THAT(output, HasSubstr("the adapter has no kernel \"swiglu\""));
}

// Each field of the description that the page explains is one that Triton's adapter knows.
TEST(OwnKernelsPage, shows_the_description_that_the_template_has) {
  const Console console;
  (void)console.run("tunecheck new kernel swiglu --for triton --in my_kernels");
  const std::string written = console.run("cat my_kernels/swiglu/triton.py");
  bool shown = false;
  for (const Block& block : page().blocks("python"))
    if (block.section == "For Triton")
      for (std::size_t at = 0, end = 0; at < block.text.size(); at = end + 1) {
        end = std::min(block.text.find('\n', at), block.text.size());
        const std::string line = block.text.substr(at, end - at);
        EXPECT_THAT(written, HasSubstr(line));
        shown = true;
      }
  EXPECT_TRUE(shown);
}

}  // namespace
}  // namespace tunecheck::test::own_kernels_page

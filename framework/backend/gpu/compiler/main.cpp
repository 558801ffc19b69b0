// tunecheck-gpu-compiler BACKEND: compiles GPU kernels on request, a line each on its stdin. A
// process of its own, because a runtime compiler may abort.
#include <cstdio>
#include <iostream>
#include <string>

#include "backend/gpu/compile_lines.hpp"
#include "backend/gpu/runtime_compiler.hpp"
#include "core/files.hpp"

namespace {

using namespace tunecheck;

Result<void> compile(const RuntimeCompiler& compiler, const std::string& line) {
  TUNECHECK_TRY(const CompileLine request, parse_compile_line(line));
  TUNECHECK_TRY(const std::string source, read_text_file(request.source));
  TUNECHECK_TRY(
      const Artifact artifact,
      compiler.compile(source, request.source.filename().string(), request.arch, request.options));
  return write_file(request.out, artifact.bytes);
}

void answer(const std::string& line) {
  std::cout << line << std::endl;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::fputs("usage: tunecheck-gpu-compiler cuda|hip\n", stderr);
    return 3;
  }
  const auto compiler = open_runtime_compiler(arguments[1]);
  if (!compiler) {
    answer(greeting_line(failure(compiler.error())));
    return 1;
  }
  answer(greeting_line((*compiler)->version()));
  for (std::string line; std::getline(std::cin, line);)
    answer(outcome_line(compile(**compiler, line)));
  return 0;
}

// tunecheck-gpu-compiler BACKEND THREADS: compiles GPU kernels on request, a line each on its
// stdin. A process of its own, because a runtime compiler may abort.
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <mutex>
#include <string>

#include "backend/gpu/compile_lines.hpp"
#include "backend/gpu/runtime_compiler.hpp"
#include "core/device_kinds.hpp"
#include "core/files.hpp"
#include "core/in_parallel.hpp"

namespace {

using namespace tunecheck;

Result<void> compile(const RuntimeCompiler& compiler, const CompileLine& request) {
  TUNECHECK_TRY(const std::string source, read_text_file(request.source));
  TUNECHECK_TRY(
      const Artifact artifact,
      compiler.compile(source, request.source.filename().string(), request.arch, request.options));
  return write_file(request.out, artifact.bytes);
}

void answer(const std::string& line) {
  std::cout << line << std::endl;
}

// What each thread does: the next request, until there is none.
class Server {
 public:
  explicit Server(const RuntimeCompiler& compiler) : m_compiler(compiler) {}

  void serve() {
    for (std::string line; next(line);) {
      const auto request = parse_compile_line(line);
      const CompileOutcome outcome{
          request ? request->number : 0,
          request ? compile(m_compiler, *request) : failure(request.error())};
      const std::scoped_lock one_answers(m_output);
      answer(to_line(outcome));
    }
  }

 private:
  bool next(std::string& line) {
    const std::scoped_lock one_reads(m_input);
    return static_cast<bool>(std::getline(std::cin, line));
  }

  const RuntimeCompiler& m_compiler;
  std::mutex m_input, m_output;
};

}  // namespace

int main(int count, char** arguments) {
  const long threads = count == 3 ? std::strtol(arguments[2], nullptr, 10) : 0;
  if (threads < 1) {
    std::fputs("usage: tunecheck-gpu-compiler cuda|hip THREADS\n", stderr);
    return 3;
  }
  const auto compiler = parse_device_kind(arguments[1], gpu_kinds).and_then(open_runtime_compiler);
  if (!compiler) {
    answer(greeting_line(failure(compiler.error())));
    return 1;
  }
  answer(greeting_line((*compiler)->version()));
  Server server(**compiler);
  const auto count_of_threads = static_cast<std::size_t>(threads);
  in_parallel(count_of_threads, count_of_threads, [&](std::size_t) { server.serve(); });
  return 0;
}

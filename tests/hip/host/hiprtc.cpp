// HIPRTC on the host: code for its arch is a shared library, in a code object as AMD's compilers
// make them. The source is compiled by another process (compile_server.py), which listens beside
// this library: a compiler that a tuner's process starts would be seen as one more compile.
#include <cstring>
#include <dlfcn.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <sys/socket.h>
#include <sys/un.h>

#include "runtime.hpp"

using namespace tunecheck::host_hip;
using tunecheck::shim::Kernel;

namespace {

constexpr int compilation_failed = 6;
constexpr int invalid_program = 4;

struct Program {
  std::string source, name, code, log;
};

// The socket's name: its folder is that of this library as it was opened.
std::string socket_path() {
  Dl_info place{};
  if (::dladdr(reinterpret_cast<void*>(&socket_path), &place) == 0) return {};
  const std::string own = place.dli_fname;
  return own.substr(0, own.rfind('/') + 1) + "compiler.sock";
}

// The answer to a line; "" where there is none.
std::string ask_compiler(const std::string& line) {
  const std::string path = socket_path();
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) return {};
  std::strcpy(address.sun_path, path.c_str());
  const int connection = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  std::string text;
  if (::connect(connection, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0 &&
      ::send(connection, line.data(), line.size(), MSG_NOSIGNAL) ==
          static_cast<ssize_t>(line.size())) {
    std::array<char, 65536> piece{};
    for (ssize_t got = 0; (got = ::recv(connection, piece.data(), piece.size(), 0)) > 0;)
      text.append(piece.data(), static_cast<std::size_t>(got));
  }
  ::close(connection);
  return text;
}

std::string bytes_of(const std::string& hexadecimal) {
  std::string bytes;
  for (std::size_t at = 0; at + 1 < hexadecimal.size(); at += 2)
    bytes += static_cast<char>(std::stoi(hexadecimal.substr(at, 2), nullptr, 16));
  return bytes;
}

// As the library describes them: for each parameter 256 times its size plus its alignment, then 0.
std::vector<tunecheck::gpu::Parameter> parameters_of(void* library, const std::string& kernel) {
  constexpr std::size_t alignments = 256;
  const auto describe = reinterpret_cast<const std::size_t* (*)()>(
      ::dlsym(library, ("tunecheck_describe_" + kernel).c_str()));
  std::vector<tunecheck::gpu::Parameter> parameters;
  std::size_t end = 0;
  for (const std::size_t* each = describe(); *each != 0; ++each) {
    const std::size_t size = *each / alignments;
    const std::size_t alignment = *each % alignments;
    const std::size_t offset = (end + alignment - 1) / alignment * alignment;
    parameters.push_back({offset, size});
    end = offset + size;
  }
  return parameters;
}

// The option that names the arch, if it is none of this device's.
std::string unknown_arch(int count, const char* const* options) {
  constexpr std::string_view arch_option = "--offload-arch=";
  const std::string_view own = arch;
  for (int i = 0; i < count; ++i) {
    const std::string_view option = options[i];
    if (!option.starts_with(arch_option)) continue;
    const std::string_view named = option.substr(arch_option.size());
    if (named != own && named != own.substr(0, own.find(':'))) return std::string(named);
  }
  return {};
}

int compile(Program& program, int count, const char* const* options) {
  if (const std::string named = unknown_arch(count, options); !named.empty()) {
    program.log = "error: unknown target \"" + named + "\"";
    return compilation_failed;
  }
  const nlohmann::json request = {{"source", program.source},
                                  {"options", std::vector<std::string>(options, options + count)}};
  const auto read = nlohmann::json::parse(ask_compiler(request.dump() + "\n"), nullptr, false);
  if (!read.is_object()) {
    program.log = "error: nobody compiles at " + socket_path();
    return compilation_failed;
  }
  program.log = read.at("log");
  if (!read.contains("code")) return compilation_failed;
  const std::string code = bytes_of(read.at("code"));
  void* const library = load_library(code);
  if (library == nullptr) return compilation_failed;
  std::vector<Kernel> kernels;
  for (const std::string kernel : read.at("kernels"))
    kernels.push_back({kernel, parameters_of(library, kernel)});
  const auto* const config = static_cast<const char*>(::dlsym(library, "tunecheck_config"));
  program.code = tunecheck::shim::make_code_object(kernels, config != nullptr ? config : "", code);
  return 0;
}

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

int hiprtcVersion(int* major, int* minor) {
  *major = 9;
  *minor = 0;
  return 0;
}
int hiprtcCreateProgram(Program** program, const char* source, const char* name, int /*headers*/,
                        const char* const* /*texts*/, const char* const* /*names*/) {
  *program = new Program{source, name, {}, {}};
  return 0;
}
int hiprtcDestroyProgram(Program** program) {
  delete *program;
  *program = nullptr;
  return 0;
}
int hiprtcCompileProgram(Program* program, int count, const char* const* options) {
  return compile(*program, count, options);
}
int hiprtcGetCodeSize(Program* program, std::size_t* size) {
  *size = program->code.size();
  return *size > 0 ? 0 : invalid_program;
}
int hiprtcGetCode(Program* program, char* code) {
  std::memcpy(code, program->code.data(), program->code.size());
  return 0;
}
int hiprtcGetProgramLogSize(Program* program, std::size_t* size) {
  *size = program->log.size() + 1;
  return 0;
}
int hiprtcGetProgramLog(Program* program, char* log) {
  std::memcpy(log, program->log.c_str(), program->log.size() + 1);
  return 0;
}

}  // extern "C"
#pragma GCC visibility pop

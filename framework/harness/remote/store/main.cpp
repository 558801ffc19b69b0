// tunecheck-remote-store SOCKET FOLDER: a small HTTP store, GET and PUT by path, for scenarios with
// a remote cache. Keeps each value as a file of FOLDER, and prints "ready" once it listens. It
// is ended by a signal.
#include <cstdio>
#include <filesystem>
#include <string>
#include <thread>

#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>

#include "core/digest.hpp"
#include "core/exit_status.hpp"
#include "core/files.hpp"

namespace {

namespace fs = std::filesystem;
namespace http = boost::beast::http;
using Local = boost::asio::local::stream_protocol;
using HttpRequest = http::request<http::string_body>;
using HttpResponse = http::response<http::string_body>;

constexpr std::uint64_t longest_value = std::uint64_t{256} << 20;

// Whatever the path is, it names one file of the folder.
HttpResponse answer_to(const HttpRequest& request, const fs::path& folder) {
  HttpResponse response;
  response.version(request.version());
  response.keep_alive(request.keep_alive());
  const fs::path file = folder / tunecheck::artifact_digest(std::string_view(
                                     request.target().data(), request.target().size()));
  if (request.method() == http::verb::put) {
    const bool is_kept = tunecheck::write_file_atomically(file, request.body()).has_value();
    response.result(is_kept ? http::status::created : http::status::insufficient_storage);
  } else if (request.method() != http::verb::get) {
    response.result(http::status::method_not_allowed);
  } else if (auto value = tunecheck::read_text_file(file)) {
    response.body() = std::move(*value);
  } else {
    response.result(http::status::not_found);
  }
  response.prepare_payload();
  return response;
}

void serve(Local::socket socket, const fs::path& folder) {
  boost::beast::flat_buffer buffer;
  boost::system::error_code failed;
  while (!failed) {
    http::request_parser<http::string_body> parser;
    parser.body_limit(longest_value);
    http::read(socket, buffer, parser, failed);
    if (failed) return;
    const HttpResponse response = answer_to(parser.get(), folder);
    http::write(socket, response, failed);
    if (!response.keep_alive()) return;
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) {
    std::fputs("tunecheck-remote-store: expected SOCKET FOLDER\n", stderr);
    return tunecheck::status::bad_input;
  }
  const fs::path folder = arguments[2];
  try {
    fs::create_directories(folder);
    boost::asio::io_context io;
    Local::acceptor acceptor(io, Local::endpoint(arguments[1]));
    std::puts("ready");
    std::fflush(stdout);
    for (;;)
      std::thread(serve, acceptor.accept(), folder).detach();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tunecheck-remote-store: %s\n", error.what());
    return tunecheck::status::untrusted;
  }
}

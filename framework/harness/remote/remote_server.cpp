#include "harness/remote/remote_server.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "core/resources.hpp"
#include "core/text.hpp"

namespace tunecheck {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds start_limit(20);
constexpr std::string_view foreign_value = "what another program keeps under this name";

Result<void> check_damaged(RemoteDamage damage, std::size_t values) {
  const std::size_t needed = damage == RemoteDamage::clear  ? 0
                             : damage == RemoteDamage::swap ? 2
                                                            : 1;
  if (values >= needed) return {};
  return failure("the remote cache holds {} where the scenario changes at least {}",
                 counted(values, "value"), needed);
}

// Waits until the program has printed a line with this in it.
Result<LineProcess> start_server(const std::vector<std::string>& command, const fs::path& log,
                                 std::string_view is_ready) {
  CommandOptions options;
  options.arguments = command;
  TUNECHECK_TRY(LineProcess process, LineProcess::start(options, log));
  for (;;) {
    const LineProcess::Read read = process.read_line(start_limit);
    if (read.state != LineProcess::ReadState::line)
      return failure(ErrorKind::machine, "{} does not start; see {}", command.front(),
                     log.string());
    if (read.line.find(is_ready) != read.line.npos) return process;
  }
}

// The commands of redis-cli, which stands beside every redis-server, do the damage: Lua, so that
// any byte may be in a value.
class RedisServer : public RemoteServer {
 public:
  RedisServer(TemporaryFolder folder, LineProcess process)
      : m_folder(std::move(folder)),
        m_socket(m_folder.path() / "socket"),
        m_process(std::move(process)) {}

  [[nodiscard]] const fs::path& socket() const override { return m_socket; }

  Result<void> damage(RemoteDamage damage) override {
    CommandOptions options;
    options.arguments = {"redis-cli", "-s", m_socket.string(), "EVAL", script_of(damage), "0"};
    TUNECHECK_TRY(const CommandResult done, run_command(options));
    const std::vector<std::string> words = split_words(done.output);
    const auto count = words.empty() ? std::nullopt : parse_integer(words.back());
    if (!done.end.success() || !count)
      return failure(ErrorKind::machine, "redis-cli failed: {}", done.output);
    return check_damaged(damage, static_cast<std::size_t>(*count));
  }

 private:
  static std::string script_of(RemoteDamage damage) {
    constexpr std::string_view all =
        "local keys=redis.call('KEYS','*') table.sort(keys) local values={} "
        "for i,k in ipairs(keys) do values[i]=redis.call('GET',k) end CHANGE return #keys";
    return std::string(all).replace(all.find("CHANGE"), 6, change_of(damage));
  }

  static std::string change_of(RemoteDamage damage) {
    const std::string each = "for i,k in ipairs(keys) do local v=values[i] redis.call('SET',k,";
    switch (damage) {
      case RemoteDamage::clear:
        return "redis.call('FLUSHALL')";
      case RemoteDamage::flip:
        return "for i,k in ipairs(keys) do local v=values[i] local n=math.floor(#v/2)+1 "
               "redis.call('SET',k,string.sub(v,1,n-1).."
               "string.char(bit.bxor(string.byte(v,n),1))..string.sub(v,n+1)) end";
      case RemoteDamage::truncate:
        return each + "string.sub(v,1,math.floor(#v/2))) end";
      case RemoteDamage::replace:
        return each + "'" + std::string(foreign_value) + "') end";
      case RemoteDamage::swap:
        return each + "values[i % #keys + 1]) end";
    }
    return {};
  }

  TemporaryFolder m_folder;
  fs::path m_socket;
  LineProcess m_process;
};

// tunecheck-remote-store keeps each value as a file, which is changed in its place.
class HttpServer : public RemoteServer {
 public:
  HttpServer(TemporaryFolder folder, LineProcess process)
      : m_folder(std::move(folder)),
        m_socket(m_folder.path() / "socket"),
        m_process(std::move(process)) {}

  [[nodiscard]] const fs::path& socket() const override { return m_socket; }

  Result<void> damage(RemoteDamage damage) override {
    std::vector<fs::path> files;
    std::error_code error;
    for (const auto& entry : fs::recursive_directory_iterator(m_folder.path() / "values", error))
      if (entry.is_regular_file()) files.push_back(entry.path());
    if (error) return failure(ErrorKind::machine, "the store's values: {}", error.message());
    std::sort(files.begin(), files.end());
    std::vector<std::string> values;
    for (const fs::path& file : files) {
      TUNECHECK_TRY(std::string value, read_text_file(file));
      values.push_back(std::move(value));
    }
    for (std::size_t i = 0; i < files.size(); ++i) {
      if (damage == RemoteDamage::clear) {
        fs::remove(files[i], error);
        continue;
      }
      TUNECHECK_CHECK(write_file_atomically(files[i], changed(damage, values, i)));
    }
    return check_damaged(damage, files.size());
  }

 private:
  static std::string changed(RemoteDamage damage, const std::vector<std::string>& values,
                             std::size_t index) {
    std::string value = values[index];
    if (damage == RemoteDamage::truncate) value.resize(value.size() / 2);
    if (damage == RemoteDamage::flip && !value.empty())
      value[value.size() / 2] = static_cast<char>(value[value.size() / 2] ^ 1);
    if (damage == RemoteDamage::replace) value = foreign_value;
    if (damage == RemoteDamage::swap) value = values[(index + 1) % values.size()];
    return value;
  }

  TemporaryFolder m_folder;
  fs::path m_socket;
  LineProcess m_process;
};

}  // namespace

Result<std::unique_ptr<RemoteServer>> RemoteServer::start(RemoteServerKind kind,
                                                          const fs::path& folder) {
  TUNECHECK_TRY(TemporaryFolder own, TemporaryFolder::create("tunecheck-remote"));
  const std::string socket = (own.path() / "socket").string();
  const fs::path log = folder / "remote.log";
  if (kind == RemoteServerKind::http) {
    TUNECHECK_TRY(LineProcess process,
                  start_server({(program_folder() / "tunecheck-remote-store").string(), socket,
                                (own.path() / "values").string()},
                               log, "ready"));
    return std::unique_ptr<RemoteServer>(
        std::make_unique<HttpServer>(std::move(own), std::move(process)));
  }
  if (find_program("redis-server").empty() || find_program("redis-cli").empty())
    return failure(ErrorKind::unsupported,
                   "there is no redis-server here; expected it and redis-cli in PATH");
  TUNECHECK_TRY(LineProcess process,
                start_server({"redis-server", "--port", "0", "--unixsocket", socket, "--save", "",
                              "--appendonly", "no", "--dir", own.path().string()},
                             log, "eady to accept connections"));
  return std::unique_ptr<RemoteServer>(
      std::make_unique<RedisServer>(std::move(own), std::move(process)));
}

}  // namespace tunecheck

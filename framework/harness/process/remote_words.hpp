#pragma once
// What a scenario says of the remote cache that a process is given. Plain data.
#include <cstdint>
#include <string>
#include <vector>

namespace tunecheck {

/// Which real server stands behind it.
enum class RemoteServerKind { redis, http };

/// How the way to the server behaves, whatever the server does.
enum class RemoteWay {
  plain,      ///< passes everything on
  down,       ///< nobody listens
  hangs,      ///< takes the request and never answers
  slow,       ///< passes the answer on a few bytes a second
  garbage,    ///< answers with bytes that no protocol has
  truncated,  ///< passes on the beginning of a long answer, and ends the connection
};

/// With which secret the process signs, and expects others to sign.
enum class RemoteKey {
  own,    ///< that of the scenario's other processes
  other,  ///< one that they do not have: somebody who may write to the server, and nothing else
  none,   ///< none at all
};

struct RemoteChoice {
  RemoteServerKind server = RemoteServerKind::redis;
  RemoteWay way = RemoteWay::plain;
  RemoteKey key = RemoteKey::own;
  std::string salt;  ///< "" where the tuner is told none

  bool operator==(const RemoteChoice&) const = default;
};

/// What happens to the values on the server, between processes.
enum class RemoteDamage {
  clear,     ///< all are gone
  flip,      ///< a bit in the middle of each changes
  truncate,  ///< each is halved
  replace,   ///< each becomes a text of another format
  swap,      ///< each takes the place of another one, all of them whole
};

/// One request that the process sent, as the way to the server saw it.
struct RemoteRequest {
  std::int64_t began_ns = 0;  ///< CLOCK_MONOTONIC, its first byte
  std::int64_t ended_ns = 0;  ///< the last byte of the answer, or the end of the connection; 0: not
                              ///< yet when the process ended
  bool is_answered = false;   ///< at least a byte came back
  bool is_read = false;       ///< it asks for a value
};

}  // namespace tunecheck

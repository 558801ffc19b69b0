#pragma once
// Which remote cache a tuner uses, and how far it goes with it. docs/remote-cache.md says what each
// option is for.
#include <chrono>
#include <optional>
#include <string>

#include "core/result.hpp"

namespace tunecheck {

struct RemoteOptions {
  /// redis://, rediss:// (with TLS), http:// or https://, as docs/remote-cache.md describes.
  std::string address;
  /// Part of every name: two groups that share a server and must not share winners have two.
  std::string salt;
  /// Signs what is stored and is asked of what is read. "" where there is none: then binaries are
  /// neither sent nor taken, and the config of an entry is only a proposal.
  std::string key;
  /// PEM file with the authorities whose certificates are good; "" for those of the system.
  std::string authorities_file;
  /// One read or one write may take this long, whatever the server does. A call makes at most one
  /// of each.
  std::chrono::milliseconds time_limit{1000};
  /// After so many failures in a row the remote is left alone for `pause`.
  int failures_until_pause = 3;
  std::chrono::milliseconds pause = std::chrono::minutes(1);
};

/// What TUNECHECK_REMOTE, TUNECHECK_REMOTE_SALT, TUNECHECK_REMOTE_KEY_FILE,
/// TUNECHECK_REMOTE_AUTHORITIES and TUNECHECK_REMOTE_LIMIT_MS say; nothing where the first is not
/// set. An error of the kind bad_input names the variable.
[[nodiscard]] Result<std::optional<RemoteOptions>> remote_options_from_environment();

/// The key in the file that TUNECHECK_REMOTE_KEY_FILE names; "" where it is not set. An error of
/// the kind bad_input names the variable, also where it is set and empty: a user who sets it
/// wants signatures, and would have none without a word.
[[nodiscard]] Result<std::string> remote_key_from_environment();

/// An error of the kind bad_input if the address can be no remote cache's; it does not repeat the
/// address, which may hold a password. Asks no server. What this machine or this build lacks is no
/// error here: it is one of every read and write.
[[nodiscard]] Result<void> check_remote_address(const RemoteOptions& options);

/// The content of a key file: at least 32 bytes, in a file that belongs to this user and that
/// nobody else may read or write. A line end at its end is no part of it.
[[nodiscard]] Result<std::string> read_remote_key(const std::string& file);

}  // namespace tunecheck

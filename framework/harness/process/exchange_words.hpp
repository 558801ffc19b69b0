#pragma once
// What a scenario says of files that processes of a tuner hand to each other: an offline table, and
// a bundle of a program's entries. Plain data.
#include <filesystem>

#include "harness/process/remote_words.hpp"

namespace tunecheck {

enum class ExchangeKind { table, bundle, archive };

/// What the process is told of the scenario's offline table.
enum class TableUse {
  none,
  write,  ///< its winners go into it
  read,   ///< it takes winners from it
};

/// The process is told of the scenario's bundle.
struct BundleChoice {
  RemoteKey key = RemoteKey::own;  ///< with which secret it signs, and expects others to sign

  bool operator==(const BundleChoice&) const = default;
};

/// The process exports the entries of its cache folder, or imports what another one exported.
struct ArchiveChoice {
  bool imports = false;
  RemoteKey key = RemoteKey::own;  ///< with which secret it signs, or expects others to sign

  bool operator==(const ArchiveChoice&) const = default;
};

/// Where it finds the file of entries, and the secret that signs it (empty for none).
struct ArchiveFiles {
  std::filesystem::path entries, key;
};

/// What happens to the files between processes.
enum class ExchangeDamage {
  clear,     ///< all are gone
  flip,      ///< a bit in the middle of each changes
  truncate,  ///< each is cut somewhere
  replace,   ///< each becomes a text of another format
};

}  // namespace tunecheck

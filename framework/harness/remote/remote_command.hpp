#pragma once
// What a request to a remote cache wants, by its first bytes.
#include <string_view>

namespace tunecheck {

/// Whether bytes that begin a request ask for a value: GET or HEAD of HTTP (RFC 9110), or a command
/// of Redis's protocol (RESP) that reads, also behind others that were sent together with it
/// (HELLO, AUTH, SELECT). False for bytes of anything else.
[[nodiscard]] bool asks_for_a_value(std::string_view bytes);

}  // namespace tunecheck

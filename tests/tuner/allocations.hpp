#pragma once
// How often operator new has been called, to see that something does not allocate.

namespace tunecheck::test {

// In this thread, since its start.
[[nodiscard]] int allocations();

}  // namespace tunecheck::test

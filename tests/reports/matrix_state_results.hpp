#pragma once
// A tuner whose answers are of every kind, with the causes behind them.
#include "reports/matrix/matrix.hpp"

namespace tunecheck::test {

/// Its checks: guard.intact holds; inputs.pristine fails by a policy, corrupt.is_miss by what is
/// never said, key.must_hit by a broken promise, store.synced by a mark without a cause, and
/// winner.correct unexplained; memory.flat has no evidence, key.explained cannot be asked.
[[nodiscard]] MatrixTuner explained_tuner();

}  // namespace tunecheck::test

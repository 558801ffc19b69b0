// y = cumsum(x) in one pass. WORKERS threads take tiles of TILE elements by tickets, in order, as
// the blocks of a GPU do. A tile whose predecessor is not ready publishes its own sum, adds up what
// the tiles before it have published, back to the first one that knows its whole prefix, and only
// then writes. The status must be zero: sums that a former launch left in it are taken for
// published ones.
#include <tunecheck/cpu_kernel.h>
#include <tunecheck/streamed.h>

#include <pthread.h>

#include "lookback.h"

namespace {

using Input = tunecheck::Tensor<X_TYPE>;
using Output = tunecheck::Tensor<Y_TYPE>;
using Status = tunecheck::Tensor<STATUS_TYPE>;
using Number = lookback::Wide<X_TYPE>;
using Sum = Number::Type;

constexpr int lanes = 4;
constexpr int group = 4 * lanes;
constexpr int64_t ahead = 1024;  // elements between what is read and what is asked for
using Vector __attribute__((vector_size(lanes * sizeof(X_TYPE)))) = X_TYPE;

// Scans `group` numbers: `to` gets the sums plus `before`. Only the total of a group depends on the
// group in front of it; the sums within are made in parallel.
template <bool write>
inline __attribute__((always_inline)) X_TYPE scan_group(const X_TYPE* from, X_TYPE before,
                                                        X_TYPE* to) {
  const Vector zero{};
  Vector offset{};
  for (int p = 0; p < group / lanes; ++p) {
    Vector part;
    __builtin_memcpy(&part, from + p * lanes, sizeof part);
    part += __builtin_shufflevector(zero, part, 0, 4, 5, 6);
    part += __builtin_shufflevector(zero, part, 0, 1, 4, 5);
    part += offset;
    offset = __builtin_shufflevector(part, part, 3, 3, 3, 3);
    if constexpr (write) {
      part += before;
      __builtin_memcpy(to + p * lanes, &part, sizeof part);
    }
  }
  return offset[0];
}

// The sum of elements [first, last); if `write`, y gets their prefix sums plus `before`.
template <bool write, bool unit>
Sum scan(const Input& x, const Output& y, int64_t first, int64_t last, Sum before) {
  Sum sum = 0;
  const bool streamed =
      write && unit && tunecheck::streams_well(y.size(0) * int64_t{sizeof(Y_TYPE)});
  for (int64_t i = first; i < last; i += group) {
    const auto carry = static_cast<X_TYPE>(before + sum);
    if (streamed && last - i >= group) {
      if (x.size(0) - i >= ahead + group) tunecheck::fetch(x.data() + i + ahead, group);
      X_TYPE line[group];
      sum += scan_group<write>(x.data() + i, carry, line);
      tunecheck::stream(y.data() + i, group, [&](int64_t k) { return line[k]; });
      continue;
    }
    if (unit && last - i >= group) {
      sum += scan_group<write>(x.data() + i, carry, y.data() + i);
      continue;
    }
    const int64_t count = last - i < group ? last - i : group;
    X_TYPE in[group] = {};
    X_TYPE out[group];
    for (int64_t k = 0; k < count; ++k)
      in[k] = x(i + k);
    sum += scan_group<write>(in, carry, out);
    if (write)
      for (int64_t k = 0; k < count; ++k)
        y(i + k) = out[k];
  }
  return sum;
}

struct Launch {
  Input x;
  Output y;
  Status status;
  int64_t tiles;
  int64_t left;  // tiles that no worker has begun; a GPU starts as many blocks as there are tiles

  uint64_t word(int64_t tile) const {
    return static_cast<uint64_t>(__atomic_load_n(&status(1 + tile), __ATOMIC_RELAXED));
  }
  void publish(int64_t tile, uint64_t addition) const {
    // The word is all that others read, so nothing has to be ordered with it.
    __atomic_fetch_add(&status(1 + tile), static_cast<int64_t>(addition), __ATOMIC_RELAXED);
  }
  uint64_t wait_for(int64_t tile) const {
    for (int tries = 1;; ++tries) {
      const uint64_t read = word(tile);
      if (lookback::count_of(read) != 0) return read;
      if (tries % 64 == 0) sched_yield();
    }
  }
  int64_t look_back(int64_t tile) const {
    int64_t steps = 0;
    while (tile > 0) {
      const uint64_t read = wait_for(--tile);
      steps += lookback::steps_of(read);
      if (lookback::count_of(read) >= lookback::up_to_here) break;
    }
    return steps;
  }
};

template <bool unit>
void scan_tile(const Launch& launch, int64_t tile) {
  const int64_t first = tile * TILE;
  const int64_t rest = launch.x.size(0) - first;
  const int64_t last = first + (rest < TILE ? rest : TILE);
  const bool ready = tile == 0 || lookback::count_of(launch.word(tile - 1)) >= lookback::up_to_here;
  if (ready) {
    const int64_t before = launch.look_back(tile);
    const Sum sum = scan<true, unit>(launch.x, launch.y, first, last, Number::sum(before));
    launch.publish(tile, lookback::addition(before + Number::steps(sum), lookback::up_to_here));
    return;
  }
  const Sum sum = scan<false, unit>(launch.x, launch.y, first, last, 0);
  launch.publish(tile, lookback::addition(Number::steps(sum), lookback::tile_only));
  const int64_t before = launch.look_back(tile);
  launch.publish(tile, lookback::addition(before, lookback::up_to_here - lookback::tile_only));
  scan<true, unit>(launch.x, launch.y, first, last, Number::sum(before));
}

void* work(void* argument) {
  Launch& launch = *static_cast<Launch*>(argument);
  const bool unit = launch.x.stride(0) == 1 && launch.y.stride(0) == 1;
  while (__atomic_fetch_sub(&launch.left, 1, __ATOMIC_RELAXED) > 0) {
    const auto ticket =
        static_cast<uint64_t>(__atomic_fetch_add(&launch.status(0), 1, __ATOMIC_RELAXED));
    // Whatever the ticket, nothing outside is touched.
    const auto tile = static_cast<int64_t>(ticket % static_cast<uint64_t>(launch.tiles));
    (unit ? scan_tile<true> : scan_tile<false>)(launch, tile);
  }
  tunecheck::end_of_streams();
  return nullptr;
}

}  // namespace

void scan_lookback(Input x, Output y, Status status) {
  const int64_t tiles = (x.size(0) + TILE - 1) / TILE;
  Launch launch{x, y, status, tiles, tiles};
  pthread_t helpers[WORKERS];
  int started = 0;
  // Whatever thread cannot be had, the others do its work.
  while (started < WORKERS - 1 && started + 1 < tiles &&
         pthread_create(&helpers[started], nullptr, work, &launch) == 0)
    ++started;
  work(&launch);
  for (int h = 0; h < started; ++h)
    pthread_join(helpers[h], nullptr);
}
TUNECHECK_KERNEL(scan_lookback)

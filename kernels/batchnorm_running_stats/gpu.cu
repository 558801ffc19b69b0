// Batch normalization with running statistics. A block owns STRIP channels; its threads form
// row_lanes rows of STRIP, and each thread reads every row_lanes-th row of one channel, CHUNK of
// them at a time: their mean and squared deviations are merged into those of the rows before (Chan,
// Golub and LeVeque), and the row lanes are merged in the same way through shared memory. Where the
// rows are dense and aligned, a thread has neighbouring channels instead of one, in a vector of up
// to 16 bytes, and keeps the rows that it reads last, so that it need not read them again.
#include <tunecheck/gpu_rows.h>

namespace {

using tunecheck::Row;
using tunecheck::Vector;

// More threads would have fewer registers, and a multiprocessor could keep fewer rows.
constexpr int threads = STRIP > 256 ? STRIP : 256;
constexpr int row_lanes = threads / STRIP;
static_assert(row_lanes * STRIP == threads, "each row lane has a thread for each channel");

// The statistics of some channels over the same rows.
template <int channels>
struct Statistics {
  float count, mean[channels], squares[channels];

  // The statistics of the thread `distance` further on are merged into those of this one.
  __device__ void merge_further_lane(int distance) {
    Statistics other;
    other.count = tunecheck::from_further_lane(count, distance);
#pragma unroll
    for (int e = 0; e < channels; ++e) {
      other.mean[e] = tunecheck::from_further_lane(mean[e], distance);
      other.squares[e] = tunecheck::from_further_lane(squares[e], distance);
    }
    merge(other);
  }
  __device__ void merge(const Statistics& other) {
    const float all = count + other.count;
    const float weight = all > 0 ? other.count / all : 0;  // else neither has seen a row
    const float between = weight * count;
#pragma unroll
    for (int e = 0; e < channels; ++e) {
      const float distance = other.mean[e] - mean[e];
      mean[e] += weight * distance;
      squares[e] += other.squares[e] + between * distance * distance;
    }
    count = all;
  }
};

// What is the same for both ways to read a strip.
struct Strip {
  const tunecheck::Tensor<X_TYPE>& x;
  const tunecheck::Tensor<WEIGHT_TYPE>& weight;
  const tunecheck::Tensor<BIAS_TYPE>& bias;
  const tunecheck::Tensor<RUNNING_MEAN_TYPE>& running_mean;
  const tunecheck::Tensor<RUNNING_VAR_TYPE>& running_var;
  const tunecheck::Tensor<Y_TYPE>& y;
  float momentum, eps;
};

// The parameters of a channel. They are loaded before its statistics are known.
struct Channel {
  const Strip& strip;
  int64_t c;
  float weight, bias, running_mean, running_var;

  __device__ Channel(const Strip& owner, int64_t channel)
      : strip(owner),
        c(channel),
        weight(owner.weight(channel)),
        bias(owner.bias(channel)),
        running_mean(owner.running_mean(channel)),
        running_var(owner.running_var(channel)) {}

  __device__ float scale(const Statistics<1>& total) const {
    return weight * rsqrtf(total.squares[0] / total.count + strip.eps);
  }
  __device__ float shift(const Statistics<1>& total, float scale) const {
    return bias - total.mean[0] * scale;
  }
  __device__ void run_on(const Statistics<1>& total) const {
    const int64_t rows = strip.x.size(0);
    const float unbiased = rows > 1 ? total.squares[0] / static_cast<float>(rows - 1) : 0;
    strip.running_mean(c) = running_mean + strip.momentum * (total.mean[0] - running_mean);
    strip.running_var(c) = running_var + strip.momentum * (unbiased - running_var);
  }
};

constexpr int vector_width = tunecheck::vector_width_of<(STRIP < 8 ? STRIP : 8), X_TYPE, Y_TYPE>();
// Threads next to each other must be within a group of 32, which is merged without shared memory.
constexpr bool vectors_fit = vector_width > 1 && STRIP / vector_width <= 32;
using Loaded = Vector<X_TYPE, vector_width>;

// The last rows of a thread: most of them in registers, the others in shared memory. A block of a
// narrow strip has a multiprocessor for itself and keeps as much as the registers and 48 KiB of
// shared memory hold.
struct KeptRows {
  using Word = decltype(Loaded::word);
  static constexpr int count = (STRIP == 8 ? 256 : 128) / vector_width;
  static constexpr int in_shared = STRIP == 8 ? 11 : 0;
  static constexpr int in_registers = count - in_shared;
  // A thread keeps a whole number of steps.
  static constexpr int step = CHUNK < 8 ? 8 : CHUNK;
  static constexpr int steps = count / step;
  static_assert(count % step == 0 && step % CHUNK == 0, "each step has whole chunks");

  struct Memory {
    alignas(16) unsigned char bytes[in_shared * threads * sizeof(Word) + (in_shared == 0 ? 1 : 0)];
  };

  __device__ explicit KeptRows(Memory& memory)
      : m_shared(reinterpret_cast<Word*>(memory.bytes) + threadIdx.x) {}

  __device__ void begin_load(int i, const X_TYPE* from) {
    const auto* const word = reinterpret_cast<const Word*>(from);
    if (i < in_registers)
      m_registers[i].word = tunecheck::load_word_once(word);
    else
      tunecheck::begin_copy(&m_shared[(i - in_registers) * threads], word);
  }
  __device__ static constexpr bool is_shared(int i) { return i >= in_registers; }
  __device__ Loaded operator[](int i) const {
    if (i < in_registers) return m_registers[i];
    Loaded row;
    row.word = m_shared[(i - in_registers) * threads];
    return row;
  }

 private:
  Loaded m_registers[in_registers];
  Word* m_shared;  // the first one of this thread
};

struct InVectors {
  static constexpr int across = vectors_fit ? STRIP / vector_width : 1;  // threads
  static constexpr int down = threads / across;
  static constexpr int groups = threads / 32;

  template <class T>
  static __device__ bool rows_have_vectors(const tunecheck::Tensor<T>& tensor) {
    return tensor.stride(1) == 1 && tensor.stride(0) % vector_width == 0 &&
           Row<T>{tensor.data(), 1}.template has_vectors<vector_width>();
  }

  template <int count>
  struct LoadedRows {
    Loaded rows[count];

    __device__ LoadedRows(X_TYPE* from, int64_t step) {
#pragma unroll
      for (int i = 0; i < count; ++i)
        rows[i] = Row<X_TYPE>{from + i * step, 1}.load<vector_width>(0);
    }
    __device__ const Loaded& operator[](int i) const {
      return rows[i];
    }
  };

  template <int count, class Rows>
  static __device__ void see(const Rows& rows, int first, Statistics<vector_width>& total,
                             bool are_shared = false) {
    Statistics<vector_width> chunk = {};
    chunk.count = count;
#pragma unroll
    for (int i = first; i < first + count; ++i) {
      const Loaded row = rows[i];
#pragma unroll
      for (int e = 0; e < vector_width; ++e)
        chunk.mean[e] += static_cast<float>(row.elements[e]);
    }
#pragma unroll
    for (int e = 0; e < vector_width; ++e)
      chunk.mean[e] /= count;
    // Rows of shared memory are read again below: no registers are left to hold them.
    if (are_shared) tunecheck::wait_for_copies();
#pragma unroll
    for (int i = first; i < first + count; ++i) {
      const Loaded row = rows[i];
#pragma unroll
      for (int e = 0; e < vector_width; ++e) {
        const float distance = static_cast<float>(row.elements[e]) - chunk.mean[e];
        chunk.squares[e] += distance * distance;
      }
    }
    total.merge(chunk);
  }

  // The block's shared memory: the statistics of each group, then what the rows need of them.
  struct Merged {
    float count[groups], mean[groups][STRIP], squares[groups][STRIP];
    float scale[STRIP], shift[STRIP];

    __device__ void put(const Statistics<vector_width>& total, unsigned group, unsigned in_strip) {
      count[group] = total.count;
#pragma unroll
      for (int e = 0; e < vector_width; ++e) {
        mean[group][in_strip + e] = total.mean[e];
        squares[group][in_strip + e] = total.squares[e];
      }
    }
    // Neighbouring threads have the groups of one channel.
    __device__ void merge_groups(const Strip& strip, int64_t first_channel) {
      for (int i = static_cast<int>(threadIdx.x); i < groups * STRIP; i += threads) {
        const int group = i % groups;
        const int in_strip = i / groups;
        const Channel channel(strip, first_channel + in_strip);
        Statistics<1> total{count[group], {mean[group][in_strip]}, {squares[group][in_strip]}};
#pragma unroll
        for (int distance = groups / 2; distance > 0; distance /= 2)
          total.merge_further_lane(distance);
        if (group == 0) {
          scale[in_strip] = channel.scale(total);
          shift[in_strip] = channel.shift(total, scale[in_strip]);
          channel.run_on(total);
        }
      }
    }
  };

  // y = x * scale + shift for the channels of a thread.
  struct Normalization {
    float scale[vector_width], shift[vector_width];

    __device__ Normalization(const Merged& merged, unsigned in_strip) {
#pragma unroll
      for (int e = 0; e < vector_width; ++e) {
        scale[e] = merged.scale[in_strip + e];
        shift[e] = merged.shift[in_strip + e];
      }
    }
    __device__ void store(const Loaded& row, Y_TYPE* to) const {
      Vector<Y_TYPE, vector_width> result;
#pragma unroll
      for (int e = 0; e < vector_width; ++e)
        result.elements[e] = static_cast<float>(row.elements[e]) * scale[e] + shift[e];
      Row<Y_TYPE>{to, 1}.template store<vector_width>(0, result);
    }
  };

  struct Memory {
    KeptRows::Memory kept;
    Merged merged;
  };

  static __device__ void run(const Strip& strip, int64_t first_channel, Memory& memory) {
    const unsigned thread = threadIdx.x;
    const unsigned in_strip = thread % across * vector_width;
    const unsigned lane = thread / across;
    const int64_t x_step = strip.x.stride(0) * down;
    const int64_t y_step = strip.y.stride(0) * down;
    if (thread < STRIP) prefetch_channel(strip, first_channel + thread);

    // A thread can keep only the last ones of its rows; it reads the others twice.
    const int rows = static_cast<int>((strip.x.size(0) - lane + down - 1) / down);
    const int steps = rows < KeptRows::count ? rows / KeptRows::step : KeptRows::steps;
    const int not_kept = rows - steps * KeptRows::step;
    X_TYPE* x = &strip.x(lane, first_channel + in_strip);
    Y_TYPE* y = &strip.y(lane + not_kept * int64_t{down}, first_channel + in_strip);
    Statistics<vector_width> total = {};
    int seen = 0;
#pragma unroll 1
    for (; seen + CHUNK <= not_kept; seen += CHUNK, x += CHUNK * x_step)
      see<CHUNK>(LoadedRows<CHUNK>(x, x_step), 0, total);
#pragma unroll 1
    for (; seen < not_kept; ++seen, x += x_step)
      see<1>(LoadedRows<1>(x, x_step), 0, total);

    KeptRows kept(memory.kept);
    for_each_kept(steps, x, x_step, [&](int i, const X_TYPE* from) { kept.begin_load(i, from); });
    __syncthreads();  // for compilers: all loads have begun before the first row is used
#pragma unroll
    for (int step = 0; step < KeptRows::steps; ++step) {
      const bool are_shared = KeptRows::is_shared((step + 1) * KeptRows::step - 1);
      if (are_shared) tunecheck::wait_for_copies();
      if (step < steps)
#pragma unroll
        for (int i = step * KeptRows::step; i < (step + 1) * KeptRows::step; i += CHUNK)
          see<CHUNK>(kept, i, total, are_shared);
    }

#pragma unroll
    for (int distance = 16; distance >= across; distance /= 2)
      total.merge_further_lane(distance);
    if (thread % 32 < across) memory.merged.put(total, thread / 32, in_strip);
    __syncthreads();
    memory.merged.merge_groups(strip, first_channel);
    __syncthreads();

    const Normalization normalization(memory.merged, in_strip);
    for_each_kept(steps, y, y_step, [&](int i, Y_TYPE* to) { normalization.store(kept[i], to); });
    // Rows that were read last are the most likely ones to be in a cache still.
    constexpr int at_once = 4;
#pragma unroll 1
    for (; seen >= at_once; seen -= at_once) {
      x -= at_once * x_step;
      y -= at_once * y_step;
      const LoadedRows<at_once> again(x, x_step);
#pragma unroll
      for (int i = 0; i < at_once; ++i)
        normalization.store(again[i], y + i * y_step);
    }
#pragma unroll 1
    for (; seen > 0; --seen) {
      x -= x_step;
      y -= y_step;
      normalization.store(LoadedRows<1>(x, x_step)[0], y);
    }
  }

 private:
  static __device__ void prefetch_channel(const Strip& strip, int64_t channel) {
    tunecheck::row_from(strip.weight, channel).prefetch(0);
    tunecheck::row_from(strip.bias, channel).prefetch(0);
    tunecheck::row_from(strip.running_mean, channel).prefetch(0);
    tunecheck::row_from(strip.running_var, channel).prefetch(0);
  }

  // Calls use(i, at) for each kept row i.
  template <class T, class Use>
  static __device__ void for_each_kept(int steps, T* at, int64_t stride, Use use) {
#pragma unroll
    for (int step = 0; step < KeptRows::steps; ++step)
      if (step < steps)
#pragma unroll
        for (int i = step * KeptRows::step; i < (step + 1) * KeptRows::step; ++i) {
          use(i, at);
          at += stride;
        }
  }
};

struct InElements {
  // Loads on their way at once, more where a multiprocessor has few threads.
  static constexpr int most = STRIP == 8 ? 16 : 8;
  static constexpr int at_once = CHUNK < most ? most / CHUNK * CHUNK : CHUNK;

  static __device__ void run(const Strip& strip) {
    __shared__ Statistics<1> lanes[threads];
    const int64_t rows = strip.x.size(0);
    const int thread = static_cast<int>(threadIdx.x);
    const int in_strip = thread % STRIP;
    const int lane = thread / STRIP;
    const int64_t c = static_cast<int64_t>(blockIdx.x) * STRIP + in_strip;
    const bool inside = c < strip.x.size(1);

    lanes[thread] = inside ? statistics_of(strip, lane, c) : Statistics<1>{};
    __syncthreads();
    for (int half = row_lanes / 2; half > 0; half /= 2) {
      if (lane < half) lanes[thread].merge(lanes[thread + half * STRIP]);
      __syncthreads();
    }
    if (!inside) return;  // nobody waits any more

    const Statistics<1> total = lanes[in_strip];
    const Channel channel(strip, c);
    const float scale = channel.scale(total);
    const float shift = channel.shift(total, scale);
    if (lane == 0) channel.run_on(total);
    for (int64_t first = lane; first < rows; first += row_lanes * at_once) {
      const Values values(strip, first, c);
#pragma unroll
      for (int i = 0; i < at_once; ++i)
        if (first + i * row_lanes < rows)
          strip.y(first + i * row_lanes, c) = values.of[i] * scale + shift;
    }
  }

 private:
  // Those of a thread's rows from `first` on, as far as there are rows.
  struct Values {
    float of[at_once];

    __device__ Values(const Strip& strip, int64_t first, int64_t c) {
#pragma unroll
      for (int i = 0; i < at_once; ++i)
        if (first + i * row_lanes < strip.x.size(0)) of[i] = strip.x(first + i * row_lanes, c);
    }
  };

  static __device__ Statistics<1> statistics_of(const Strip& strip, int lane, int64_t c) {
    const int64_t rows = strip.x.size(0);
    Statistics<1> total = {};
    for (int64_t first = lane; first < rows; first += row_lanes * at_once) {
      const Values values(strip, first, c);
#pragma unroll
      for (int k = 0; k < at_once; k += CHUNK) {
        const auto is_row = [&](int i) { return first + i * row_lanes < rows; };
        if (!is_row(k)) break;
        Statistics<1> chunk = {};
#pragma unroll
        for (int i = k; i < k + CHUNK; ++i)
          if (is_row(i)) {
            chunk.mean[0] += values.of[i];
            chunk.count += 1;
          }
        chunk.mean[0] /= chunk.count;
#pragma unroll
        for (int i = k; i < k + CHUNK; ++i)
          if (is_row(i)) {
            const float distance = values.of[i] - chunk.mean[0];
            chunk.squares[0] += distance * distance;
          }
        total.merge(chunk);
      }
    }
    return total;
  }
};

}  // namespace

extern "C" __global__ void __launch_bounds__(threads, 1)
    batchnorm_running_stats(tunecheck::Tensor<X_TYPE> x, tunecheck::Tensor<WEIGHT_TYPE> weight,
                            tunecheck::Tensor<BIAS_TYPE> bias,
                            tunecheck::Tensor<RUNNING_MEAN_TYPE> running_mean,
                            tunecheck::Tensor<RUNNING_VAR_TYPE> running_var,
                            tunecheck::Tensor<Y_TYPE> y, float momentum, float eps) {
  if (x.size(0) == 0) return;
  const Strip strip{x, weight, bias, running_mean, running_var, y, momentum, eps};
  if constexpr (vectors_fit) {
    const int64_t first_channel = static_cast<int64_t>(blockIdx.x) * STRIP;
    if (first_channel + STRIP <= x.size(1) && InVectors::rows_have_vectors(x) &&
        InVectors::rows_have_vectors(y)) {
      __shared__ InVectors::Memory memory;
      InVectors::run(strip, first_channel, memory);
      return;
    }
  }
  InElements::run(strip);
}

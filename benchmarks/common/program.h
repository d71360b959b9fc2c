// What every CUDA program below benchmarks/ shares: error checks, size arguments, seeded inputs, comparison
// with the host, the verdict.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <vector>

#define CUDA_CHECK(call)                                                                             \
  do {                                                                                               \
    const cudaError_t error = (call);                                                                \
    if (error != cudaSuccess) {                                                                      \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(error)); \
      std::exit(2);                                                                                  \
    }                                                                                                \
  } while (0)

// A launch reports bad configurations only through the last error.
#define CHECK_LAUNCH() CUDA_CHECK(cudaGetLastError())

namespace program {

// The positional argument `index` as a positive integer, or `fallback` where it is absent. Exits with 2 on
// nonsense.
inline int argument(int argc, char** argv, int index, int fallback) {
  if (argc <= index) return fallback;
  char* end = nullptr;
  const long value = std::strtol(argv[index], &end, 10);
  if (end == argv[index] || *end != '\0' || value < 1 || value > (1 << 28)) {
    std::fprintf(stderr, "argument %d: \"%s\" is not a size from 1 to 2^28\n", index, argv[index]);
    std::exit(2);
  }
  return static_cast<int>(value);
}

// Whether the only argument is --large. Exits with 2 on any other.
inline bool large(int argc, char** argv) {
  if (argc == 1) return false;
  if (argc == 2 && std::strcmp(argv[1], "--large") == 0) return true;
  std::fprintf(stderr, "usage: %s [--large]\n", argv[0]);
  std::exit(2);
}

// The size a program was asked for: `small_size` without an argument, `large_size` for --large, or a number.
inline int size(int argc, char** argv, int small_size, int large_size) {
  if (argc == 2 && std::strcmp(argv[1], "--large") == 0) return large_size;
  if (argc <= 2) return argument(argc, argv, 1, small_size);
  std::fprintf(stderr, "usage: %s [SIZE | --large]\n", argv[0]);
  std::exit(2);
}

// SplitMix64: the same inputs on every machine and with every standard library.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t bits() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>((bits() >> 32) % limit); }
  // Uniform in [0, 1), with all the bits of a T's significand random.
  template <typename T = float>
  T fraction() {
    constexpr int digits = std::numeric_limits<T>::digits;
    return std::ldexp(static_cast<T>(bits() >> (64 - digits)), -digits);
  }
  // Uniform in [-1, 1), 24 random bits: exact in a float.
  float unit() { return static_cast<float>(static_cast<int>(bits() >> 40) - (1 << 23)) / (1 << 23); }

 private:
  std::uint64_t state_;
};

inline std::vector<float> random_floats(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<float> values(count);
  for (float& value : values) value = random.unit();
  return values;
}

// Uniform in [low, high).
template <typename T>
std::vector<T> random_between(T low, T high, std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<T> values(count);
  for (T& value : values) value = low + (high - low) * random.fraction<T>();
  return values;
}

// A device array that lives as long as its scope.
template <typename T>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t count) : count_(count) {
    CUDA_CHECK(cudaMalloc(&data_, count * sizeof(T)));
  }
  explicit DeviceArray(const std::vector<T>& host) : DeviceArray(host.size()) {
    CUDA_CHECK(cudaMemcpy(data_, host.data(), count_ * sizeof(T), cudaMemcpyHostToDevice));
  }
  ~DeviceArray() { cudaFree(data_); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  operator T*() const { return data_; }
  T* get() const { return data_; }
  std::vector<T> to_host() const {
    std::vector<T> host(count_);
    CUDA_CHECK(cudaMemcpy(host.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost));
    return host;
  }

 private:
  T* data_ = nullptr;
  std::size_t count_;
};

// Prints how many elements differ, and the first that does. "Same" is same(got, expected).
template <typename T, typename Same>
bool agree(const char* what, const std::vector<T>& got, const std::vector<T>& expected, Same same) {
  std::size_t different = got.size() == expected.size() ? 0 : 1;
  std::size_t first = 0;
  for (std::size_t i = 0; i < got.size() && i < expected.size(); ++i) {
    if (same(got[i], expected[i])) continue;
    if (different++ == 0) first = i;
  }
  if (different == 0) return true;
  std::printf("%s: %zu of %zu elements differ, the first at %zu\n", what, different, expected.size(), first);
  return false;
}

template <typename T>
bool equal_bits(const char* what, const std::vector<T>& got, const std::vector<T>& expected) {
  return agree(what, got, expected,
               [](const T& a, const T& b) { return std::memcmp(&a, &b, sizeof(T)) == 0; });
}

// Equal but for rounding: |got - expected| <= tolerance * max(|expected|, mean |expected|), which no NaN
// meets.
template <typename T, typename Reference>
bool close(const char* what, const std::vector<T>& got, const std::vector<Reference>& expected,
           double tolerance) {
  double mean = 0, worst = 0;
  for (const Reference value : expected) mean += std::fabs(static_cast<double>(value));
  mean /= static_cast<double>(std::max<std::size_t>(expected.size(), 1));
  const std::vector<Reference> converted(got.begin(), got.end());
  const bool all = agree(what, converted, expected, [&](double a, double b) {
    const double error = std::fabs(a - b) / std::max(std::fabs(b), mean);
    worst = std::max(worst, error);
    return a == b || error <= tolerance;
  });
  std::printf("%s: largest error %.3g, allowed %.3g\n", what, worst, tolerance);
  return all;
}

// The exit code of main.
inline int verdict(const char* name, bool pass) {
  std::printf("%s: %s\n", name, pass ? "PASS" : "FAIL");
  return pass ? 0 : 1;
}

inline int blocks_for(int threads, int block) { return (threads + block - 1) / block; }

}  // namespace program

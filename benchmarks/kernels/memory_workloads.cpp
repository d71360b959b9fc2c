// The kernels of memory.cu.
#include <algorithm>
#include <bit>

#include "benchmarks/kernels/workload.h"

namespace wedjat::benchmarks {
namespace {

std::vector<std::uint32_t> numbers(std::size_t count) {
  std::vector<std::uint32_t> all(count);
  std::uint32_t state = 1;
  for (std::uint32_t& number : all) number = (state = state * 1664525u + 1013904223u) >> 8;
  return all;
}

Workload workload(std::string name, std::uint32_t ctas) {
  Workload w;
  w.kernel = name;
  w.name = std::move(name);
  w.ptx = "memory.ptx";
  w.config = {.grid = {ctas, 1, 1}, .block = {256, 1, 1}};
  return w;
}

}  // namespace

Workload block_scan(unsigned scale) {
  const std::uint32_t n = (1u << 19) / scale;
  Workload w = workload("block_scan", n / 256);
  w.scalars = {n};
  w.buffers = {numbers(n), std::vector<std::uint32_t>(n)};
  w.result = 1;
  w.expected = [in = w.buffers[0]] {
    std::vector<std::uint32_t> sums = in;
    for (std::size_t i = 0; i < sums.size(); ++i)
      if (i % 256 != 0) sums[i] += sums[i - 1];
    return sums;
  };
  return w;
}

Workload dequantise(unsigned scale) {
  const std::uint32_t n = (1u << 21) / scale;
  Workload w = workload("dequantise", n / 256);
  w.scalars = {n};
  std::vector<std::uint32_t> table(256), scales(n / 64);
  for (std::uint32_t i = 0; i < table.size(); ++i)
    table[i] = std::bit_cast<std::uint32_t>(static_cast<float>(i) - 128.0f);
  for (std::uint32_t i = 0; i < scales.size(); ++i)
    scales[i] = std::bit_cast<std::uint32_t>(static_cast<float>(i % 17) / 8.0f);
  w.buffers = {numbers(n / 4), table, scales, std::vector<std::uint32_t>(n)};
  w.result = 3;
  w.expected = [bytes = w.buffers[0], table, scales, n] {
    std::vector<std::uint32_t> out(n);
    for (std::uint32_t i = 0; i < n; ++i) {
      const float value = std::bit_cast<float>(table[bytes[i / 4] >> (8 * (i % 4)) & 255]);
      out[i] = std::bit_cast<std::uint32_t>(value * std::bit_cast<float>(scales[i / 64]));
    }
    return out;
  };
  return w;
}

// A row holds one number: the power is 1, the sum is exact.
Workload softmax(unsigned scale) {
  const std::uint32_t columns = 50000, rows = std::max(1u, 16 / scale);
  Workload w = workload("softmax", rows);
  w.scalars = {columns};
  std::vector<std::uint32_t> in(std::size_t{rows} * columns);
  for (std::size_t i = 0; i < in.size(); ++i)
    in[i] = std::bit_cast<std::uint32_t>(static_cast<float>(i / columns) * 0.5f);
  w.buffers = {in, std::vector<std::uint32_t>(in.size())};
  w.result = 1;
  w.expected = [count = in.size()] {
    return std::vector<std::uint32_t>(count,
                                      std::bit_cast<std::uint32_t>(1.0f / static_cast<float>(columns)));
  };
  return w;
}

Workload cas_loop(unsigned scale) {
  const std::uint32_t n = (1u << 19) / scale, bins = 64;
  Workload w = workload("cas_loop", n / 256);
  w.scalars = {n, bins};
  w.buffers = {numbers(n), std::vector<std::uint32_t>(bins)};
  w.result = 1;
  w.expected = [in = w.buffers[0]] {
    std::vector<std::uint32_t> sums(bins);
    for (std::size_t i = 0; i < in.size(); ++i) sums[i % bins] += in[i];
    return sums;
  };
  return w;
}

Workload histogram(unsigned scale) {
  const std::uint32_t n = (1u << 22) / scale;
  Workload w = workload("histogram", 256);
  w.scalars = {n};
  w.buffers = {numbers(n), std::vector<std::uint32_t>(256)};
  w.result = 1;
  w.expected = [in = w.buffers[0]] {
    std::vector<std::uint32_t> counts(256);
    for (const std::uint32_t number : in) ++counts[number % 256];
    return counts;
  };
  return w;
}

Workload gather(unsigned scale) {
  const std::uint32_t n = (1u << 19) / scale;
  Workload w = workload("gather", n / 256);
  w.scalars = {n};
  std::vector<std::uint32_t> index = numbers(n);
  for (std::uint32_t& i : index) i %= n;
  w.buffers = {index, numbers(n), std::vector<std::uint32_t>(n)};
  w.result = 2;
  w.expected = [index, in = w.buffers[1]] {
    std::vector<std::uint32_t> out;
    for (const std::uint32_t i : index) out.push_back(in[i]);
    return out;
  };
  return w;
}

// Rows of 0 to 31 numbers.
Workload sparse(unsigned scale) {
  const std::uint32_t rows = (1u << 16) / scale;
  Workload w = workload("sparse", rows / 256);
  w.scalars = {rows};
  std::vector<std::uint32_t> begins{0};
  for (const std::uint32_t number : numbers(rows)) begins.push_back(begins.back() + number % 32);
  std::vector<std::uint32_t> columns = numbers(begins.back());
  for (std::uint32_t& column : columns) column %= rows;
  w.buffers = {begins, columns, numbers(begins.back()), numbers(rows), std::vector<std::uint32_t>(rows)};
  w.result = 4;
  w.expected = [begins, columns, values = w.buffers[2], x = w.buffers[3], rows] {
    std::vector<std::uint32_t> y(rows);
    for (std::uint32_t row = 0; row < rows; ++row)
      for (std::uint32_t i = begins[row]; i < begins[row + 1]; ++i) y[row] += values[i] * x[columns[i]];
    return y;
  };
  return w;
}

}  // namespace wedjat::benchmarks

// What the Polybench programs share: their launch shapes and, for the host's check, dense algebra in double.
#pragma once

#include "common/program.h"

namespace polybench {

using program::blocks_for;
using program::DeviceArray;

// One thread an element: blocks of 256, or of 32 x 8 with x along the columns.
inline dim3 line_block() { return {256}; }
inline dim3 line_grid(int count) { return {static_cast<unsigned>(blocks_for(count, 256))}; }
inline dim3 plane_block() { return {32, 8}; }
inline dim3 plane_grid(int columns, int rows) {
  return {static_cast<unsigned>(blocks_for(columns, 32)), static_cast<unsigned>(blocks_for(rows, 8))};
}

template <typename T>
std::vector<double> widened(const std::vector<T>& values) {
  return {values.begin(), values.end()};
}

template <typename T>
std::vector<T> zeros(std::size_t count) {
  return std::vector<T>(count);
}

// a * b, square of order n, row by row.
inline std::vector<double> product(int n, const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> c(a.size());
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < n; ++j) c[i * n + j] += a[i * n + k] * b[k * n + j];
  return c;
}

inline std::vector<double> transposed(int n, const std::vector<double>& a) {
  std::vector<double> t(a.size());
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) t[j * n + i] = a[i * n + j];
  return t;
}

// alpha * x + beta * y, element by element.
inline std::vector<double> combined(double alpha, const std::vector<double>& x, double beta,
                                    const std::vector<float>& y) {
  std::vector<double> sum(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) sum[i] = alpha * x[i] + beta * y[i];
  return sum;
}

// a * x.
inline std::vector<double> times(int n, const std::vector<double>& a, const std::vector<double>& x) {
  std::vector<double> y(n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) y[i] += a[i * n + j] * x[j];
  return y;
}

}  // namespace polybench

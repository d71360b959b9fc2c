// Inputs of leukocyte and what the host computes to check it.
#pragma once

#include "common/program.h"

constexpr int kPoints = 150, kCircles = 7, kMinRadius = 8, kMaxRadius = kMinRadius + 2 * (kCircles - 1);
constexpr int kStrel = 12;  // rows and columns of the structuring element
constexpr int kCell = 40;   // rows and columns of the field around a cell

// One relaxation step of the flow field at one place: towards neighbours that are brighter in the direction
// away from here, and towards the image where that is bright.
template <typename T>
__host__ __device__ inline T relaxed(const T* field, const float* image, int at) {
  const int i = at / kCell, j = at % kCell;
  const int up = i == 0 ? 0 : i - 1, down = i == kCell - 1 ? i : i + 1;
  const int left = j == 0 ? 0 : j - 1, right = j == kCell - 1 ? j : j + 1;
  const T old = field[at];
  const T differences[8] = {field[up * kCell + left] - old,  field[up * kCell + j] - old,
                            field[up * kCell + right] - old, field[i * kCell + left] - old,
                            field[i * kCell + right] - old,  field[down * kCell + left] - old,
                            field[down * kCell + j] - old,   field[down * kCell + right] - old};
  T next = old;
  for (int k = 0; k < 8; k++) {
    // Heaviside's function with a small ramp's middle.
    const T step = differences[k] > T(1e-4) ? T(1) : differences[k] > T(-1e-4) ? T(0.5) : T(0);
    next += T(0.1) * step * differences[k];
  }
  const T value = image[at];
  return next - T(0.2) * value * (next - value);
}

struct Circles {
  std::vector<float> sine, cosine;  // of the angles of the points
  std::vector<int> x, y;            // offsets of the points, circle by circle
  Circles() : sine(kPoints), cosine(kPoints), x(kCircles * kPoints), y(kCircles * kPoints) {
    for (int n = 0; n < kPoints; ++n) {
      const double theta = n * 2 * 3.14159265358979 / kPoints;
      sine[n] = static_cast<float>(std::sin(theta));
      cosine[n] = static_cast<float>(std::cos(theta));
      for (int k = 0; k < kCircles; ++k) {
        const double radius = kMinRadius + 2 * k;
        x[k * kPoints + n] = static_cast<int>(std::floor(radius * std::cos(theta)));
        y[k * kPoints + n] = static_cast<int>(std::floor(radius * std::sin(theta)));
      }
    }
  }
};

inline std::vector<float> round_element() {
  std::vector<float> strel(kStrel * kStrel);
  for (int i = 0; i < kStrel; ++i)
    for (int j = 0; j < kStrel; ++j) {
      const double y = i - (kStrel - 1) / 2.0, x = j - (kStrel - 1) / 2.0;
      strel[i * kStrel + j] = x * x + y * y <= kStrel * kStrel / 4.0 ? 1.0f : 0.0f;
    }
  return strel;
}

// Dark disks with a bright rim on a grey background, and noise; n columns of m values.
struct Frame {
  int m, n;
  std::vector<float> image, grad_x, grad_y;
  Frame(int rows, int columns) : m(rows), n(columns), image(rows * columns), grad_x(image), grad_y(image) {
    program::Random random(111);
    for (float& value : image) value = 0.5f + 0.02f * random.unit();
    for (int cell = 0; cell < 1 + m * n / 4000; ++cell) {
      const int cx = 24 + static_cast<int>(random.below(n - 48)),
                cy = 24 + static_cast<int>(random.below(m - 48));
      const float radius = static_cast<float>(9 + random.below(10));
      for (int x = 0; x < n; ++x)
        for (int y = 0; y < m; ++y) {
          const float distance = std::hypot(static_cast<float>(x - cx), static_cast<float>(y - cy)) - radius;
          image[x * m + y] += 0.4f * std::exp(-distance * distance / 4) - (distance < 0 ? 0.05f : 0.0f);
        }
    }
    for (int x = 1; x < n - 1; ++x)
      for (int y = 1; y < m - 1; ++y) {
        grad_x[x * m + y] = (image[(x + 1) * m + y] - image[(x - 1) * m + y]) / 2;
        grad_y[x * m + y] = (image[x * m + y + 1] - image[x * m + y - 1]) / 2;
      }
  }
};

inline std::vector<double> host_gicov(const Frame& frame, const Circles& circles, int margin) {
  std::vector<double> result(frame.image.size());
  for (int i = margin; i < frame.n - margin; ++i)
    for (int j = margin; j < frame.m - margin; ++j)
      for (int k = 0; k < kCircles; ++k) {
        double sum = 0, squares = 0;
        for (int n = 0; n < kPoints; ++n) {
          const int addr = (i + circles.x[k * kPoints + n]) * frame.m + j + circles.y[k * kPoints + n];
          const double p =
              double(frame.grad_x[addr]) * circles.cosine[n] + double(frame.grad_y[addr]) * circles.sine[n];
          sum += p;
          squares += p * p;
        }
        const double mean = sum / kPoints, variance = (squares - mean * sum) / (kPoints - 1);
        result[i * frame.m + j] = std::max(result[i * frame.m + j], mean * mean / variance);
      }
  return result;
}

inline std::vector<float> host_dilate(const std::vector<float>& image, const std::vector<float>& strel, int m,
                                      int n) {
  std::vector<float> dilated(image.size());
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j)
      for (int a = 0; a < kStrel * kStrel; ++a) {
        const int y = i - kStrel / 2 + a / kStrel, x = j - kStrel / 2 + a % kStrel;
        if (y < 0 || y >= m || x < 0 || x >= n || strel[a] == 0) continue;
        dilated[i * n + j] = std::max(dilated[i * n + j], image[x * m + y]);
      }
  return dilated;
}

// The surroundings of the four strongest circles, each at least a cell away from the others, scaled to 0..1.
inline std::vector<float> cell_images(const Frame& frame, std::vector<float> found, int margin) {
  std::vector<float> images;
  for (int cell = 0; cell < 4; ++cell) {
    const auto at = static_cast<int>(std::max_element(found.begin(), found.end()) - found.begin());
    const int cx = std::clamp(at / frame.m, kCell / 2, frame.n - kCell / 2);
    const int cy = std::clamp(at % frame.m, kCell / 2, frame.m - kCell / 2);
    for (int x = 0; x < frame.n; ++x)
      for (int y = 0; y < frame.m; ++y)
        if (std::abs(x - at / frame.m) < margin / 2 && std::abs(y - at % frame.m) < margin / 2)
          found[x * frame.m + y] = 0;
    for (int i = 0; i < kCell; ++i)
      for (int j = 0; j < kCell; ++j) {
        const int k = (cx - kCell / 2 + i) * frame.m + cy - kCell / 2 + j;
        images.push_back(std::min(4 * std::hypot(frame.grad_x[k], frame.grad_y[k]), 1.0f));
      }
  }
  return images;
}

// As many steps as the GPU took.
inline std::vector<double> host_imgvf(const std::vector<float>& images, const std::vector<int>& iterations) {
  std::vector<double> fields(images.begin(), images.end());
  constexpr int size = kCell * kCell;
  for (std::size_t cell = 0; cell < iterations.size(); ++cell)
    for (int t = 0; t < iterations[cell]; ++t) {
      std::vector<double> next(size);
      for (int at = 0; at < size; ++at) next[at] = relaxed(&fields[cell * size], &images[cell * size], at);
      std::copy(next.begin(), next.end(), fields.begin() + static_cast<std::ptrdiff_t>(cell * size));
    }
  return fields;
}

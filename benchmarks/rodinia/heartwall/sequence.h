// A sequence of ultrasound frames for heartwall: two rings of speckle, the inner and the outer wall, that
// contract.
#pragma once

#include "common/program.h"

constexpr int kInner = 8, kOuter = 12, kTracked = kInner + kOuter;  // points on the walls

struct Sequence {
  int rows, columns;
  std::vector<std::vector<float>> frames;  // column by column
  std::vector<int> row, column;            // of the tracked points, in frame 0
};

inline float wall_radius(bool inner, int frame) {
  return (inner ? 34.0f : 56.0f) - (inner ? 1.6f : 0.9f) * static_cast<float>(frame);
}

inline Sequence contracting_walls(int rows, int columns, int frames) {
  Sequence sequence{rows, columns, {}, {}, {}};
  constexpr float kTwoPi = 6.2831853f;
  const float centre_y = static_cast<float>(rows) / 2, centre_x = static_cast<float>(columns) / 2;
  // Speckle moves with the wall: it is a function of the angle and of the distance from the wall.
  program::Random speckle(121);
  std::vector<float> grain(64 * 16);
  for (float& value : grain) value = speckle.fraction();
  for (int frame = 0; frame < frames; ++frame) {
    program::Random noise(122 + frame);
    std::vector<float> image(static_cast<std::size_t>(rows) * columns);
    for (int x = 0; x < columns; ++x)
      for (int y = 0; y < rows; ++y) {
        const float dx = static_cast<float>(x) - centre_x, dy = static_cast<float>(y) - centre_y;
        const float radius = std::hypot(dx, dy), angle = std::atan2(dy, dx) / kTwoPi + 0.5f;
        float value = 0.1f + 0.05f * noise.fraction();
        for (const bool inner : {true, false}) {
          const float off = radius - wall_radius(inner, frame);
          if (std::fabs(off) >= 7.9f) continue;
          const int cell = static_cast<int>(angle * 63.99f) * 16 + static_cast<int>(off + 8.0f);
          value += (0.3f + 0.6f * grain[cell]) * std::exp(-off * off / 18);
        }
        image[static_cast<std::size_t>(x) * rows + y] = value;
      }
    sequence.frames.push_back(image);
  }
  for (int i = 0; i < kTracked; ++i) {
    const bool inner = i < kInner;
    const float turn =
        kTwoPi * (inner ? static_cast<float>(i) / kInner : static_cast<float>(i - kInner) / kOuter);
    sequence.row.push_back(static_cast<int>(std::lround(centre_y + wall_radius(inner, 0) * std::sin(turn))));
    sequence.column.push_back(
        static_cast<int>(std::lround(centre_x + wall_radius(inner, 0) * std::cos(turn))));
  }
  return sequence;
}

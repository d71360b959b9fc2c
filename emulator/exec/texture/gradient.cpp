#include "emulator/exec/texture/gradient.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <utility>

#include "emulator/exec/texture/cube.h"

namespace wedjat::exec {

namespace {

// 256 log2(1 + i / 256) as the hardware has it: mostly of the middle of the step, to the nearest.
constexpr std::array<std::uint8_t, 256> logarithm{
    0,   2,   4,   5,   6,   8,   9,   11,  12,  13,  15,  16,  18,  19,  20,  22,  23,  24,  26,  27,
    28,  30,  31,  32,  34,  35,  36,  38,  39,  40,  42,  43,  44,  45,  47,  48,  49,  50,  52,  53,
    54,  55,  57,  58,  59,  60,  62,  63,  64,  65,  66,  68,  69,  70,  71,  72,  74,  75,  76,  77,
    78,  79,  81,  82,  83,  84,  85,  86,  88,  89,  90,  91,  92,  93,  94,  95,  97,  98,  99,  100,
    101, 102, 103, 104, 105, 106, 107, 109, 110, 111, 112, 113, 114, 115, 116, 117, 118, 119, 120, 121,
    122, 123, 124, 125, 126, 127, 128, 129, 130, 131, 132, 133, 135, 136, 137, 137, 138, 139, 140, 141,
    142, 143, 144, 145, 146, 147, 148, 149, 150, 151, 152, 153, 154, 155, 156, 157, 158, 159, 160, 161,
    162, 162, 163, 164, 165, 166, 167, 168, 169, 170, 171, 172, 173, 173, 174, 175, 176, 177, 178, 179,
    180, 181, 181, 182, 183, 184, 185, 186, 187, 188, 188, 189, 190, 191, 192, 193, 194, 195, 195, 196,
    197, 198, 199, 200, 200, 201, 202, 203, 204, 205, 205, 206, 207, 208, 209, 210, 210, 211, 212, 213,
    214, 214, 215, 216, 217, 218, 218, 219, 220, 221, 222, 222, 223, 224, 225, 226, 226, 227, 228, 229,
    229, 230, 231, 232, 233, 233, 234, 235, 236, 236, 237, 238, 239, 239, 240, 241, 242, 242, 243, 244,
    245, 245, 246, 247, 248, 248, 249, 250, 251, 251, 252, 253, 253, 254, 255, 255};

// Of gradients, steps and sizes.
constexpr unsigned gradient_bits = 10;

// significand 2^exponent, of gradient_bits significant bits; what does not fit is cut off.
struct Step {
  std::int64_t significand = 0;
  int exponent = 0;

  double value() const { return std::ldexp(static_cast<double>(significand), exponent); }
};

Step cut(std::int64_t significand, int exponent) {
  const std::int64_t magnitude = std::abs(significand);
  const int drop = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(magnitude))) -
                   static_cast<int>(gradient_bits);
  if (magnitude == 0) return {};
  const std::int64_t kept = drop < 0 ? magnitude << -drop : magnitude >> drop;
  return {significand < 0 ? -kept : kept, exponent + drop};
}

// NaN and subnormals are 0.
Step step_of(float x) {
  if (!std::isnormal(x)) x = std::isinf(x) ? std::copysign(std::numeric_limits<float>::max(), x) : 0;
  int exponent = 0;
  const double fraction = std::frexp(static_cast<double>(x), &exponent);
  return cut(static_cast<std::int64_t>(std::ldexp(fraction, 24)), exponent - 24);
}

// Times a size: six columns of the product are left out, and 7 added for them.
Step in_texels(const Step& step, std::uint64_t size) {
  if (step.significand == 0) return {};
  const auto [factor, exponent] = cut(static_cast<std::int64_t>(size), 0);
  const std::int64_t magnitude = std::abs(step.significand);
  std::int64_t product = 7;
  for (unsigned i = 0; i < gradient_bits; ++i)
    if (factor >> i & 1) product += (magnitude << i) >> 6;
  return cut(step.significand < 0 ? -product : product, step.exponent + exponent + 6);
}

// The smaller one keeps one bit below the larger one's last.
Step sum(Step a, Step b) {
  if (std::abs(a.value()) < std::abs(b.value())) std::swap(a, b);
  if (b.significand == 0) return a;
  const int down = std::min(a.exponent - b.exponent, 40);
  const std::int64_t low = down == 0 ? 2 * std::abs(b.significand) : std::abs(b.significand) >> (down - 1);
  return cut(2 * a.significand + (b.significand < 0 ? -low : low), a.exponent - 1);
}

// About step times `factor` / 2^`down`.
Step scaled(const Step& step, unsigned factor, int down) {
  return step.significand == 0 ? Step{} : cut(factor * step.significand + 4, step.exponent - down);
}

using Steps = std::array<Step, 3>;

Steps by_size(Steps steps) {
  for (Step& step : steps) step.significand = std::abs(step.significand);
  std::sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) { return a.value() > b.value(); });
  return steps;
}

// About the length: the greatest part, 11/32 of the next and a quarter of the least.
double length(const Steps& steps) {
  const Steps part = by_size(steps);
  const Step quarter{part[2].significand, part[2].exponent - 2};
  return sum(part[0], sum(scaled(part[1], 11, 5), quarter)).value();
}

// 11/16 of that.
double diagonal(const Steps& steps) {
  const Steps part = by_size(steps);
  const std::int64_t next = part[1].significand;
  const Step of_next = next == 0 ? Step{} : cut(15 * next + (next >> 3) + 4, part[1].exponent - 6);
  return sum(scaled(part[0], 11, 4), sum(of_next, scaled(part[2], 11, 6))).value();
}

Step negated(const Step& step) { return {-step.significand, step.exponent}; }

Steps sums(const Steps& a, const Steps& b) { return {sum(a[0], b[0]), sum(a[1], b[1]), sum(a[2], b[2])}; }
Steps negated(const Steps& a) { return {negated(a[0]), negated(a[1]), negated(a[2])}; }

constexpr int below_all = std::numeric_limits<int>::min() / 2;

int level_of(double longest) {
  if (longest == 0) return below_all;
  const int exponent = std::ilogb(longest);
  const auto step = static_cast<unsigned>(std::ldexp(longest, 8 - exponent)) & 255;
  return 256 * exponent + logarithm[step];
}

int level_of(const Steps& across, const Steps& down) {
  return level_of(std::max(
      {length(across), length(down), diagonal(sums(across, down)), diagonal(sums(across, negated(down)))}));
}

// In the plane of the face that `from` meets, unfolded where `to` meets a neighbour of it; through the cube
// where that is the face opposite.
Steps step_between(const Gradient& from, const Gradient& to, std::uint64_t edge) {
  const auto texels = [&](float difference) { return in_texels(step_of(difference / 2), edge); };
  const unsigned face = face_of(from), other = face_of(to), axis = face / 2, over = other / 2;
  const Gradient begin = cleaned(from), end = cleaned(to);
  Steps steps;
  for (unsigned d = 0; d < 3; ++d)
    if (d != axis || (axis == over && face != other)) steps[d] = texels(end[d] - begin[d]);
  if (axis == over) return steps;
  const float near = face % 2 == 0 ? end[axis] : -end[axis];
  const float far = other % 2 == 0 ? begin[over] : -begin[over];
  steps[over] = sum(texels(1 - far), texels(1 - near));
  return steps;
}

}  // namespace

int level_of_gradients(const Gradient& x, const Gradient& y, const Extents& size) {
  Steps across, down;
  for (unsigned d = 0; d < 3; ++d) {
    across[d] = in_texels(step_of(x[d]), size[d]);
    down[d] = in_texels(step_of(y[d]), size[d]);
  }
  return level_of(across, down);
}

int level_of_directions(const Gradient& at, const Gradient& x, const Gradient& y, std::uint64_t edge) {
  const Steps across = step_between(at, x, edge), down = step_between(at, y, edge);
  if (face_of(x) == face_of(at) && face_of(y) == face_of(at)) return level_of(across, down);
  return level_of(std::max(length(across), length(down)));  // no diagonals over an edge
}

}  // namespace wedjat::exec

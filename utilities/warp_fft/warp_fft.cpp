// An instruction that does not exist: the FFT of a warp, in the place of brev.b64.
#include <array>
#include <bit>
#include <cmath>
#include <complex>
#include <numbers>
#include <wedjat/tool.hpp>

using namespace wedjat;

struct WarpFft : Tool {
  using Complex = std::complex<float>;
  std::array<Complex, 16> twiddle;
  std::uint64_t replaced = 0, warps = 0;

  WarpFft() {
    for (unsigned k = 0; k < 16; ++k) twiddle[k] = std::polar(1.0, -2 * std::numbers::pi * k / 32);
  }
  void kernel(const wedjat_kernel& k) override {
    for (const auto& i : instructions(k))
      if (std::string_view(i.form) == "brev.b64" && replace<&WarpFft::transform>(i)) ++replaced;
  }
  void transform(const Event& event) {
    if (event.executed != ~0u)
      return finding(WEDJAT_ERROR, "part-of-a-warp", "WFFT32 needs all 32 lanes", event,
                     static_cast<unsigned>(std::countr_zero(event.executed)));
    std::array<Complex, 32> x;
    const std::uint64_t* const from = row<std::uint64_t>(event, 1);
    for (unsigned n = 0; n < 32; ++n) x[n] = std::bit_cast<Complex>(from[n]);
    for (unsigned half = 16; half != 0; half /= 2)
      for (unsigned n = 0; n < 32; ++n) {
        if (n & half) continue;
        const Complex a = x[n], b = x[n + half], d = a - b, w = twiddle[(n & (half - 1)) * (16 / half)];
        x[n] = a + b;
        // Not `d * w`: that looks for infinities.
        x[n + half] = {d.real() * w.real() - d.imag() * w.imag(), d.real() * w.imag() + d.imag() * w.real()};
      }
    std::uint64_t* const to = row<std::uint64_t>(event, 0);
    for (unsigned k = 0; k < 32; ++k) {  // it comes out in bit-reversed order
      unsigned reversed = 0;
      for (unsigned bit = 0; bit < 5; ++bit) reversed |= (k >> bit & 1) << (4 - bit);
      to[k] = std::bit_cast<std::uint64_t>(x[reversed]);
    }
    ++warps;
  }
  void finish() override { table("WFFT32", "instructions_replaced warps").row(replaced, warps); }
};
WEDJAT_TOOL(WarpFft, "warp_fft", "emulates a warp-wide FFT instruction in the place of brev.b64", "",
            WEDJAT_MUTATES)

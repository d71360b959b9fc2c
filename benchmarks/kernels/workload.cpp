#include "benchmarks/kernels/workload.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "emulator/compile/tier/tier.h"

namespace wedjat::benchmarks {
namespace {

std::vector<std::uint32_t> floats(std::size_t count, unsigned seed) {
  std::vector<std::uint32_t> bits(count);
  for (std::size_t i = 0; i < count; ++i) {
    bits[i] = std::bit_cast<std::uint32_t>(static_cast<float>((i * 37 + seed) % 201) / 16.0f - 6.0f);
  }
  return bits;
}

float number(std::uint32_t bits) { return std::bit_cast<float>(bits); }
std::uint32_t pattern(float value) { return std::bit_cast<std::uint32_t>(value); }

std::string read_text(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw std::runtime_error("cannot read " + path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// Both kernels add up in the order of k, one fused multiply-add each.
Workload gemm(std::string name, std::string kernel, unsigned scale) {
  const std::uint32_t n = 512 / scale;
  Workload w;
  w.name = name;
  w.ptx = name + ".ptx";
  w.kernel = std::move(kernel);
  w.config = {.grid = {n / 16, n / 16, 1}, .block = {16, 16, 1}};
  w.scalars = {n};
  w.buffers = {floats(std::size_t{n} * n, 1), floats(std::size_t{n} * n, 2),
               std::vector<std::uint32_t>(std::size_t{n} * n)};
  w.result = 2;
  w.expected = [a = w.buffers[0], b = w.buffers[1], n] {
    std::vector<std::uint32_t> c(std::size_t{n} * n);
    for (std::uint32_t row = 0; row < n; ++row) {
      for (std::uint32_t column = 0; column < n; ++column) {
        float sum = 0;
        for (std::uint32_t k = 0; k < n; ++k)
          sum = std::fma(number(a[row * n + k]), number(b[k * n + column]), sum);
        c[row * n + column] = pattern(sum);
      }
    }
    return c;
  };
  return w;
}

}  // namespace

Workload saxpy(unsigned scale) {
  const std::uint32_t n = (1u << 22) / scale;
  Workload w;
  w.name = "saxpy";
  w.ptx = "saxpy.ptx";
  w.kernel = "_Z5saxpyifPKfPf";
  w.config = {.grid = {(n + 255) / 256, 1, 1}, .block = {256, 1, 1}};
  w.scalars = {n, pattern(0.5f)};
  w.buffers = {floats(n, 1), floats(n, 2)};
  w.result = 1;
  w.expected = [x = w.buffers[0], y = w.buffers[1]] {
    std::vector<std::uint32_t> sum(y.size());
    for (std::size_t i = 0; i < y.size(); ++i) sum[i] = pattern(std::fma(number(x[i]), 0.5f, number(y[i])));
    return sum;
  };
  return w;
}

Workload gemm_naive(unsigned scale) { return gemm("gemm_naive", "_Z10gemm_naiveiPKfS0_Pf", scale); }
Workload gemm_tiled(unsigned scale) { return gemm("gemm_tiled", "_Z10gemm_tilediPKfS0_Pf", scale); }

Workload divergent(unsigned scale) {
  const std::uint32_t n = (1u << 18) / scale;
  Workload w;
  w.name = "divergent";
  w.ptx = "divergent.ptx";
  w.kernel = "_Z7collatziPi";
  w.config = {.grid = {(n + 127) / 128, 1, 1}, .block = {128, 1, 1}};
  w.scalars = {n};
  w.buffers = {std::vector<std::uint32_t>(n)};
  w.expected = [n] {
    std::vector<std::uint32_t> steps(n);
    for (std::uint32_t i = 0; i < n; ++i) {
      for (std::uint64_t v = i + 1; v != 1; v = (v & 1) ? 3 * v + 1 : v / 2) ++steps[i];
    }
    return steps;
  };
  return w;
}

namespace {

// WEDJAT_JIT=off: everything is interpreted. all: code is made before the first launch.
std::shared_ptr<compile::Tier> tier() {
  const char* const said = std::getenv("WEDJAT_JIT");
  const std::string_view jit = said != nullptr ? said : "";
  if (jit == "off") return nullptr;
  return std::make_shared<compile::Tier>(
      compile::TierOptions{.when = jit == "all" ? compile::When::always : compile::When::hot});
}

}  // namespace

Prepared::Prepared(const Workload& workload, unsigned threads,
                   std::optional<std::shared_ptr<compile::Tier>> native, hooks::Hooks* hooks)
    : workload_(workload),
      native_(native ? std::move(*native) : tier()),
      device_(device::DeviceOptions{.threads = threads, .print = {}, .native = native_, .hooks = hooks}) {
  device::Module* module =
      device_.load_module({{workload.ptx, read_text(std::string(WEDJAT_KERNELS "/") + workload.ptx)}}, {});
  function_ = device_.function(module, workload.kernel);
  const auto slots = device_.parameters(function_);
  if (slots.size() != workload.scalars.size() + workload.buffers.size())
    throw std::logic_error(workload.kernel + ": parameters");
  parameters_.resize(slots.back().offset + slots.back().size);
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (i < workload.scalars.size()) {
      std::memcpy(parameters_.data() + slots[i].offset, &workload.scalars[i], 4);
      continue;
    }
    const auto& buffer = workload.buffers[i - workload.scalars.size()];
    addresses_.push_back(0x7f0000000000u + 0x10000000u * i);
    device_.allocate_at(addresses_.back(), 4 * buffer.size(), "buffer");
    device_.write(addresses_.back(), std::as_bytes(std::span(buffer)));
    std::memcpy(parameters_.data() + slots[i].offset, &addresses_.back(), 8);
  }
}

device::LaunchStatistics Prepared::launch() {
  return device_.launch(function_, workload_.config, parameters_);
}

std::vector<std::uint32_t> Prepared::result() {
  std::vector<std::uint32_t> bits(workload_.buffers[workload_.result].size());
  device_.read(addresses_[workload_.result], std::as_writable_bytes(std::span(bits)));
  return bits;
}

}  // namespace wedjat::benchmarks

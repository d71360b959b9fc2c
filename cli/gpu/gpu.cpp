#include "cli/gpu/gpu.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <stdexcept>

#include "cli/expect/device.h"
#include "cli/foreign/program.h"
#include "cli/gpu/runner.h"

namespace wedjat::gpu {
namespace {

void append(std::vector<std::byte>& to, const void* bytes, std::size_t count) {
  const auto* const from = static_cast<const std::byte*>(bytes);
  to.insert(to.end(), from, from + count);
}

void append_argument(std::vector<std::byte>& to, const std::vector<std::byte>& contents, bool is_buffer) {
  const WedjatGpuArgument head{contents.size(), is_buffer};
  append(to, &head, sizeof head);
  append(to, contents.data(), contents.size());
}

// The buffers of the launch in the order of its arguments.
std::vector<const expect::Buffer*> buffers_of(const expect::Launch& launch) {
  std::vector<const expect::Buffer*> all;
  for (const std::string& name : launch.arguments)
    if (const expect::Buffer* const buffer = launch.buffer(name)) all.push_back(buffer);
  return all;
}

const expect::Launch& only_launch(const expect::Inputs& inputs) {
  const auto has = [](const expect::Launch& launch) {
    return std::any_of(launch.buffers.begin(), launch.buffers.end(),
                       [](const auto& each) { return each.use == expect::Buffer::Use::variable; });
  };
  if (inputs.launches.size() != 1 || inputs.launches[0].cluster[0] != 0 || inputs.launches[0].cooperative ||
      has(inputs.launches[0]))
    throw std::invalid_argument(inputs.file +
                                ": a GPU is asked about one launch of buffers and scalars, without clusters");
  return inputs.launches[0];
}

// `code`: text or machine code.
std::vector<std::byte> job_of(const expect::Inputs& inputs, const std::string& code, unsigned level) {
  const expect::Launch& launch = only_launch(inputs);
  WedjatGpuJob head{};
  head.level = level;
  std::copy(launch.grid, launch.grid + 3, head.grid);
  std::copy(launch.block, launch.block + 3, head.block);
  head.shared = launch.shared;
  head.name_bytes = static_cast<std::uint32_t>(launch.kernel.size());
  head.text_bytes = static_cast<std::uint32_t>(code.size());
  head.arguments = static_cast<std::uint32_t>(launch.arguments.size());
  std::vector<std::byte> job;
  append(job, &head, sizeof head);
  append(job, launch.kernel.data(), launch.kernel.size());
  append(job, code.data(), code.size());
  for (const std::string& name : launch.arguments) {
    if (const expect::Buffer* const buffer = launch.buffer(name)) {
      append_argument(job, expect::first_contents(*buffer), true);
      continue;
    }
    const auto scalar = std::find_if(launch.scalars.begin(), launch.scalars.end(),
                                     [&](const expect::Scalar& each) { return each.name == name; });
    if (scalar == launch.scalars.end())
      expect::wrong(inputs.file, launch.line, "args: nothing was given by the name " + name);
    append_argument(job, scalar->bytes, false);
  }
  return job;
}

expect::Results results_of(const expect::Inputs& inputs, const Answer& answer) {
  expect::Results results;
  if (answer.error != 0) {
    results.failure = answer.text;
    return results;
  }
  std::size_t at = 0;
  for (const expect::Buffer* const buffer : buffers_of(inputs.launches[0])) {
    const std::size_t bytes = buffer->count * buffer->type.bytes;
    results.memory["0 " + buffer->name].assign(
        answer.contents.begin() + static_cast<std::ptrdiff_t>(at),
        answer.contents.begin() + static_cast<std::ptrdiff_t>(at + bytes));
    at += bytes;
  }
  return results;
}

}  // namespace

// A runner, once there is one to spare. It is kept for others unless it is broken.
class Gpu::Turn {
 public:
  explicit Turn(Gpu& gpu) : gpu_(gpu) {
    std::unique_lock lock(gpu.mutex_);
    gpu.freed_.wait(lock, [&] { return gpu.busy_ < gpu.options_.contexts; });
    ++gpu.busy_;
    if (gpu.idle_.empty()) return;
    runner_ = std::move(gpu.idle_.back());
    gpu.idle_.pop_back();
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  ~Turn() {
    if (broken_) runner_.reset();  // takes its time
    const std::scoped_lock lock(gpu_.mutex_);
    if (runner_) gpu_.idle_.push_back(std::move(runner_));
    --gpu_.busy_;
    gpu_.freed_.notify_one();
  }
  Answer ask(const std::vector<std::byte>& job) {
    broken_ = true;  // unless it answers
    if (!runner_) runner_ = std::make_unique<Runner>();
    Answer answer = runner_->ask(job, gpu_.options_.seconds);
    broken_ = answer.last;
    return answer;
  }

 private:
  Gpu& gpu_;
  std::unique_ptr<Runner> runner_;
  bool broken_ = false;
};

Gpu::Gpu(Options options) : options_(std::move(options)) {}

Gpu::~Gpu() = default;

std::string Gpu::compiled(const std::string& ptx, unsigned level, std::string& refused) const {
  const std::vector<std::string> command = {options_.ptxas, "-arch=sm_90", fmt::format("-O{}", level), "-o",
                                            "case.made"};
  std::string said, code;
  if (!foreign::says_yes(command, ptx, foreign::ptxas_seconds, &said, &code))
    refused = said.empty() ? "ptxas ended without a word" : said;
  return code;
}

expect::Results Gpu::results(const expect::Inputs& inputs, unsigned level) {
  return results({&inputs, 1}, inputs.ptx, level).front();
}

std::vector<expect::Results> Gpu::results(std::span<const expect::Inputs> all, const std::string& text,
                                          unsigned level) {
  std::vector<expect::Results> every(all.size());
  std::string refused;
  const bool compile = !options_.ptxas.empty();
  std::string code = compile ? compiled(text, level, refused) : text;
  std::optional<Turn> turn;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (refused.empty()) try {
        if (!turn) turn.emplace(*this);
        every[i] = results_of(all[i], turn->ask(job_of(all[i], code, level)));
        code.clear();  // the runner has it
      } catch (const Died& error) {
        refused = error.what();
      }
    if (!refused.empty()) every[i].failure = refused;
    refused = every[i].failure;  // the others may have lost their module
  }
  return every;
}

}  // namespace wedjat::gpu

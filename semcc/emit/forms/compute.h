// C++ that defines compute() of emulator/kernel/forms/compute.h: an executor run for one lane's numbers.
#pragma once

namespace semcc::emit {

inline constexpr const char* compute_text =
    R"(std::uint64_t compute(const Form& form, std::span<const std::uint64_t> inputs) {
  constexpr std::size_t row_bytes = exec::lanes * sizeof(std::uint64_t), most = 4;
  alignas(64) std::byte frame[(1 + most) * row_bytes] = {};
  std::uint32_t rows[1 + most] = {};
  if (inputs.size() > most || inputs.size() + 1 != form.operands || form.level != Level::Thread) std::abort();
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    rows[1 + i] = static_cast<std::uint32_t>((1 + i) * row_bytes);
    std::memcpy(frame + rows[1 + i], &inputs[i], form.operand[1 + i].bits / 8);
  }
  exec::WarpContext warp{.rows = frame};
  const Step step{.full = form.full, .masked = form.masked, .row = rows, .form = &form, .id = 0};
  form.masked(warp, step, 1);
  std::uint64_t result = 0;
  std::memcpy(&result, frame, form.operand[0].bits / 8);
  return result;
}

)";

}  // namespace semcc::emit

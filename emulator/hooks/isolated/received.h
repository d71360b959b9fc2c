// A kernel as the host's messages describe it, and events out of the ring.
#pragma once
#include <deque>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "emulator/hooks/clients/ring.h"
#include "emulator/hooks/inspection/kernel_lists.h"

namespace wedjat::hooks {

class ReceivedKernel : KernelLists {
 public:
  ReceivedKernel() = default;
  ReceivedKernel(const ReceivedKernel&) = delete;
  ReceivedKernel& operator=(const ReceivedKernel&) = delete;
  /// What describe_part tells, in its order.
  void add(const nlohmann::json& part);
  /// Behind the last part.
  void complete(const nlohmann::json& fields);
  const wedjat_kernel& kernel() const { return kernel_; }

 private:
  const char* keep(const nlohmann::json& text) {
    return texts_.emplace_back(text.get<std::string>()).c_str();
  }
  // Numbers and texts of the struct, by name or, out of an array, in their order.
  template <class Struct>
  Struct taken(const nlohmann::json& from);
  const std::vector<std::uint32_t>& numbers(const nlohmann::json& from);
  void add_instruction(const nlohmann::json& from);
  void add_block(const nlohmann::json& from);

  std::deque<std::string> texts_;
  wedjat_kernel kernel_{};
  std::deque<std::vector<wedjat_operand>> operands_;
  std::deque<std::vector<wedjat_access>> accesses_;
  std::deque<std::vector<wedjat_work>> work_;
  std::deque<std::vector<std::uint32_t>> numbers_;  // successors of blocks, registers of operands
};

class ReceivedCall {
 public:
  explicit ReceivedCall(const nlohmann::json& from);
  ReceivedCall(const ReceivedCall&) = delete;
  ReceivedCall& operator=(const ReceivedCall&) = delete;
  const wedjat_call& call() const { return call_; }

 private:
  wedjat_call call_{};
  std::deque<std::string> texts_;
  std::vector<wedjat_argument> list_;
};

}  // namespace wedjat::hooks

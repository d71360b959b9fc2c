// A loaded program: its variables have addresses, its kernels are lowered when first launched.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "emulator/device/device.h"
#include "emulator/kernel/lower.h"
#include "emulator/memory/device_memory.h"
#include "emulator/memory/textures.h"
#include "emulator/memory/windows.h"

namespace wedjat::device {

/// Hands out device addresses nobody asked for in particular: variables without a recorded place, functions.
struct AddressRange {
  std::uint64_t next = 0;
  std::uint64_t take(std::uint64_t bytes, std::uint64_t alignment);
};

class Module final : public kernel::Addresses {
 public:
  /// Allocates and initialises the variables. Throws ptx::Error, Refused.
  Module(std::vector<PtxSource> sources, const std::map<std::string, std::uint64_t>& placements,
         memory::DeviceMemory& memory, AddressRange& data, AddressRange& code, kernel::Contract contract,
         const kernel::FormTable& forms);
  ~Module() override;
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  std::uint64_t variable(ptx::SymbolId id) const override;
  std::uint64_t variable(std::uint32_t module, const ptx::Variable& declared) const override;
  std::uint64_t function(ptx::SymbolId id) const override;

  /// Where the constant variables lie, one behind the other.
  memory::Window constants() const;

  /// What .samplerref variables say, by their addresses.
  const std::vector<std::pair<std::uint64_t, memory::Sampler>>& samplers() const { return samplers_; }

  /// Kernels are numbered over all texts; ptx::kNone if there is none of that name.
  std::uint32_t kernel_index(std::string_view name) const;
  std::vector<std::string> kernel_names() const;
  std::vector<Target> targets() const;
  const ptx::Function& kernel(std::uint32_t index) const;
  std::optional<device::Variable> find_variable(std::string_view name) const;
  std::vector<DeclaredVariable> variables() const;
  /// Throws ptx::Error for the first function that is no legal PTX; what is legal and not run is refused when
  /// it is launched.
  void check() const;
  /// Throws ptx::Error, in the words of ptxas, if a kernel declares more static shared memory than that, or a
  /// text more constant memory than a device has.
  void check_sizes(std::uint64_t most_shared) const;
  /// Throws Refused, ptx::Error.
  Needs needs(std::uint32_t index, kernel::Registers registers);
  const kernel::Kernel& lowered(std::uint32_t index, kernel::Registers registers);

 private:
  struct Placed {
    ptx::SymbolId id;
    std::uint64_t address = 0;
    bool shared = false;  // managed, and here since another instance of the module was loaded: that one's
  };

  void find_entries();
  void place(const std::map<std::string, std::uint64_t>& placements);
  std::uint64_t allocate(const ptx::Variable& variable, std::optional<std::uint64_t> address) const;
  void free_variables() noexcept;
  void initialize(std::uint32_t module, const ptx::Variable& variable, std::uint64_t address) const;
  std::uint64_t relocated(std::uint32_t module, const ptx::Relocation& relocation) const;

  memory::DeviceMemory& memory_;
  AddressRange& data_;
  const kernel::FormTable& forms_;
  std::vector<kernel::Contract> contracts_;  // by module
  std::vector<std::unique_ptr<const ptx::Module>> modules_;
  std::unique_ptr<const ptx::Program> program_;
  std::vector<Placed> variables_;                                         // sorted by id
  mutable std::map<const ptx::Variable*, std::uint64_t> body_variables_;  // placed when first asked for
  std::vector<std::pair<std::uint64_t, memory::Sampler>> samplers_;
  std::vector<std::uint64_t> code_;  // by module: address of its function 0
  struct Entry {
    ptx::SymbolId id;
    // By kernel::Registers; null before the first launch that asks for it.
    std::array<std::shared_ptr<const kernel::Kernel>, 4> lowered;
  };
  std::vector<Entry> entries_;
  std::unordered_map<std::string_view, std::uint32_t> entries_by_name_;
};

/// What lies between the addresses of two functions.
inline constexpr std::uint64_t function_stride = 16;

}  // namespace wedjat::device

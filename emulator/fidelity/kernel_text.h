// PTX around one instruction of the inventory: just what makes it a kernel that can be lowered.
#pragma once

#include <string>
#include <string_view>

namespace wedjat::fidelity {

// What a module begins with: directives, and the variables and the function that instructions may name.
// `target` as in .target; the registers of 128 bits need .version 8.3.
std::string module_head(std::string_view version, std::string_view target, bool independent_textures);

// Whether the instruction names samplers, which only such modules have.
bool wants_independent_textures(std::string_view instruction);

// .entry NAME with `instruction` (which may be several lines) as its body; every register it names is
// declared.
std::string kernel_text(std::string_view name, std::string_view instruction);

}  // namespace wedjat::fidelity

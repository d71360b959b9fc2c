// A form as something to execute: a PTX kernel, its input bytes, the shape of its output.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tests/emulator/hardware/forms/form.h"
#include "tests/emulator/hardware/forms/inputs.h"

namespace wedjat::hardware_truth {

// An array of kLanes values of one register, at `offset` of the input or output buffer. Predicates are bytes,
// 0 or 1.
struct Slot {
  std::string name;  // the register in the kernel: "%s0", "%d1", "%carry_in", "%carry_out"
  Type type;
  std::size_t offset;
};

unsigned slot_bytes(Type type);

struct SceneSet;

struct Case {
  Case(std::string of_form, std::string named) : form(std::move(of_form)), entry(std::move(named)) {}

  std::string form;   // the form's text
  std::string entry;  // the kernel's name
  // .visible .entry ENTRY(.param .u64 pin, .param .u64 pout): to be launched with kBlocks CTAs of kThreads
  // threads. Every byte of the output is written.
  std::string ptx;
  std::vector<Slot> inputs, outputs;
  std::vector<std::byte> input;
  std::size_t output_bytes = 0;
  std::string head, target_options;   // declarations of its module; what follows .target sm_90a
  std::vector<std::byte> parameters;  // bytes of a third parameter
  const SceneSet* scenes = nullptr;   // textures or surfaces: then a third parameter has their handles, a
                                      // fourth the only warp that is to run, or all bits (texel_case.h)
  std::string variable;               // that each scene in turn is bound to; empty: they have handles

  std::uint64_t input_hash() const;  // XXH3 of input
};

Case make_case(const Form& form, std::string entry);

// Cases named form_0, form_1, … in the order of the forms.
std::vector<Case> make_cases(std::span<const Form> forms);

// How many of the first cases one module can hold: of the same head, `most` at most.
std::size_t one_module(std::span<const Case> cases, std::size_t most);

// A PTX module holding the kernels of the cases, which have the same head.
std::string module_text(std::span<const Case> cases);

// How many lanes of the output differ, and the first of them with its inputs; empty if none does.
std::string describe_difference(const Case& one, std::span<const std::byte> expected,
                                std::span<const std::byte> got);

}  // namespace wedjat::hardware_truth

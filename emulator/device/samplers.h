// Samplers that a module declares (PTX ISA 5.3, texture mode independent).
#pragma once
#include "emulator/memory/textures.h"
#include "emulator/ptx/module/module.h"

namespace wedjat::device {

/// What the initial value of a .samplerref says; what it leaves out: nearest, clamped to the edge,
/// coordinates as the texture has them. Throws ptx::Error if it cannot be had.
memory::Sampler declared_sampler(const ptx::Module& module, const ptx::Variable& variable);

}  // namespace wedjat::device

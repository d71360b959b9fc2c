// Functions of tools: their values, and what becomes of the calls once all is emitted.
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <algorithm>
#include <cstddef>

#include "emulator/compile/emit/region_emitter.h"
#include "utilities/include/wedjat/lanes.h"

namespace wedjat::compile {

namespace {

constexpr unsigned most_seldom_arguments = 5;  // of call_seldom

}  // namespace

// `active`: of which there is one.
void RegionEmitter::call_inlined(const exec::InlinedFunction& wanted, std::uint32_t link,
                                 llvm::Value* active) {
  const auto count = static_cast<unsigned>(wanted.values.size());
  llvm::AllocaInst* const values =
      slot_at_start(llvm::ArrayType::get(builder_.getInt8Ty(), sizeof(wedjat_lanes) * std::max(count, 1u)));
  values->setAlignment(llvm::Align(alignof(wedjat_lanes)));
  for (unsigned v = 0; v < count; ++v) show_value(wanted.values[v], values, sizeof(wedjat_lanes) * v);
  llvm::Value* const counters =
      builder_.CreateConstInBoundsGEP1_64(builder_.getInt64Ty(), watched_.cells, wanted.cell);
  if (llvm::Function* const function = target_.functions->find(wanted, module_)) {
    inlined_.push_back(builder_.CreateCall(function, {counters, values, active}));
    watchers_.insert(inlined_.back());
    return;
  }
  auto* const type = llvm::FunctionType::get(
      builder_.getVoidTy(), {builder_.getPtrTy(), builder_.getPtrTy(), builder_.getInt32Ty()}, false);
  watchers_.insert(builder_.CreateCall(type, linked(Link::Kind::tool, link), {counters, values, active}));
}

void RegionEmitter::show_value(const exec::ProbeRow& from, llvm::Value* values, std::size_t offset) {
  const auto tell = [&](std::size_t field, llvm::Value* value) {
    builder_.CreateStore(value, at(values, offset + field));
  };
  llvm::Type* const number = builder_.getInt64Ty();
  llvm::Value* const none = builder_.getInt64(0);
  Value value = rows_->get(row(from.offset));
  llvm::Value *first = none, *step_x = none, *step_y = none;
  llvm::Value* each = llvm::ConstantPointerNull::get(builder_.getPtrTy());
  unsigned width = values_.width();
  if (from.bytes == 0) {
    first = builder_.CreateZExt(rows_->bits_of(values_.vector(value)), number);
    width = warp_lanes;
  } else if (value.shape.is_uniform()) {
    first = builder_.CreateZExt(value.base, number);
    width = warp_lanes;
  } else if (value.shape.is_affine() && from.bytes == 8) {
    first = value.base;
    step_x = llvm::ConstantInt::getSigned(number, value.shape.sx);
    if (width != warp_lanes) step_y = values_.step_y(value);
    if (width != warp_lanes && value.shape.sy == value.shape.sx * width) width = warp_lanes;
  } else {
    llvm::AllocaInst* const room = slot_at_start(Values::wide(number));
    builder_.CreateStore(builder_.CreateZExt(values_.vector(value), Values::wide(number)), room);
    each = room;
    width = 0;
  }
  tell(offsetof(wedjat_lanes, first), first);
  tell(offsetof(wedjat_lanes, step_x), step_x);
  tell(offsetof(wedjat_lanes, step_y), step_y);
  tell(offsetof(wedjat_lanes, width), builder_.getInt32(width));
  tell(offsetof(wedjat_lanes, each), each);
}

// What a function calls in turn is taken to be seldom reached: what lives across it stays in registers on the
// way that leaves it out. Not with all arguments.
void RegionEmitter::keep_registers(llvm::CallInst& call) {
  llvm::Function* const callee = call.getCalledFunction();
  const auto is_number = [](const llvm::Type* type) {
    return type->isPointerTy() || (type->isIntegerTy() && type->getIntegerBitWidth() <= 64);
  };
  if (callee == nullptr || callee->isDeclaration() || call.arg_size() > most_seldom_arguments ||
      !(call.getType()->isVoidTy() || is_number(call.getType())) ||
      !llvm::all_of(call.args(), [&](const llvm::Use& each) { return is_number(each->getType()); }))
    return;
  for (const auto passed : {llvm::Attribute::ByVal, llvm::Attribute::StructRet, llvm::Attribute::InReg})
    if (callee->getAttributes().hasAttrSomewhere(passed)) return;
  bool reaches_own = false;
  for (const llvm::Use& each : call.args())
    reaches_own = reaches_own || (each->getType()->isPointerTy() &&
                                  !llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(each, 0)));
  builder_.SetInsertPoint(&call);
  llvm::SmallVector<llvm::Value*, most_seldom_arguments> arguments;
  for (unsigned i = 0; i < call.arg_size(); ++i)
    arguments.push_back(call.paramHasAttr(i, llvm::Attribute::SExt)
                            ? builder_.CreateSExt(call.getArgOperand(i), builder_.getInt64Ty())
                            : call.getArgOperand(i));
  llvm::Value* result = call_seldom(callee, arguments);
  llvm::cast<llvm::CallInst>(result)->addFnAttr(llvm::Attribute::Cold);
  if (!reaches_own)
    llvm::cast<llvm::CallInst>(result)->setMetadata(llvm::LLVMContext::MD_noalias, own_scope_);
  if (call.getType()->isPointerTy())
    result = builder_.CreateIntToPtr(result, call.getType());
  else if (!call.getType()->isVoidTy())
    result = builder_.CreateTrunc(result, call.getType());
  if (!call.getType()->isVoidTy()) call.replaceAllUsesWith(result);
  call.eraseFromParent();
}

// What is shown of the values is written to memory where such a call is made, and nowhere else.
void RegionEmitter::show_copy(llvm::CallInst& call, const llvm::Value* values) {
  for (llvm::Use& each : call.args()) {
    llvm::APInt offset(64, 0);
    if (!each->getType()->isPointerTy() ||
        each->stripAndAccumulateConstantOffsets(module_.getDataLayout(), offset, true) != values)
      continue;
    const auto* const shown = llvm::cast<llvm::AllocaInst>(values);
    llvm::AllocaInst* const copy = slot_at_start(shown->getAllocatedType());
    copy->setAlignment(shown->getAlign());
    builder_.SetInsertPoint(&call);
    llvm::CallInst* const shows =
        builder_.CreateMemCpy(copy, copy->getAlign(), const_cast<llvm::AllocaInst*>(shown), shown->getAlign(),
                              module_.getDataLayout().getTypeAllocSize(copy->getAllocatedType()));
    shows->setMetadata(llvm::LLVMContext::MD_noalias, own_scope_);
    each.set(at(copy, offset.getZExtValue()));
  }
}

void RegionEmitter::inline_functions() {
  for (llvm::CallInst* const call : inlined_) {
    const llvm::Value* const values = call->getArgOperand(1);
    llvm::InlineFunctionInfo info;
    llvm::InlineFunction(*call, info);
    for (llvm::CallBase* const further : info.InlinedCallSites)
      if (auto* const one = llvm::dyn_cast<llvm::CallInst>(further)) {
        show_copy(*one, values);
        keep_registers(*one);
      }
  }
  for (llvm::Function& function : llvm::make_early_inc_range(module_))
    if (function.hasInternalLinkage() && function.use_empty()) function.eraseFromParent();
}

}  // namespace wedjat::compile

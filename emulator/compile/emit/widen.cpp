#include "emulator/compile/emit/widen.h"

#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>

#include "emulator/compile/emit/lookup.h"
#include "emulator/compile/emit/rounding.h"

namespace wedjat::compile {

namespace {

using llvm::Instruction;

// A row of the step, and the byte in its element.
struct RowPlace {
  unsigned index;
  unsigned byte;
};

std::optional<RowPlace> row_place(const llvm::Value* pointer, const llvm::DataLayout& layout) {
  llvm::APInt offset(64, 0);
  const llvm::Value* base = pointer->stripAndAccumulateConstantOffsets(layout, offset, true);
  const auto* argument = llvm::dyn_cast<llvm::Argument>(base);
  if (argument == nullptr || argument->getArgNo() == 0) return std::nullopt;
  return RowPlace{argument->getArgNo() - 1, static_cast<unsigned>(offset.getZExtValue())};
}

const llvm::DataLayout& layout_of(const llvm::Function& lane) { return lane.getParent()->getDataLayout(); }

// A load from a constant table: the table and the instruction that finds the place in it.
const llvm::GlobalVariable* table_of(const llvm::Value* pointer, const llvm::GEPOperator*& place) {
  place = llvm::dyn_cast<llvm::GEPOperator>(pointer);
  if (place == nullptr) return nullptr;
  const auto* table = llvm::dyn_cast<llvm::GlobalVariable>(place->getPointerOperand());
  const bool known = table != nullptr && table->isConstant() && table->hasInitializer() &&
                     llvm::isa<llvm::ConstantDataSequential>(table->getInitializer());
  return known ? table : nullptr;
}

bool is_scalar(const llvm::Type* type) { return type->isIntegerTy() || type->isFloatingPointTy(); }

bool can_widen(const Instruction& instruction, const llvm::Function& lane) {
  if (llvm::isa<llvm::ReturnInst>(instruction) || llvm::isa<llvm::GetElementPtrInst>(instruction))
    return true;
  if (llvm::isa<llvm::BitCastInst>(instruction) && instruction.getType()->isPointerTy()) return true;
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    const llvm::GEPOperator* place = nullptr;
    return is_scalar(load->getType()) && (row_place(load->getPointerOperand(), layout_of(lane)) ||
                                          table_of(load->getPointerOperand(), place) != nullptr);
  }
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return is_scalar(store->getValueOperand()->getType()) &&
           row_place(store->getPointerOperand(), layout_of(lane)).has_value();
  if (const auto* rounded = llvm::dyn_cast<llvm::ConstrainedFPIntrinsic>(&instruction))
    return can_round(*rounded);
  if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) {
    if (call->isLifetimeStartOrEnd()) return false;
    return is_scalar(call->getType()) && llvm::isTriviallyVectorizable(call->getIntrinsicID());
  }
  if (!is_scalar(instruction.getType())) return false;
  if (instruction.getType()->isIntegerTy() && instruction.getType()->getIntegerBitWidth() > 128) return false;
  return instruction.isBinaryOp() || instruction.isCast() || instruction.isUnaryOp() ||
         llvm::isa<llvm::CmpInst>(instruction) || llvm::isa<llvm::SelectInst>(instruction) ||
         llvm::isa<llvm::FreezeInst>(instruction);
}

Shape constant_shape(const llvm::Value* value) {
  if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(value);
      number != nullptr && number->getBitWidth() <= 64)
    return Shape::of(static_cast<std::uint64_t>(number->getSExtValue()));
  return Shape::uniform();
}

// Of an instruction whose operands are numbers that are known.
template <class Get>
std::optional<Shape> folded(const Instruction& instruction, const Get& get) {
  if (!instruction.isBinaryOp() && !instruction.isCast() && !llvm::isa<llvm::ICmpInst>(instruction))
    return std::nullopt;
  llvm::SmallVector<llvm::Constant*, 2> numbers;
  for (const llvm::Value* operand : instruction.operands()) {
    const Shape shape = get(operand);
    if (!shape.constant || !operand->getType()->isIntegerTy()) return std::nullopt;
    numbers.push_back(
        llvm::ConstantInt::getSigned(operand->getType(), static_cast<std::int64_t>(*shape.constant)));
  }
  const llvm::Constant* const result = llvm::ConstantFoldInstOperands(const_cast<Instruction*>(&instruction),
                                                                      numbers, instruction.getDataLayout());
  const auto* number = llvm::dyn_cast_or_null<llvm::ConstantInt>(result);
  if (number == nullptr || number->getBitWidth() > 64) return std::nullopt;
  return constant_shape(number);
}

// Of the result of an instruction that neither loads nor stores, by those of its operands.
template <class Get>
Shape shape_of(const Instruction& instruction, const Get& get, bool certain) {
  if (const std::optional<Shape> known = folded(instruction, get)) return *known;
  bool uniform = true;
  for (const llvm::Value* operand : instruction.operands())
    if (!llvm::isa<llvm::Function>(operand)) uniform &= get(operand).is_uniform();
  const llvm::Type* const type = instruction.getType();
  const bool narrow = type->isIntegerTy() && type->getIntegerBitWidth() <= 64;
  const unsigned bits = narrow ? type->getIntegerBitWidth() : 0;
  const auto operand = [&](unsigned i) { return get(instruction.getOperand(i)); };
  // Numbers alone, of which more may be known than that they are the same for all.
  Shape result = Shape::vector();
  if (narrow && bits > 1) {
    switch (instruction.getOpcode()) {
      case Instruction::Add:
        result = sum(operand(0), operand(1), bits, 1);
        break;
      case Instruction::Sub:
        result = sum(operand(0), operand(1), bits, -1);
        break;
      case Instruction::Mul:
        result = product(operand(0), operand(1), bits);
        break;
      case Instruction::Shl:
        if (const Shape by = operand(1); by.constant && *by.constant < bits)
          result = product(operand(0), Shape::of(std::uint64_t{1} << *by.constant), bits);
        break;
      case Instruction::Trunc:
        if (instruction.getOperand(0)->getType()->getIntegerBitWidth() <= 64)
          result = truncated(operand(0), bits);
        break;
      case Instruction::SExt:
      case Instruction::ZExt:
        if (instruction.getOperand(0)->getType()->isIntegerTy(1)) break;
        // Whether no lane wraps around is checked when the code runs.
        if (operand(0).is_uniform() || (operand(0).is_affine() && !certain)) result = operand(0);
        if (instruction.getOpcode() == Instruction::ZExt && result.constant) {
          const unsigned from = instruction.getOperand(0)->getType()->getIntegerBitWidth();
          if (from < 64) *result.constant &= (std::uint64_t{1} << from) - 1;
        }
        break;
      case Instruction::Select:
        if (const Shape condition = operand(0); condition.constant)
          result = operand((*condition.constant & 1) != 0 ? 1 : 2);
        else
          result = selected(condition, operand(1), operand(2));
        break;
      case Instruction::Freeze:
        result = operand(0);
        break;
      default:
        break;
    }
  }
  if (!result.is_vector()) return result;
  return uniform ? Shape::uniform() : Shape::vector();
}

class Walk {
 public:
  Walk(const llvm::Function& lane, RowElements inputs, const Widening* how, bool certain)
      : lane_(lane), inputs_(std::move(inputs)), how_(how), certain_(certain) {}

  std::map<unsigned, Value> run() {
    for (const Instruction& instruction : lane_.getEntryBlock()) {
      if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
        values_[load] = loaded(*load);
      else if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
        keep(*store);
      else if (is_scalar(instruction.getType()))
        values_[&instruction] = computed(instruction);
    }
    return std::move(results_);
  }

 private:
  Shape shape(const llvm::Value* value) const {
    const auto found = values_.find(value);
    return found != values_.end() ? found->second.shape : constant_shape(value);
  }

  // Operands as the code made here knows them: constants are the same everywhere.
  Value value(const llvm::Value* of) {
    const auto found = values_.find(of);
    if (found != values_.end()) return found->second;
    return {constant_shape(of), const_cast<llvm::Value*>(of), nullptr, nullptr};
  }
  llvm::Value* vector(const llvm::Value* of) {
    const auto found = values_.find(of);
    if (found != values_.end()) return how_->values.vector(found->second);
    return llvm::ConstantVector::getSplat(llvm::ElementCount::getFixed(warp_lanes),
                                          llvm::cast<llvm::Constant>(const_cast<llvm::Value*>(of)));
  }
  llvm::Type* typed(const Shape& shape, llvm::Type* type) const {
    return shape.is_vector() ? Values::wide(type) : type;
  }
  llvm::IRBuilder<>& builder() { return how_->builder; }

  // --- what comes in
  Value loaded(const llvm::LoadInst& load) {
    const auto place = row_place(load.getPointerOperand(), layout_of(lane_));
    if (!place) return looked_up(load);
    RowElement& row = inputs_.at(place->index);
    llvm::Type* const type = load.getType();
    const bool whole = type->isIntegerTy(row.bits);
    Value result;
    if (whole)
      result.shape = row.value.shape;
    else
      result.shape = row.value.shape.is_uniform() ? Shape::uniform() : Shape::vector();
    if (how_ == nullptr || whole) return whole ? row.value : result;
    llvm::Value* bits = result.shape.is_vector() ? how_->values.vector(row.value) : row.value.base;
    if (row.bits == 1) {
      bits = builder().CreateZExt(bits, typed(result.shape, type));
    } else {
      const auto size = static_cast<unsigned>(type->getPrimitiveSizeInBits());
      if (place->byte != 0)
        bits = builder().CreateLShr(bits, llvm::ConstantInt::get(bits->getType(), 8 * place->byte));
      bits = builder().CreateTrunc(bits, typed(result.shape, builder().getIntNTy(size)));
      bits = builder().CreateBitCast(bits, typed(result.shape, type));
    }
    (result.shape.is_vector() ? result.vector : result.base) = bits;
    return result;
  }

  // The code brings its own, to lie anywhere.
  llvm::Value* copy_of(const llvm::GlobalVariable& table) {
    llvm::Module& to = *builder().GetInsertBlock()->getModule();
    const std::string name = table.getName().str() + ".copy";
    // Files of lanes may use a name for different tables.
    if (llvm::GlobalVariable* const known = to.getGlobalVariable(name, true);
        known != nullptr && known->getInitializer() == table.getInitializer())
      return known;
    auto* const copy =
        new llvm::GlobalVariable(to, table.getValueType(), true, llvm::GlobalValue::PrivateLinkage,
                                 const_cast<llvm::Constant*>(table.getInitializer()), name);
    copy->setAlignment(table.getAlign());
    return copy;
  }

  // From a constant table.
  Value looked_up(const llvm::LoadInst& load) {
    const llvm::GEPOperator* place = nullptr;
    const llvm::GlobalVariable* const table = table_of(load.getPointerOperand(), place);
    Value result{Shape::uniform(), nullptr, nullptr, nullptr};
    for (const llvm::Value* index : place->indices())
      if (!shape(index).is_uniform()) result.shape = Shape::vector();
    if (how_ == nullptr) return result;
    const auto* data = llvm::cast<llvm::ConstantDataSequential>(table->getInitializer());
    const bool of_elements = place->getSourceElementType() == table->getValueType() &&
                             place->getNumIndices() == 2 && load.getType() == data->getElementType();
    if (result.shape.is_vector() && how_->avx512 && of_elements && is_small(*data)) {
      result.vector = look_up(builder(), *data, vector(place->getOperand(2)));
      return result;
    }
    llvm::Value* const begin = copy_of(*table);
    llvm::SmallVector<llvm::Value*, 3> indices;
    for (const llvm::Value* index : place->indices())
      indices.push_back(result.shape.is_vector() ? vector(index) : value(index).base);
    llvm::Value* const at = builder().CreateGEP(place->getSourceElementType(), begin, indices);
    if (result.shape.is_vector())
      result.vector =
          builder().CreateMaskedGather(Values::wide(load.getType()), at, load.getAlign(),
                                       llvm::ConstantInt::getTrue(Values::wide(builder().getInt1Ty())));
    else
      result.base = builder().CreateAlignedLoad(load.getType(), at, load.getAlign());
    return result;
  }

  // --- what is computed
  Value computed(const Instruction& instruction) {
    const Shape expected = shape_of(
        instruction, [&](const llvm::Value* v) { return shape(v); }, certain_);
    Value result{expected, nullptr, nullptr, nullptr};
    if (how_ == nullptr) return result;
    if (result.shape.is_vector()) {
      result.vector = on_vectors(instruction);
      tell_ends(result, instruction);
      return result;
    }
    bool uniform = true;
    for (const llvm::Value* operand : instruction.operands())
      if (!llvm::isa<llvm::Function>(operand)) uniform &= shape(operand).is_uniform();
    if (!uniform) return on_affine(instruction, result.shape);
    if (result.shape.constant && instruction.getType()->isIntegerTy()) {
      result.base = llvm::ConstantInt::getSigned(instruction.getType(),
                                                 static_cast<std::int64_t>(*result.shape.constant));
      return result;
    }
    if (const auto* rounded = llvm::dyn_cast<llvm::ConstrainedFPIntrinsic>(&instruction)) {
      result.base = builder().CreateExtractElement(round(*rounded), std::uint64_t{0});
      return result;
    }
    Instruction* const copy = instruction.clone();
    for (unsigned i = 0; i < copy->getNumOperands(); ++i)
      if (const auto found = values_.find(instruction.getOperand(i)); found != values_.end())
        copy->setOperand(i, found->second.base);
    if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(copy)) {
      result.base = same_call(*llvm::cast<llvm::IntrinsicInst>(&instruction), instruction.getType(),
                              [&](unsigned i) { return call->getArgOperand(i); });
      copy->deleteValue();
      return result;
    }
    copy->dropUnknownNonDebugMetadata();
    result.base = builder().Insert(copy);
    return result;
  }

  // Of truth values, as they are compared, turned round and stored.
  void tell_ends(Value& result, const Instruction& instruction) {
    const auto operand = [&](unsigned i) { return value(instruction.getOperand(i)); };
    if (const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(&instruction)) {
      if (compare->getOperand(0)->getType()->isIntegerTy())
        how_->values.tell_ends(result, compare->getPredicate(), operand(0), operand(1));
    } else if (instruction.getOpcode() == Instruction::ZExt &&
               instruction.getOperand(0)->getType()->isIntegerTy(1)) {
      result.all = operand(0).all;
      result.none = operand(0).none;
    } else if (llvm::PatternMatch::match(&instruction,
                                         llvm::PatternMatch::m_Not(llvm::PatternMatch::m_Value())) &&
               instruction.getType()->isIntegerTy(1)) {
      result.all = operand(0).none;
      result.none = operand(0).all;
    }
  }

  Value on_affine(const Instruction& instruction, const Shape& expected) {
    Values& values = how_->values;
    const auto operand = [&](unsigned i) { return value(instruction.getOperand(i)); };
    llvm::Value* holds = nullptr;
    Value result;
    switch (instruction.getOpcode()) {
      case Instruction::Add:
        return values.add(operand(0), operand(1), 1);
      case Instruction::Sub:
        return values.add(operand(0), operand(1), -1);
      case Instruction::Mul:
        return values.multiply(operand(0), operand(1));
      case Instruction::Shl:
        return values.multiply(operand(0), values.constant(instruction.getType(),
                                                           std::uint64_t{1} << *operand(1).shape.constant));
      case Instruction::Trunc:
        return values.truncate(operand(0), instruction.getType());
      case Instruction::SExt:
      case Instruction::ZExt:
        result = values.extend(operand(0), instruction.getType(),
                               instruction.getOpcode() == Instruction::SExt, holds);
        if (holds != nullptr) how_->require(holds);
        return result;
      case Instruction::Select: {
        Value condition = operand(0);
        if (condition.shape.constant) return operand((*condition.shape.constant & 1) != 0 ? 1 : 2);
        return values.select(condition, operand(1), operand(2), expected);
      }
      default:  // Freeze: no number here is poison
        return operand(0);
    }
  }

  template <class Argument>
  llvm::Value* same_call(const llvm::IntrinsicInst& call, llvm::Type* type, const Argument& argument) {
    llvm::SmallVector<llvm::Value*, 4> arguments;
    for (unsigned i = 0; i < call.arg_size(); ++i) arguments.push_back(argument(i));
    return builder().CreateIntrinsic(type, call.getIntrinsicID(), arguments);
  }

  llvm::Value* round(const llvm::ConstrainedFPIntrinsic& call) {
    llvm::SmallVector<llvm::Value*, 3> arguments;
    for (unsigned i = 0; i < call.getNonMetadataArgCount(); ++i)
      arguments.push_back(vector(call.getArgOperand(i)));
    return round_all(builder(), call, arguments);
  }

  llvm::Value* on_vectors(const Instruction& instruction) {
    const auto operand = [&](unsigned i) { return vector(instruction.getOperand(i)); };
    llvm::Type* const type = Values::wide(instruction.getType());
    if (const auto* rounded = llvm::dyn_cast<llvm::ConstrainedFPIntrinsic>(&instruction))
      return round(*rounded);
    if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
      return same_call(*call, type, [&](unsigned i) {
        return llvm::isVectorIntrinsicWithScalarOpAtArg(call->getIntrinsicID(), i)
                   ? call->getArgOperand(i)
                   : vector(call->getArgOperand(i));
      });
    if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(&instruction))
      return builder().CreateCast(cast->getOpcode(), operand(0), type);
    if (const auto* compare = llvm::dyn_cast<llvm::CmpInst>(&instruction))
      return builder().CreateCmp(compare->getPredicate(), operand(0), operand(1));
    if (llvm::isa<llvm::SelectInst>(instruction)) {
      const llvm::Value* const which = instruction.getOperand(0);
      return builder().CreateSelect(shape(which).is_uniform() ? value(which).base : vector(which), operand(1),
                                    operand(2));
    }
    if (llvm::isa<llvm::FreezeInst>(instruction)) return builder().CreateFreeze(operand(0));
    if (const auto* unary = llvm::dyn_cast<llvm::UnaryOperator>(&instruction))
      return builder().CreateUnOp(unary->getOpcode(), operand(0));
    return builder().CreateBinOp(llvm::cast<llvm::BinaryOperator>(instruction).getOpcode(), operand(0),
                                 operand(1));
  }

  // --- what goes out
  void keep(const llvm::StoreInst& store) {
    const auto place = row_place(store.getPointerOperand(), layout_of(lane_));
    const unsigned row_bits = inputs_.at(place->index).bits;
    const llvm::Value* const stored = store.getValueOperand();
    const bool whole = stored->getType()->isIntegerTy(row_bits);
    const auto [result, is_new] = results_.try_emplace(place->index);
    Value before = result->second;
    Value now = how_ != nullptr ? value(stored) : Value{shape(stored), nullptr, nullptr, nullptr};
    if (whole) {
      result->second = now;
      return;
    }
    const bool uniform = now.shape.is_uniform() && (is_new || before.shape.is_uniform());
    result->second = {uniform ? Shape::uniform() : Shape::vector(), nullptr, nullptr, nullptr};
    if (how_ == nullptr) return;
    const Shape to = result->second.shape;
    llvm::Value* bits = uniform ? now.base : vector(stored);
    if (row_bits == 1) {
      bits = builder().CreateTrunc(bits, typed(to, builder().getInt1Ty()));
    } else {
      const auto size = static_cast<unsigned>(stored->getType()->getPrimitiveSizeInBits());
      bits = builder().CreateBitCast(bits, typed(to, builder().getIntNTy(size)));
      bits = builder().CreateZExt(bits, typed(to, builder().getIntNTy(row_bits)));
      if (place->byte != 0)
        bits = builder().CreateShl(bits, llvm::ConstantInt::get(bits->getType(), 8 * place->byte));
      if (!is_new) bits = builder().CreateOr(bits, uniform ? before.base : how_->values.vector(before));
    }
    (uniform ? result->second.base : result->second.vector) = bits;
    if (row_bits != 1 || !is_new) return;
    result->second.all = now.all;
    result->second.none = now.none;
  }

  const llvm::Function& lane_;
  RowElements inputs_;
  const Widening* const how_;
  const bool certain_;
  std::map<const llvm::Value*, Value> values_;
  std::map<unsigned, Value> results_;
};

}  // namespace

bool can_widen(const llvm::Function& lane) {
  for (const Instruction& instruction : lane.getEntryBlock())
    if (!can_widen(instruction, lane)) return false;
  return true;
}

std::map<unsigned, Value> widen(const llvm::Function& lane, RowElements inputs, const Widening* how) {
  return Walk(lane, std::move(inputs), how, false).run();
}

std::map<unsigned, Value> certain_shapes(const llvm::Function& lane, RowElements inputs) {
  return Walk(lane, std::move(inputs), nullptr, true).run();
}

}  // namespace wedjat::compile

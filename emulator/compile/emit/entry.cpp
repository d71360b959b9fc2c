// What a region takes from memory when a path enters it.
#include <cstddef>

#include "emulator/compile/emit/proofs.h"
#include "emulator/compile/emit/region_emitter.h"

namespace wedjat::compile {

RowShapes RegionEmitter::shapes_at_entry(LaneLibrary& lanes) {
  const Node& first = region_.nodes.front();
  RowShapes shapes = Proofs(request_, liveness_, bytes_, lanes).before(first.block, first.first);
  for (std::uint32_t r = 0; r < shapes.size(); ++r) {
    if (request_.paths == exec::PathKind::one) {
      if (!shapes[r].constant) shapes[r] = Shape::uniform();
      continue;
    }
    // Where not all lanes take part, others hold numbers that are not the path's: steps must be known.
    const auto usable = [&](const Shape& shape) {
      return shape.is_affine() && (request_.full() || shape.sy);
    };
    if (usable(shapes[r])) continue;
    const auto guess = request_.entry.find(liveness_.offset(r));
    const bool has_guess = guess != request_.entry.end() && usable(guess->second);
    shapes[r] = has_guess ? guess->second : Shape::vector();
    if (has_guess) guessed_.add(r);
  }
  return shapes;
}

// A row that is no vector, from the lanes of the path.
Value RegionEmitter::loaded(std::uint32_t r, const Shape& shape) {
  if (shape.constant) {
    Value value = values_.constant(rows_->type(r), *shape.constant);
    value.shape = shape;
    return value;
  }
  llvm::Value* lane = rows_->lane() != nullptr ? rows_->lane() : builder_.getInt32(0);
  if (!rows_->full() && rows_->lane() == nullptr)
    lane = builder_.CreateIntrinsic(builder_.getInt32Ty(), llvm::Intrinsic::cttz,
                                    {rows_->mask(), builder_.getTrue()});
  Value value{shape, rows_->load_lane(r, lane), nullptr, nullptr};
  if (!shape.sy)
    value.sy = builder_.CreateSub(rows_->load_lane(r, builder_.getInt32(request_.width)), value.base);
  if (rows_->full() || shape.is_uniform()) return value;
  // Back to lane 0.
  const auto take = [&](llvm::Value* count, std::int64_t step) {
    llvm::Type* const type = value.base->getType();
    llvm::Value* const steps =
        builder_.CreateMul(builder_.CreateZExtOrTrunc(count, type), llvm::ConstantInt::getSigned(type, step));
    value.base = builder_.CreateSub(value.base, steps);
  };
  llvm::Value* const width = builder_.getInt32(request_.width);
  take(builder_.CreateURem(lane, width), shape.sx);
  take(builder_.CreateUDiv(lane, width), *shape.sy);
  return value;
}

// Another path has to run first where it stands: code of some lanes covers only blocks before that.
void RegionEmitter::check_rival(Block* refuse) {
  if (request_.full()) return;
  llvm::Value* const rival = load_field(builder_.getInt32Ty(), offsetof(exec::Passage, rival));
  Block* const good = block("first");
  builder_.CreateCondBr(builder_.CreateICmpUGE(rival, builder_.getInt32(request_.bounds.until)), good,
                        refuse);
  builder_.SetInsertPoint(good);
}

void RegionEmitter::find_wanted() {
  std::size_t steps = 0;
  for (const Node& node : region_.nodes) {
    if (node.outside) continue;
    steps += node.last - node.first;
    for (std::uint32_t i = node.first; i < node.last; ++i) {
      const std::uint32_t step = number_of(node, i);
      for (const RowUse& use : plans_[step].rows) wanted_.add(row(use));
      if (code_.steps[step].guard != 0) wanted_.add(row(guard_row(code_.steps[step].guard)));
    }
    for (const RowUse& use : rows_of(code_.blocks[node.block].end, code_)) wanted_.add(row(use));
  }
  // Of others too it can tell what they hold, to code that follows, if it is not too short to look at them.
  std::size_t others = 0;
  guessed_.for_each([&](std::uint32_t r) { others += wanted_.has(r) ? 0 : 1; });
  if (request_.full() && others <= 4 * steps) wanted_.add(guessed_);
}

// Whether code that left the path here knows that the rows are as guessed.
llvm::Value* RegionEmitter::certified(const std::vector<std::uint32_t>& doubtful) {
  const Node& first = region_.nodes.front();
  Certificates::Shapes shapes;
  for (const std::uint32_t r : doubtful) shapes[liveness_.offset(r)] = entry_[r];
  want_ = {{request_.function, first.block, first.first}, std::move(shapes)};
  llvm::Value* const number = load_field(builder_.getInt32Ty(), offsetof(exec::Passage, certificate));
  llvm::Value* const known = builder_.CreateLoad(
      builder_.getInt8Ty(), builder_.CreateGEP(builder_.getInt8Ty(), linked(Link::Kind::wanted), number));
  return builder_.CreateICmpNE(known, builder_.getInt8(0));
}

// Goes to `refuse` if a row is not what it was taken for.
void RegionEmitter::check_guesses(const std::vector<std::uint32_t>& doubtful,
                                  const std::vector<Value>& values, Block* refuse) {
  Block* const good = block("fits");
  if (request_.full()) {
    Block* const look = block("look");
    builder_.CreateCondBr(certified(doubtful), good, look);
    builder_.SetInsertPoint(look);
  }
  llvm::Value* fits = nullptr;
  for (const std::uint32_t r : doubtful) {
    Value copy = values[r];
    llvm::Value* const same = builder_.CreateICmpEQ(rows_->load(r), values_.vector(copy));
    fits = fits == nullptr ? same : builder_.CreateAnd(fits, same);
  }
  llvm::Value* lanes = rows_->bits_of(fits);
  lanes = builder_.CreateOr(lanes, builder_.CreateNot(rows_->mask()));
  builder_.CreateCondBr(builder_.CreateICmpEQ(lanes, all_lanes()), good, refuse);
  builder_.SetInsertPoint(good);
}

// All rows that the region wants, as memory has them now.
void RegionEmitter::load_entry(Block* refuse) {
  const Node& first = region_.nodes.front();
  const RowSet live = liveness_.through(first.block)[first.first];
  std::vector<Value> values(liveness_.rows());
  rows_->begin({liveness_.rows(), Value{}});
  std::vector<std::uint32_t> doubtful;
  for (std::uint32_t r = 0; r < liveness_.rows(); ++r) {
    if (!live.has(r) || !wanted_.has(r) || bytes_[r] == untracked) continue;
    const Shape& shape = before_[0][r];
    if (shape.is_vector()) {
      values[r] = {shape, nullptr, nullptr, rows_->load(r)};
      continue;
    }
    // The region may come back here with other values, of which less is known.
    values[r] = values_.reshaped(loaded(r, entry_[r]), shape);
    if (guessed_.has(r)) doubtful.push_back(r);
  }
  if (!doubtful.empty()) check_guesses(doubtful, values, refuse);
  constants_ = values;
  rows_->begin(std::move(values));
}

}  // namespace wedjat::compile

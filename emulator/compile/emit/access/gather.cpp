// Lanes that read here and there: an instruction that gathers where elements
// are words; what is smaller or several words takes less if each lane loads all
// of it at once.
#include "emulator/compile/emit/region_emitter.h"

namespace wedjat::compile {

namespace {

constexpr unsigned lane_bytes = 16;  // bytes of a lane

}  // namespace

// By lane, what lies there.
std::vector<llvm::Value*> RegionEmitter::read_each(llvm::Type* type, llvm::Value* hosts, llvm::Align align) {
  std::vector<llvm::Value*> all;
  for (unsigned lane = 0; lane < warp_lanes; ++lane)
    all.push_back(builder_.CreateAlignedLoad(type, builder_.CreateExtractElement(hosts, lane), align));
  return all;
}

// The elements of the step.
std::vector<llvm::Value*> RegionEmitter::gather(const StepPlan& plan, const Reached& reached,
                                                llvm::Value* mask) {
  const auto count = static_cast<unsigned>(plan.data.size());
  const unsigned bytes = plan.data.front().bytes, all_bytes = bytes * count;
  const llvm::Align align(bytes);
  llvm::Type* const type = rows_->type(row(plan.data.front()));
  const auto gathered = [&](llvm::Type* each) {
    return builder_.CreateMaskedGather(Values::wide(each), reached.hosts, align, rows_->lanes_of(mask));
  };
  if (count == 1 && bytes >= 4) return {gathered(type)};
  std::vector<llvm::Value*> found;
  if (count > 1 && (all_bytes == 4 || all_bytes == 8)) {
    llvm::Value* const words = gathered(builder_.getIntNTy(8 * all_bytes));
    for (unsigned e = 0; e < count; ++e)
      found.push_back(
          builder_.CreateTrunc(builder_.CreateLShr(words, std::uint64_t{8} * bytes * e), Values::wide(type)));
    return found;
  }
  llvm::Value* hosts = reached.hosts;
  if (reached.harmless != nullptr)
    hosts = builder_.CreateSelect(rows_->lanes_of(mask), hosts,
                                  builder_.CreateVectorSplat(warp_lanes, reached.harmless));
  const auto behind = [&](std::uint64_t more) {
    return builder_.CreateGEP(builder_.getInt8Ty(), hosts, builder_.getInt64(more));
  };
  if (all_bytes % lane_bytes != 0) {
    for (unsigned e = 0; e < count; ++e) {
      llvm::Value* all = llvm::PoisonValue::get(Values::wide(type));
      const std::vector<llvm::Value*> each = read_each(type, behind(e * bytes), align);
      for (unsigned lane = 0; lane < warp_lanes; ++lane)
        all = builder_.CreateInsertElement(all, each[lane], lane);
      found.push_back(all);
    }
    return found;
  }
  for (unsigned part = 0; part < all_bytes / lane_bytes; ++part) {
    auto* const several = llvm::FixedVectorType::get(type, lane_bytes / bytes);
    const std::vector<llvm::Value*> parts = columns_of(read_each(several, behind(part * lane_bytes), align));
    found.insert(found.end(), parts.begin(), parts.end());
  }
  return found;
}

// Of each lane's vector the first element, then the second, and so on: as
// registers of 64 bytes have it, which hold those of four lanes.
std::vector<llvm::Value*> RegionEmitter::columns_of(std::vector<llvm::Value*> lanes) {
  const auto join = [&](std::vector<llvm::Value*> parts, std::size_t until) {
    while (parts.size() > until) {
      std::vector<llvm::Value*> joined;
      for (std::size_t i = 0; i < parts.size(); i += 2) {
        const auto size = llvm::cast<llvm::FixedVectorType>(parts[i]->getType())->getNumElements();
        llvm::SmallVector<int, 64> both;
        for (unsigned at = 0; at < 2 * size; ++at) both.push_back(static_cast<int>(at));
        joined.push_back(builder_.CreateShuffleVector(parts[i], parts[i + 1], both));
      }
      parts = std::move(joined);
    }
    return parts;
  };
  const unsigned each = llvm::cast<llvm::FixedVectorType>(lanes.front()->getType())->getNumElements();
  const std::vector<llvm::Value*> registers = join(std::move(lanes), warp_lanes / 4);
  const unsigned size = 4 * each;
  std::vector<llvm::Value*> columns;
  for (unsigned column = 0; column < each; ++column) {
    std::vector<llvm::Value*> picked;
    for (std::size_t i = 0; i < registers.size(); i += 2) {
      llvm::SmallVector<int, 16> from(size, -1), low;
      for (unsigned lane = 0; lane < 8; ++lane) {
        from[lane] = static_cast<int>(lane * each + column);
        low.push_back(static_cast<int>(lane));
      }
      llvm::Value* const both = builder_.CreateShuffleVector(registers[i], registers[i + 1], from);
      picked.push_back(size == 8 ? both : builder_.CreateShuffleVector(both, low));
    }
    columns.push_back(join(std::move(picked), 1).front());
  }
  return columns;
}

}  // namespace wedjat::compile

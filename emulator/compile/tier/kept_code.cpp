// Code of a kernel that was made by an earlier process, and code for later ones.
#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>

#include "emulator/compile/image/keeping_call.h"
#include "emulator/compile/tier/kernel_code.h"

namespace wedjat::compile {

namespace {

bool has_place(const kernel::Kernel& kernel, const auto& place) {
  if (place.function >= kernel.functions.size()) return false;
  const std::vector<kernel::Block>& blocks = kernel.functions[place.function].blocks;
  return place.block < blocks.size() && place.step <= blocks[place.block].count;
}

}  // namespace

// The key holds all that code depends on: this only keeps what is wrong from doing harm.
bool KernelCode::fits(const Piece& piece) const {
  const Image& image = piece.image;
  const std::size_t table_bytes = sizeof(std::uint64_t) * image.links.size();
  return has_place(*kernel_, piece.place) &&
         std::ranges::all_of(image.offers,
                             [&](const auto& offer) { return has_place(*kernel_, offer.place); }) &&
         image.entry < image.bytes.size() && image.frames < image.bytes.size() &&
         image.table <= image.bytes.size() && table_bytes <= image.bytes.size() - image.table;
}

std::uint64_t KernelCode::resolve(const Piece& piece, const Link& link) {
  const kernel::Function& function = kernel_->functions[piece.place.function];
  const Image& image = piece.image;
  const auto address = [](auto* what) {
    return static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(what));
  };
  using Kind = Link::Kind;
  const bool of_probe = link.kind == Kind::probe || link.kind == Kind::tool;
  if (of_probe && probes_ == nullptr)
    throw std::runtime_error("native code refers to a probe that is not there");
  switch (link.kind) {
    case Kind::step:
      return address(&function.steps.at(link.number));
    case Kind::full:
      return address(function.steps.at(link.number).full);
    case Kind::masked:
      return address(function.steps.at(link.number).masked);
    case Kind::offer: {
      const Image::Certified& offer = image.offers.at(link.number);
      return certificates_.offer(offer.place, offer.shapes);
    }
    case Kind::wanted:
      return address(&certificates_.want(image.want.value().place, image.want->shapes));
    case Kind::behind: {
      const Certificates::Place& place = image.offers.at(link.number).place;
      return address(&entry(place.function, place.block, place.step).of(piece.paths));
    }
    case Kind::note_range:
      return address(Library::host().note_range);
    case Kind::begin_run:
      return address(Library::host().begin_run);
    case Kind::learn_memory:
      return address(Library::host().learn_memory);
    case Kind::find_words:
      return address(Library::host().find_words);
    case Kind::find_plane:
      return address(Library::host().find_plane);
    case Kind::pass_rounds:
      return address(Library::host().pass_rounds);
    case Kind::keep_zmm:
    case Kind::keep_ymm:
    case Kind::keep_xmm:
      return address(keeping_call(link.kind));
    case Kind::probe:
      return address(probes_->of(function.steps.at(link.number)).call);
    case Kind::tool:
      return address(probes_->of(function.steps.at(step_of_tool(link.number)))
                         .inlined.at(function_of_tool(link.number))
                         .function);
    case Kind::library:
      if (void* const found = ::dlsym(RTLD_DEFAULT, link.name.c_str())) return address(found);
      throw std::runtime_error(fmt::format("native code calls '{}', which this process has not", link.name));
  }
  throw std::runtime_error("native code refers to something that is not known");
}

std::unique_ptr<PlacedCode> KernelCode::placed(std::span<const Piece> pieces) {
  std::vector<const Image*> images;
  for (const Piece& piece : pieces) images.push_back(&piece.image);
  return std::make_unique<PlacedCode>(images, [&](const Image& image, const Link& link) {
    const auto piece = std::ranges::find(pieces, &image, [](const Piece& each) { return &each.image; });
    return resolve(*piece, link);
  });
}

// Before anybody else knows of this.
void KernelCode::take_kept() {
  if (keeping_ == nullptr) return;
  key_ = key_of(keeping_->maker, *kernel_, geometry_, probes_.get());
  std::vector<Piece> pieces = keeping_->cache.load(key_);
  std::erase_if(pieces, [&](const Piece& piece) { return !fits(piece); });
  if (pieces.empty()) return;
  try {
    code_.push_back(placed(pieces));
  } catch (const std::exception& error) {
    return library_.tell(
        fmt::format("kernel {}: kept native code is not used: {}", kernel_->name, error.what()));
  }
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    Piece& piece = pieces[i];
    if (piece.sweep) {
      sweep.store(code_.back()->entry<exec::Left(exec::Sweep&)>(i), std::memory_order_release);
      sweep_tried_ = true;
      continue;
    }
    Wanted& wanted = wanted_[order_key(piece.place, piece.paths)];
    wanted.place = piece.place;
    wanted.entry = &entry(piece.place.function, piece.place.block, piece.place.step);
    wanted.paths = piece.paths;
    wanted.entry_shapes = std::move(piece.entry);
    wanted.rival = piece.rival;
    wanted.number = wanted_.size();
    wanted.made = 1;
    ++places_;
    wanted.code().store(code_.back()->entry<exec::Left(exec::Passage&)>(i), std::memory_order_release);
  }
  has_any.store(true, std::memory_order_release);
  journal_.found(kernel_->name, pieces.size());
}

exec::NativeCode KernelCode::place_and_note(Piece piece) {
  const std::lock_guard lock(mutex_);
  code_.push_back(placed({&piece, 1}));
  if (keeping_ != nullptr) {
    std::erase_if(fresh_, [&](const Piece& old) { return piece.stands_for(old); });
    fresh_.push_back(std::move(piece));
  }
  return code_.back()->entry<exec::Left(exec::Passage&)>(0);
}

void KernelCode::keep() {
  if (keeping_ == nullptr) return;
  std::vector<Piece> pieces;
  {
    const std::lock_guard lock(mutex_);
    pieces.swap(fresh_);
  }
  keeping_->cache.add(key_, pieces);
}

}  // namespace wedjat::compile

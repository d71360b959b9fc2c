#include "emulator/compile/analysis/successors.h"

namespace wedjat::compile {

std::vector<std::uint32_t> successors(const kernel::Terminator& end) {
  switch (end.kind) {
    case kernel::End::Fall:
      return {end.target};
    case kernel::End::Branch:
      if (end.guard == 0) return {end.target};
      return {end.target, end.next};
    case kernel::End::IndexedBranch: {
      std::vector<std::uint32_t> all = end.targets;
      if (end.guard != 0) all.push_back(end.next);
      return all;
    }
    case kernel::End::Call:
      return {end.next};
    case kernel::End::Return:
    case kernel::End::Exit:
    case kernel::End::Trap:
      if (end.guard != 0) return {end.next};
      return {};
  }
  return {};
}

}  // namespace wedjat::compile

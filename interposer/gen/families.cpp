#include "interposer/gen/families.h"

#include <array>
#include <string_view>

namespace wedjat::interposer {
namespace {

struct Subject {
  const char* prefix;
  const char* family;
};

// The first prefix that fits decides.
constexpr std::array subjects = {
    Subject{"cuMemcpy", "copy"},      Subject{"cuMemset", "copy"},       Subject{"cuMem", "memory"},
    Subject{"cuIpc", "memory"},       Subject{"cuMulticast", "memory"},  Subject{"cuPointer", "memory"},
    Subject{"cuGraphics", "texture"}, Subject{"cuGraph", "graph"},       Subject{"cuStream", "stream"},
    Subject{"cuEvent", "stream"},     Subject{"cuTex", "texture"},       Subject{"cuSurf", "texture"},
    Subject{"cuArray", "texture"},    Subject{"cuMipmapped", "texture"}, Subject{"cuTensor", "texture"},
    Subject{"cuModule", "code"},      Subject{"cuLibrary", "code"},      Subject{"cuKernel", "code"},
    Subject{"cuFunc", "code"},        Subject{"cuLink", "code"},         Subject{"cuLaunch", "code"},
    Subject{"cuParam", "code"},       Subject{"cuOccupancy", "code"},    Subject{"cu", "device"}};

std::string family_of(std::string_view name) {
  for (const Subject& subject : subjects)
    if (name.rfind(subject.prefix, 0) == 0) return subject.family;
  return "device";
}

}  // namespace

std::vector<Family> families(const Model& model) {
  std::vector<Family> result;
  for (const char* name : {"code", "copy", "device", "graph", "memory", "stream", "texture"})
    result.push_back({name, {}});
  for (const Function& function : model.functions)
    for (Family& family : result)
      if (family.name == family_of(function.name)) family.functions.push_back(&function);
  return result;
}

}  // namespace wedjat::interposer

#include "interposer/meaning/device_runtime.h"

#include "interposer/images/libraries.h"

namespace wedjat::interposer {

void add_device_runtime(std::vector<device::PtxSource>& sources) {
  bool wanted = false;
  for (const device::PtxSource& source : sources) {
    if (source.text == device_runtime) return;
    wanted = wanted || wants_device_runtime(source.text);
  }
  if (wanted) sources.push_back({"libcudadevrt.a", device_runtime});
}

}  // namespace wedjat::interposer

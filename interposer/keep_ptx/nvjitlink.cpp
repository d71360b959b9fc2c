// nvJitLink assembles and links what the program gives it: that is kept. What it compiles at link time (-lto)
// is no PTX: a second link of the same asks for that.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "interposer/keep_ptx/compilers.h"
#include "interposer/keep_ptx/libraries.h"
#include "interposer/shim/calls/made_of.h"

namespace wedjat::keep_ptx {
namespace {

constexpr int kLtoIr = 3;  // NVJITLINK_INPUT_LTOIR

struct Input {
  int type = 0;
  std::string name;
  std::vector<char> data;
};

struct Link {
  std::vector<std::string> options;
  std::vector<Input> inputs;

  int most_registers() const {
    constexpr std::string_view limit = "-maxrregcount=";
    int most = 0;
    for (const std::string& option : options)
      if (option.starts_with(limit)) most = std::atoi(option.c_str() + limit.size());
    return most;
  }
  bool compiles() const {
    for (const std::string& option : options)
      if (option == "-lto") return true;
    return false;
  }
};

struct Links {
  std::mutex mutex;
  std::unordered_map<void*, Link> by_handle;
};

// Leaked: programs link even while they end.
Links& links() {
  static Links& all = *new Links;
  return all;
}

void add(void* link, Input input) {
  const std::lock_guard lock(links().mutex);
  links().by_handle[link].inputs.push_back(std::move(input));
}

Link known(void* link) {
  const std::lock_guard lock(links().mutex);
  return links().by_handle[link];
}

// The PTX of what is compiled at link time of these inputs; empty if the library does not give it.
std::vector<char> linked_ptx(const Library& library, const Link& of) {
  auto* const create = library.find<CreateLink>("nvJitLinkCreate");
  auto* const add_data = library.find<AddLinkData>("nvJitLinkAddData");
  auto* const complete = library.find<int(void*)>("nvJitLinkComplete");
  auto* const size_of = library.find<int(void*, std::size_t*)>("nvJitLinkGetLinkedPtxSize");
  auto* const get = library.find<int(void*, char*)>("nvJitLinkGetLinkedPtx");
  auto* const destroy = library.find<DestroyLink>("nvJitLinkDestroy");
  if (!create || !add_data || !complete || !size_of || !get || !destroy) return {};
  std::vector<const char*> options;
  for (const std::string& option : of.options) options.push_back(option.c_str());
  options.push_back("-ptx");
  void* link = nullptr;
  if (create(&link, static_cast<std::uint32_t>(options.size()), options.data()) != 0) return {};
  bool good = true;
  for (const Input& input : of.inputs)
    good = good && add_data(link, input.type, input.data.data(), input.data.size(), input.name.c_str()) == 0;
  std::size_t size = 0;
  good = good && complete(link) == 0 && size_of(link, &size) == 0;
  std::vector<char> ptx(good ? size : 0);
  if (good && get(link, ptx.data()) != 0) ptx.clear();
  destroy(&link);
  return ptx;
}

// nvJitLink gives no PTX of a link in which machine code takes part, as libcudadevrt.a. That is kept beside
// it.
std::vector<char> compiled_ptx(const Library& library, const Link& of) {
  std::vector<char> ptx = linked_ptx(library, of);
  if (!ptx.empty()) return ptx;
  Link intermediate{of.options, {}};
  for (const Input& input : of.inputs)
    if (input.type == kLtoIr) intermediate.inputs.push_back(input);
  return intermediate.inputs.empty() ? ptx : linked_ptx(library, intermediate);
}

}  // namespace

int create_link(CreateLink* real, void** link, std::uint32_t count, const char** options) {
  const int result = real(link, count, options);
  if (result != 0) return result;
  const std::lock_guard lock(links().mutex);
  links().by_handle[*link] = {{options, options + count}, {}};
  return result;
}

int add_link_data(AddLinkData* real, void* link, int type, const void* data, std::size_t size,
                  const char* name) {
  const int result = real(link, type, data, size, name);
  const auto* bytes = static_cast<const char*>(data);
  if (result == 0) add(link, {type, name ? name : "", {bytes, bytes + size}});
  return result;
}

int add_link_file(AddLinkFile* real, void* link, int type, const char* path) {
  const int result = real(link, type, path);
  if (result != 0) return result;
  std::ifstream file(path, std::ios::binary);
  add(link, {type, path, {std::istreambuf_iterator<char>(file), {}}});
  return result;
}

int get_linked_cubin(GetLinkedCubin* real, void* link, void* cubin) {
  const int result = real(link, cubin);
  if (result != 0 || wedjat_made_of == nullptr) return result;
  const Library library(reinterpret_cast<void*>(real));
  auto* const size_of = library.find<int(void*, std::size_t*)>("nvJitLinkGetLinkedCubinSize");
  std::size_t size = 0;
  if (size_of == nullptr || size_of(link, &size) != 0) return result;
  const Link made = known(link);
  std::vector<wedjat_part> parts;
  std::vector<char> compiled;
  if (made.compiles()) compiled = compiled_ptx(library, made);
  if (made.compiles() && compiled.empty())
    std::fprintf(stderr, "wedjat: nvJitLink gave machine code, but no PTX for it: replay will lack it\n");
  if (!compiled.empty()) parts.push_back({compiled.data(), compiled.size(), "nvJitLinkGetLinkedPtx"});
  for (const Input& input : made.inputs)
    if (input.type != kLtoIr && !input.data.empty())
      parts.push_back({input.data.data(), input.data.size(), input.name.c_str()});
  wedjat_made_of(cubin, size, parts.data(), parts.size(), made.most_registers());
  return result;
}

int destroy_link(DestroyLink* real, void** link) {
  if (link != nullptr) {
    const std::lock_guard lock(links().mutex);
    links().by_handle.erase(*link);
  }
  return real(link);
}

}  // namespace wedjat::keep_ptx

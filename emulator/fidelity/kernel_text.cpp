#include "emulator/fidelity/kernel_text.h"

#include <fmt/format.h>

#include <array>
#include <map>

namespace wedjat::fidelity {
namespace {

struct Pool {
  char letter;
  std::string_view type;
};
constexpr std::array<Pool, 6> pools = {
    {{'b', "b8"}, {'h', "b16"}, {'r', "b32"}, {'l', "b64"}, {'q', "b128"}, {'p', "pred"}}};

// Registers the texts call by what they hold.
const std::map<std::string_view, std::string_view>& named_registers() {
  static const std::map<std::string_view, std::string_view> types = [] {
    std::map<std::string_view, std::string_view> all = {{"ptrue", "pred"}, {"mask1", "b16"}};
    for (const std::string_view name :
         {"mem", "memg", "mem0", "memg0", "smx", "gensm", "gensmat", "genmbar", "tmapp", "texh",  "surfh",
          "pol", "cadr", "ladr", "padr",  "szx", "mbst",  "dA",      "dB",      "stk64", "rankx", "op"})
      all[name] = "b64";
    for (const std::string_view name :
         {"memlo", "sm", "smat", "mbar", "taddr", "cadr32", "ladr32", "padr32", "zero", "one", "nt", "mask",
          "sz", "four", "meta", "c32", "ldm", "stk32", "rank"})
      all[name] = "b32";
    return all;
  }();
  return types;
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

std::string declarations(std::string_view text) {
  std::map<char, unsigned> pool_size;
  std::map<std::string_view, std::string_view> named;
  for (std::size_t at = text.find('%'); at != text.npos; at = text.find('%', at + 1)) {
    std::size_t end = at + 1;
    while (end < text.size() && is_word(text[end])) ++end;
    const std::string_view name = text.substr(at + 1, end - at - 1);
    if (const auto known = named_registers().find(name); known != named_registers().end()) {
      named.insert(*known);
      continue;
    }
    if (name.size() < 2 || name.size() > 5 || name.find_first_not_of("0123456789", 1) != name.npos) continue;
    for (const Pool& pool : pools)
      if (pool.letter == name[0]) {
        unsigned& size = pool_size[pool.letter];
        size = std::max(size, static_cast<unsigned>(std::stoul(std::string(name.substr(1)))) + 1);
      }
  }
  std::string out;
  for (const Pool& pool : pools)
    if (const auto used = pool_size.find(pool.letter); used != pool_size.end())
      out += fmt::format("  .reg .{} %{}<{}>;\n", pool.type, pool.letter, used->second);
  for (const auto& [name, type] : named) out += fmt::format("  .reg .{} %{};\n", type, name);
  return out;
}

}  // namespace

std::string module_head(std::string_view version, std::string_view target, bool independent_textures) {
  return fmt::format(R"(.version {}
.target {}{}
.address_size 64
.global .align 128 .b32 gvar[64];
.const .align 16 .b32 carr[64];
.const .align 4 .b32 cvar = 7;
.global .texref texr;
.global .surfref sfr;
{}.func (.param .b32 rv) func (.param .b32 a0) {{ ret; }}
.visible .entry kself() {{ ret; }}
)",
                     version, target, independent_textures ? ", texmode_independent" : "",
                     independent_textures ? ".global .samplerref smpr;\n" : "");
}

bool wants_independent_textures(std::string_view instruction) {
  return instruction.find("smpr") != instruction.npos;
}

std::string kernel_text(std::string_view name, std::string_view instruction) {
  const auto if_named = [&](std::string_view what, std::string_view text) {
    return instruction.find(what) != instruction.npos ? text : "";
  };
  return fmt::format(
      ".visible .entry {}(.param .align 128 .b8 pin[256], .param .align 128 .b8 ptmap[128]) "
      "{{\n{}{}{}{}{}{}{}{}{}\nLBL: ret;\n}}\n",
      name, declarations(instruction), if_named("fpar", "  .param .align 128 .b8 fpar[256];\n"),
      if_named("larr", "  .local .align 128 .b8 larr[256];\n"),
      if_named("lvar", "  .local .align 4 .b32 lvar;\n"),
      if_named("sbuf", "  .shared .align 128 .b8 sbuf[32768];\n"),
      if_named("mbarv", "  .shared .align 8 .b64 mbarv;\n"),
      if_named("svar", "  .shared .align 8 .b64 svar;\n"), if_named("TGTS", "  TGTS: .branchtargets LBL;\n"),
      instruction);
}

}  // namespace wedjat::fidelity

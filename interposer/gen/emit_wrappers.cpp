// The wrapper of a driver function: entry event, hooks, the real function, hooks, exit fields.
#include <fmt/format.h>

#include <algorithm>

#include "interposer/gen/emit.h"
#include "interposer/gen/event_fields.h"

namespace wedjat::interposer {
namespace {

std::string join(const Function& function, std::string (*one)(const Parameter&)) {
  std::string out;
  for (const Parameter& parameter : function.parameters) out += (out.empty() ? "" : ", ") + one(parameter);
  return out;
}

std::string stream_of(const Function& function) {
  for (const Parameter& parameter : function.parameters) {
    if (parameter.type.spelling == "CUstream") return parameter.name;
  }
  return "nullptr";
}

// Whether the call may become a node of a graph that its stream captures.
bool may_be_captured(const Function& function) {
  return std::ranges::any_of(function.parameters, [](const Parameter& parameter) {
    return parameter.type.spelling == "CUstream" || parameter.name == "config";
  });
}

bool may_be_long(const Parameter& parameter) {
  return parameter.element.kind != Kind::string && parameter.count != "1";
}

std::string scalar(const Parameter& parameter) {
  if (parameter.type.kind == Kind::structure) return fmt::format("by_value({})", parameter.name);
  return fmt::format("as_field({})", parameter.name);
}

// Where the elements lie and how many they are.
std::string extent(const Parameter& parameter) {
  if (parameter.packed) return fmt::format("{0}_packed.data(), {0}_packed.size()", parameter.name);
  return fmt::format("{}, {}", parameter.name, parameter.count);
}

std::string sequence(const Parameter& parameter) {
  if (parameter.element.kind == Kind::string) return fmt::format("text_or_empty({})", parameter.name);
  const char* shape = parameter.element.kind == Kind::structure ? "fit_bytes" : "fit";
  return fmt::format("{}({})", shape, extent(parameter));
}

std::string packing(const Function& function) {
  std::string out;
  for (const Parameter& parameter : function.parameters) {
    if (parameter.packed)
      out += fmt::format(
          "  std::span<const std::byte> {0}_packed;\n  guarded(call, [&] {{ {0}_packed = {1}; }});\n",
          parameter.name, parameter.count);
  }
  return out;
}

std::string entry_event(const Function& function) {
  std::string out =
      fmt::format("  {{\n    wj_{}_entry fields{{}};\n    fields.seq = call.sequence;\n", function.name);
  for (const Parameter& parameter : function.parameters) {
    out += fmt::format("    fields.{} = {};\n", parameter.name, scalar(parameter));
  }
  for (const Parameter& parameter : function.parameters) {
    if (parameter.is_in())
      out += fmt::format("    fields.{}_in = {};\n", parameter.name, sequence(parameter));
  }
  return out + fmt::format("    wj_emit_{}_entry(&fields);\n  }}\n", function.name);
}

std::string payloads_in(const Model& model, const Function& function) {
  std::string out;
  for (const Parameter& parameter : function.parameters) {
    if (!parameter.is_in()) continue;
    if (may_be_long(parameter)) {
      out += fmt::format("    spill(call, Phase::entry, \"{}\", {});\n", parameter.name, extent(parameter));
    }
    const auto members = model.members.find(parameter.element.tag);
    if (members == model.members.end()) continue;
    for (const Member& member : members->second) {
      const std::string count = member.count == "1" ? "1" : parameter.name + "->" + member.count;
      out += fmt::format("    if ({0}) pointed_to(call, \"{0}.{1}\", {0}->{1}, {2});\n", parameter.name,
                         member.name, count);
    }
  }
  return out;
}

bool tells_at_exit(const Function& function) {
  return std::ranges::any_of(function.parameters, [](const Parameter& one) { return one.is_out(); });
}

std::string exit_event(const Function& function) {
  std::string out = fmt::format(
      "  wj_{}_exit fields{{}};\n  fields.call = call.sequence;\n  fields.result = "
      "static_cast<int32_t>(outcome);\n",
      function.name);
  std::string spilled;
  for (const Parameter& parameter : function.parameters) {
    if (!parameter.is_out()) continue;
    const std::string valid = parameter.always ? "true" : "outcome == CUDA_SUCCESS";
    if (parameter.element.kind == Kind::string) {
      out += fmt::format("  fields.{0}_out = {1} ? text_or_empty({0}) : \"\";\n", parameter.name, valid);
      continue;
    }
    out += fmt::format("  if ({}) fields.{}_out = {};\n", valid, parameter.name, sequence(parameter));
    if (may_be_long(parameter)) {
      spilled += fmt::format("  if ({1}) spill(call, Phase::exit, \"{0}\", {2});\n", parameter.name, valid,
                             extent(parameter));
    }
  }
  return spilled + out +
         fmt::format("  fields.seq = next_sequence();\n  wj_emit_{}_exit(&fields);\n", function.name);
}

std::string wrapper(const Model& model, const Function& function) {
  const std::string declared = join(function, [](const Parameter& p) { return p.spelling + " " + p.name; });
  const std::string types = join(function, [](const Parameter& p) { return p.spelling; });
  const std::string arguments = join(function, [](const Parameter& p) { return p.name; });

  std::string out = fmt::format("extern \"C\" WEDJAT_EXPORT CUresult {}({}) {{\n", function.name, declared);
  out += fmt::format("  const auto real = reinterpret_cast<CUresult (*)({})>(driver_entry(Entry::{}));\n",
                     types, function.name);
  out += fmt::format(
      "  if (real == nullptr) return CUDA_ERROR_NOT_SUPPORTED;\n  if (!recording()) return real({});\n",
      arguments);
  out += fmt::format("  [[maybe_unused]] Call call({}, {});\n", function.flavour.empty() ? "false" : "true",
                     stream_of(function));
  out += packing(function) + entry_event(function);
  std::string before = payloads_in(model, function);
  if (!function.before.empty()) before += "    " + function.before + ";\n";
  if (!before.empty()) out += "  guarded(call, [&] {\n" + before + "  });\n";
  out += fmt::format("  const CUresult outcome = real({});\n", arguments);
  if (!function.after.empty()) {
    out += fmt::format("  if (outcome == CUDA_SUCCESS) guarded(call, [&] {{ {}; }});\n", function.after);
  }
  if (may_be_captured(function))
    out += "  if (outcome == CUDA_SUCCESS && captures_under_way()) guarded(call, [&] { captured(call); });\n";
  if (!function.done.empty()) out += fmt::format("  guarded(call, [&] {{ {}; }});\n", function.done);
  if (!function.before.empty()) out += "  guarded(call, [] { work_taken(); });\n";  // if it gave any
  if (!tells_at_exit(function))
    out += "  if (outcome == CUDA_SUCCESS && call.ends_where_it_began()) return outcome;\n";
  return out + exit_event(function) + "  return outcome;\n}\n\n";
}

}  // namespace

std::string emit_wrappers(const Model& model, int part, int parts) {
  std::string out =
      "// Generated from interposer/api/api_table.json and cuda.yaml.\n#include "
      "\"interposer/shim/calls/wrapper.h\"\n\n"
      "using namespace wedjat::interposer;\n\n";
  for (std::size_t i = static_cast<std::size_t>(part); i < model.functions.size();
       i += static_cast<std::size_t>(parts)) {
    out += wrapper(model, model.functions[i]);
  }
  return out;
}

}  // namespace wedjat::interposer

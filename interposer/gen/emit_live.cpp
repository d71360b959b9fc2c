// The live driver: what it exports, what it carries out, what it answers for the device.
#include <fmt/format.h>

#include "interposer/gen/live.h"

namespace wedjat::interposer {
namespace {

constexpr const char* kSourceOfLive =
    "// Generated from interposer/api/api_table.json and interposer/live.\n";

template <class One>
std::string join(const Function& function, const One& one) {
  std::string out;
  for (const Parameter& parameter : function.parameters) out += (out.empty() ? "" : ", ") + one(parameter);
  return out;
}

std::string declared(const Function& function) {
  return join(function, [](const Parameter& p) { return p.spelling + " " + p.name; });
}

std::string names_of(const Function& function) {
  return join(function, [](const Parameter& p) { return p.name; });
}

// What a call writes, and one struct or text that it reads. Of lists the call itself knows how long they are.
bool must_be_there(const Parameter& parameter) {
  if (parameter.packed || parameter.direction == Direction::value) return false;
  return parameter.element.kind == Kind::string || parameter.count == "1";
}

// The handle whose context stands in where none is current: the stream if there is one, else the first.
std::string bearer_of_context(const Function& function) {
  for (const auto& types : {std::set<std::string>{"CUstream"},
                            std::set<std::string>{"CUevent", "CUfunction", "CUkernel", "CUmodule", "CUarray",
                                                  "CUmipmappedArray", "CUdeviceptr", "void*", "void *"}})
    for (const Parameter& parameter : function.parameters)
      if (types.contains(parameter.spelling)) return parameter.name;
  return "nullptr";
}

// The stream that the call names; the default one if it names none.
std::string stream_named_by(const Function& function) {
  for (const Parameter& parameter : function.parameters) {
    if (parameter.spelling == "CUstream") return parameter.name;
    if (parameter.spelling == "const CUlaunchConfig *") return parameter.name + "->hStream";
  }
  return "nullptr";
}

std::string entry(const Function& function, const LiveModel& live) {
  const auto call = live.calls.find(without_flavour(function));
  std::string out =
      fmt::format("extern \"C\" WEDJAT_EXPORT CUresult {}({}) {{\n", function.name, declared(function));
  if (call == live.calls.end())
    return out + fmt::format("  return unsupported(Entry::{});\n}}\n\n", function.name);
  std::string required;
  for (const std::string& parameter : call->second.looked_at_first)
    required += fmt::format("    known({});\n", parameter);
  if (!call->second.looked_at_first.empty()) required += "    unharmed();\n";
  if (call->second.looks_itself)
    required += fmt::format("    if (looks::{}({})) unharmed();\n", function.base, names_of(function));
  for (const Parameter& parameter : function.parameters)
    if (must_be_there(parameter) && !call->second.optional.contains(parameter.name))
      required += fmt::format("    required({});\n", parameter.name);
  for (const std::string& what : call->second.beside_captures)
    required += fmt::format("    beside_captures::{}({});\n", what, stream_named_by(function));
  const std::string bearer = call->second.needs == "object"
                                 ? ", [&] { return context_of(" + bearer_of_context(function) + "); }"
                                 : "";
  return out +
         fmt::format(
             "  return perform(Entry::{}, Needs::{}, {}, {}, [&] {{\n{}    calls::{}({});\n  }}{});\n}}\n\n",
             function.name, call->second.needs, call->second.tells_failure, !function.flavour.empty(),
             required, function.base, names_of(function), bearer);
}

std::string pairs(const std::map<std::int64_t, std::int64_t>& values) {
  std::string out;
  for (const auto& [key, value] : values) out += fmt::format("    {{{}, {}}},\n", key, value);
  return out;
}

}  // namespace

std::string emit_live_calls(const Model& model, const LiveModel& live) {
  std::string out = std::string(kSourceOfLive) +
                    "#pragma once\n\n#include \"cuda_abi.h\"\n\n"
                    "// A call fails by throwing wedjat::live::Failure.\nnamespace wedjat::live::calls {\n\n";
  std::set<std::string> done;
  for (const Function& function : model.functions) {
    if (!live.calls.contains(without_flavour(function))) continue;
    const std::string types = join(function, [](const Parameter& p) { return p.spelling; });
    if (done.insert(function.base + "(" + types + ")").second)
      out += fmt::format("void {}({});\n", function.base, declared(function));
  }
  return out + "\n}  // namespace wedjat::live::calls\n";
}

std::string emit_live_entries(const Model& model, const LiveModel& live, int part, int parts) {
  std::string out = std::string(kSourceOfLive) +
                    "#include \"interposer/live/state/graphs/captures.h\"\n#include "
                    "\"interposer/live/work/looks.h\"\n#include "
                    "\"interposer/live/state/perform.h\"\n#include \"live_calls.h\"\n\n"
                    "using namespace wedjat::live;\n\n";
  for (std::size_t i = static_cast<std::size_t>(part); i < model.functions.size();
       i += static_cast<std::size_t>(parts))
    out += entry(model.functions[i], live);
  return out;
}

std::string emit_live_profile(const Model& model, const LiveModel& live) {
  std::string out = std::string(kSourceOfLive) +
                    "#include \"interposer/live/state/profile.h\"\n\nnamespace wedjat::live {\n\n"
                    "const Profile& profile() {\n  static const Profile h200{\n";
  out += fmt::format("    \"{}\",\n", live.device_name);
  for (const char* number : {"driver_version", "ptx_version", "free_memory"})
    out += fmt::format("    {},  // {}\n", live.numbers.at(number), number);
  out += "    {\n" + pairs(live.attributes) + "    },\n    {\n" + pairs(live.limits) +
         "    }};\n  return h200;\n}\n\n";
  out +=
      "const std::map<int, ErrorText>& error_texts() {\n  static const std::map<int, ErrorText> texts = {\n";
  std::map<std::int64_t, std::string> texts(live.error_texts.begin(), live.error_texts.end());
  for (const Enumeration& enumeration : model.enumerations)
    if (enumeration.tag == "cudaError_enum")
      for (const auto& [name, value] : enumeration.values)
        out += fmt::format("    {{{}, {{\"{}\", \"{}\"}}}},\n", value, name,
                           texts.contains(value) ? texts.at(value) : name);
  return out + "  };\n  return texts;\n}\n\n}  // namespace wedjat::live\n";
}

}  // namespace wedjat::interposer

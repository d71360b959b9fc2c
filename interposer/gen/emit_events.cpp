// The structs the wrappers fill, the tracepoints that take a pointer to one (LTTng allows ten arguments), and
// the functions between them.
#include <fmt/format.h>

#include "interposer/gen/emit.h"
#include "interposer/gen/event_fields.h"

namespace wedjat::interposer {
namespace {

constexpr const char* kSource = "// Generated from interposer/api/api_table.json and cuda.yaml.\n";

std::string members(const std::vector<Field>& fields) {
  std::string out;
  for (const Field& field : fields) {
    const std::string type = field.shape == Field::Shape::scalar ? field.c_type
                             : field.shape == Field::Shape::text ? "const char*"
                                                                 : "struct wj_sequence";
    out += fmt::format("  {} {};\n", type, field.name);
  }
  return out;
}

std::string tracepoint_fields(const std::vector<Field>& fields) {
  std::string out;
  for (const Field& field : fields) {
    if (field.shape == Field::Shape::text) {
      out += fmt::format("    lttng_ust_field_string({0}, e->{0})\n", field.name);
    } else if (field.shape == Field::Shape::sequence) {
      out += fmt::format(
          "    lttng_ust_field_sequence{}({}, {}, (const {}*)e->{}.data, uint32_t, e->{}.count)\n",
          field.hexadecimal ? "_hex" : "", field.c_type, field.name, field.c_type, field.name, field.name);
    } else {
      out += fmt::format("    lttng_ust_field_{0}({1}, {2}, e->{2})\n",
                         field.floating      ? "float"
                         : field.hexadecimal ? "integer_hex"
                                             : "integer",
                         field.c_type, field.name);
    }
  }
  return out;
}

std::string provider_of(const Family& family) { return "wedjat_cuda_" + family.name; }

std::string tracepoint(const Family& family, const std::string& event, const std::string& leading,
                       const std::vector<Field>& fields) {
  return fmt::format(
      "LTTNG_UST_TRACEPOINT_EVENT({3}, {0},\n  LTTNG_UST_TP_ARGS(const struct wj_{0}*, e),\n"
      "  LTTNG_UST_TP_FIELDS(\n    lttng_ust_field_integer(uint64_t, seq, e->seq)\n{1}{2}  ))\n\n",
      event, leading, tracepoint_fields(fields), provider_of(family));
}

constexpr const char* kExitFields =
    "    lttng_ust_field_integer(uint64_t, call, e->call)\n    lttng_ust_field_integer(int32_t, result, "
    "e->result)\n";

// A sequence of floats: LTTng has no such field, so its bit patterns go in.
std::vector<Field> with_float_bits(std::vector<Field> fields) {
  for (Field& field : fields) {
    if (field.shape == Field::Shape::sequence && field.floating) {
      field.c_type = field.c_type == "float" ? "uint32_t" : "uint64_t";
      field.hexadecimal = true;
    }
  }
  return fields;
}

}  // namespace

std::string emit_events(const Model& model) {
  std::string out = kSource;
  out +=
      "#pragma once\n#include <stdint.h>\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n"
      "struct wj_sequence {\n  const void* data;\n  uint32_t count;\n};\n\n";
  for (const Function& function : model.functions) {
    out += fmt::format("struct wj_{}_entry {{\n  uint64_t seq;\n{}}};\n", function.name,
                       members(entry_fields(function)));
    out += fmt::format("struct wj_{}_exit {{\n  uint64_t seq;\n  uint64_t call;\n  int32_t result;\n{}}};\n",
                       function.name, members(exit_fields(function)));
    out += fmt::format("void wj_emit_{0}_entry(const struct wj_{0}_entry* e);\n", function.name);
    out += fmt::format("void wj_emit_{0}_exit(const struct wj_{0}_exit* e);\n", function.name);
  }
  return out + "\n#ifdef __cplusplus\n}\n#endif\n";
}

std::string emit_provider(const Family& family) {
  std::string out = fmt::format(
      "{0}#undef LTTNG_UST_TRACEPOINT_PROVIDER\n#define LTTNG_UST_TRACEPOINT_PROVIDER {1}\n"
      "#undef LTTNG_UST_TRACEPOINT_INCLUDE\n#define LTTNG_UST_TRACEPOINT_INCLUDE \"{1}.h\"\n"
      "#if !defined({1}_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)\n"
      "#define {1}_H\n#include <lttng/tracepoint.h>\n#include \"events.h\"\n\n",
      kSource, provider_of(family));
  for (const Function* function : family.functions) {
    out += tracepoint(family, function->name + "_entry", "", with_float_bits(entry_fields(*function)));
    out += tracepoint(family, function->name + "_exit", kExitFields, with_float_bits(exit_fields(*function)));
  }
  return out + "#endif\n#include <lttng/tracepoint-event.h>\n";
}

std::string emit_emitters(const Family& family) {
  std::string out = fmt::format(
      "{}#define LTTNG_UST_TRACEPOINT_CREATE_PROBES\n#define LTTNG_UST_TRACEPOINT_DEFINE\n#include "
      "\"{}.h\"\n\n",
      kSource, provider_of(family));
  for (const Function* function : family.functions) {
    for (const char* phase : {"entry", "exit"}) {
      out += fmt::format(
          "void wj_emit_{0}_{1}(const struct wj_{0}_{1}* e) {{\n  lttng_ust_tracepoint({2}, {0}_{1}, "
          "e);\n}}\n",
          function->name, phase, provider_of(family));
    }
  }
  return out;
}

}  // namespace wedjat::interposer

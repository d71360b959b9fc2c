#include "semcc/emit/executors.h"

#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "semcc/emit/executors_body.h"
#include "semcc/emit/executors_machine.h"

namespace semcc::emit {
namespace {

constexpr const char* includes = R"(#include <atomic>
#include <cstdint>
#include <limits>

#include "emulator/exec/barrier_port.h"
#include "emulator/exec/context.h"
#include "emulator/exec/memory_access.h"
#include "emulator/exec/numeric/numeric.h"
#include "emulator/exec/special.h"

// Truth values are combined without branches on purpose; a loop that has no vector form is not an error.
#pragma clang diagnostic ignored "-Wbitwise-instead-of-logical"
#pragma clang diagnostic ignored "-Wpass-failed"
)";

// "semantics/compare/setp.psem" -> "compare/setp.cpp"
std::string output_path(const std::string& source) {
  const std::filesystem::path path(source);
  return (path.parent_path().filename() / path.stem()).string() + ".cpp";
}

std::string indented(const std::string& text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    result += (text[at] == '#' ? "" : "  ") + text.substr(at, end - at) + "\n";
    at = end + 1;
  }
  return result;
}

const char* host_mode(ir::Rounding rounding) {
  switch (rounding) {
    case ir::Rounding::rz: return "zero";
    case ir::Rounding::rm: return "down";
    default: return "up";
  }
}

std::string functions(const std::string& symbol, const std::string& forms, const Body& body) {
  const bool directed = body.rounding != ir::Rounding::None;
  std::string text = fmt::format("// {}\ntemplate <bool full>\n[[{}]] static inline void {}(WarpContext& warp, const Step& step, {}const u32 mask) {{\n{}}}\n",
                                 forms, directed ? "gnu::noinline" : "gnu::always_inline", symbol, "[[maybe_unused]] ",
                                 indented(body.text));
  for (const bool full : {true, false}) {
    text += fmt::format("void {}_{}(WarpContext& warp, const Step& step, u32{}) {{\n", symbol, full ? "full" : "masked", full ? "" : " mask");
    if (directed) text += fmt::format("  const RoundingScope scope(HostRounding::{});\n", host_mode(body.rounding));
    text += fmt::format("  {}<{}>(warp, step, {});\n}}\n", symbol, full, full ? "exec::all_lanes" : "mask");
  }
  return text + "\n";
}

std::string table_text(const ir::Table& table) {
  mpz_class most = 0;
  for (const mpz_class& value : table.values) most = std::max(most, value);
  const unsigned width = mpz_sizeinbase(most.get_mpz_t(), 2) > 32 ? 64 : 32;
  std::string text = fmt::format("alignas(64) constexpr u{} {}[] = {{", width, identifier(table.name));
  for (std::size_t i = 0; i < table.values.size(); ++i)
    text += fmt::format("{}0x{}u", i == 0 ? "" : i % 12 == 0 ? ",\n    " : ", ", table.values[i].get_str(16));
  return text + "};\n";
}

// The family's text as a comment: what its executors were made from.
std::string as_comment(const std::string& source) {
  std::string text;
  for (std::size_t at = 0; at < source.size();) {
    const std::size_t end = std::min(source.find('\n', at), source.size());
    std::string line = source.substr(at, end - at);
    // A backslash at the end of a comment line would continue it.
    while (!line.empty() && (line.back() == '\\' || line.back() == ' ')) line.pop_back();
    text += line.empty() ? "//\n" : "// " + line + "\n";
    at = end + 1;
  }
  return text;
}

struct Shared {
  std::string symbol;
  std::string forms;  // their texts, for the comment
  Body body;
  std::size_t count = 1;
};

class Emitter {
 public:
  explicit Emitter(const ir::Program& program) : program_(program) {}

  Executors run() {
    for (const ir::Family& family : program_.families) collect(family);
    for (const ir::Family& family : program_.families) write(family);
    write_header();
    return std::move(result_);
  }

 private:
  void collect(const ir::Family& family) {
    for (const ir::Form& form : family.forms) {
      if (form.level == ir::Level::Control) continue;
      Body body = executor_body(form);
      const std::string key = fmt::format("{}|{}", static_cast<int>(body.rounding), body.text);
      const auto [found, is_new] = by_text_.try_emplace(key);
      Shared& shared = found->second;
      if (is_new) {
        shared = {unique_symbol(form.text()), form.text(), std::move(body)};
        owned_[&family].push_back(&shared);
      } else if (++shared.count <= 6) {
        shared.forms += ", " + form.text();
      }
      result_.symbol[&form] = shared.symbol;
    }
  }

  std::string unique_symbol(const std::string& text) {
    const std::string base = identifier(text);
    std::string symbol = base;
    for (int i = 2; !symbols_.insert(symbol).second; ++i) symbol = fmt::format("{}_{}", base, i);
    return symbol;
  }

  void write(const ir::Family& family) {
    const std::string& source = program_.files.at(static_cast<std::size_t>(family.at.file));
    std::string& text = result_.files[output_path(source)];
    std::set<std::string>& written = tables_[output_path(source)];
    const std::string close = "}  // namespace wedjat::executors\n";
    if (text.empty()) {
      text = fmt::format("// Generated by semcc from {}. Do not edit: change the semantics.\n{}\nnamespace wedjat::executors {{\n"
                         "using namespace exec::numeric;\nusing exec::WarpContext;\nusing kernel::Space;\nusing kernel::Step;\n\n",
                         source, includes);
    } else {
      text.resize(text.size() - close.size());
    }
    text += as_comment(family.source) + "\n";
    for (const Shared* shared : owned_[&family]) {
      for (const std::string& table : shared->body.tables)
        if (written.insert(table).second) text += table_text(program_.tables.at(table)) + "\n";
      const std::string more = shared->count > 6 ? fmt::format(" and {} more", shared->count - 6) : "";
      text += functions(shared->symbol, shared->forms + more, shared->body);
    }
    text += close;
  }

  void write_header() {
    std::string text = "// Generated by semcc: the executors of all forms.\n#pragma once\n#include \"emulator/kernel/step.h\"\n\n"
                       "namespace wedjat::executors {\n\n";
    for (const std::string& symbol : symbols_)
      for (const char* variant : {"full", "masked"})
        text += fmt::format("void {}_{}(exec::WarpContext& warp, const kernel::Step& step, std::uint32_t mask);\n", symbol, variant);
    result_.files["executors.h"] = text + "\n}  // namespace wedjat::executors\n";
  }

  const ir::Program& program_;
  Executors result_;
  std::map<std::string, Shared> by_text_;
  std::map<const ir::Family*, std::vector<const Shared*>> owned_;
  std::map<std::string, std::set<std::string>> tables_;
  std::set<std::string> symbols_;
};

}  // namespace

Executors emit_executors(const ir::Program& program) { return Emitter(program).run(); }

}  // namespace semcc::emit

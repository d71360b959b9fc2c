#include "emulator/ptx/builder/module_builder.h"

#include <algorithm>
#include <charconv>

namespace wedjat::ptx {

ModuleBuilder::ModuleBuilder(Source source)
    : module_(new Module(std::move(source))),
      source_(module_->source_),
      ranges_(outline(source_)),
      expressions_(source_),
      declarations_(source_, module_->version, module_->generated_names) {}

std::unique_ptr<const Module> ModuleBuilder::build() {
  Parser parser(source_, 0, source_.text().size(), ranges_);
  while (!parser.at_end()) {
    item(parser.module_item());
    ++items_;
  }
  if (module_->targets.empty())
    source_.fail(source_.text().size(), "no PTX module: it begins with .version and .target");
  check_whole();
  return std::move(module_);
}

void ModuleBuilder::item(const Grammar::ModuleItemContext& item) {
  if ((items_ == 0) != (item.version != nullptr))
    fail(item.start,
         items_ == 0 ? "a module begins with .version" : ".version stands once, at the beginning");
  if (items_ == 1 && item.targets.empty()) fail(item.start, ".target must follow .version");
  if (item.version != nullptr) {
    version(item.version);
  } else if (!item.targets.empty()) {
    target(item);
  } else if (item.addressSize != nullptr) {
    declarations_.require(item.addressSize, ".address_size");
    const std::string_view size = text(item.addressSize);
    if (size == "32") fail(item.addressSize, "modules with 32-bit addresses run on no GPU since sm_90");
    if (size != "64") fail(item.addressSize, "an address size is 64");
  } else if (item.path != nullptr) {
    file(item);
  } else if (item.section != nullptr) {
    section(item);
  } else if (item.alias != nullptr) {
    alias(item);
  } else if (item.pragma_ != nullptr) {
    declarations_.pragma(*item.pragma_, module_->pragmas);
  } else if (item.function_ != nullptr) {
    function(*item.function_, linkage(item.linkage));
  } else {
    declaration(*item.declaration_, linkage(item.linkage));
  }
}

void ModuleBuilder::version(const antlr4::Token* number) {
  const std::string_view written = text(number);
  const std::size_t dot = std::min(written.find('.'), written.size());
  const auto read = [&](std::string_view digits, unsigned& out) {
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), out);
    if (digits.empty() || error != std::errc() || end != digits.data() + digits.size())
      fail(number, "a version is written major.minor");
  };
  read(written.substr(0, dot), module_->version.major);
  read(dot < written.size() ? written.substr(dot + 1) : std::string_view(), module_->version.minor);
}

void ModuleBuilder::target(const Grammar::ModuleItemContext& item) {
  if (!module_->targets.empty()) fail(item.start, ".target stands once, after .version");
  for (const antlr4::Token* name : item.targets) {
    const std::string_view written = text(name);
    if (written == "map_f64_to_f32") {
      // Of the targets it was for, none is left: for others double precision stays what it is (measured:
      // H200).
      constexpr std::string_view kOld[] = {"sm_10", "sm_11", "sm_12"};
      if (std::find(std::begin(kOld), std::end(kOld), text(item.targets.front())) == std::end(kOld))
        fail(name, "map_f64_to_f32 was for targets before sm_13");
    }
    if (written == "debug") debug_target_ = source_.location(offset_of(name));
    module_->targets.push_back(written);
  }
}

void ModuleBuilder::file(const Grammar::ModuleItemContext& item) {
  DebugFile out{.index = static_cast<std::uint32_t>(expressions_.number(item.file, 0xffffffffu)),
                .name = text(item.path).substr(1, text(item.path).size() - 2)};
  if (item.timestamp != nullptr) {
    out.timestamp = expressions_.number(item.timestamp);
    out.size = expressions_.number(item.length);
  }
  const auto same = [&](const DebugFile& other) { return other.index == out.index; };
  if (std::any_of(module_->files.begin(), module_->files.end(), same))
    fail(item.file, "another .file has this index");
  module_->files.push_back(out);
}

void ModuleBuilder::section(const Grammar::ModuleItemContext& item) {
  module_->sections.push_back(
      {text(item.section), between(item.open), source_.location(offset_of(item.section))});
}

Linkage ModuleBuilder::linkage(const antlr4::Token* word) const {
  if (word == nullptr) return Linkage::none;
  const std::string_view written = text(word);
  declarations_.require(word, written);
  if (written == ".extern") return Linkage::external;
  if (written == ".visible") return Linkage::visible;
  return written == ".weak" ? Linkage::weak : Linkage::common;
}

std::string_view ModuleBuilder::between(const antlr4::Token* open) const {
  const std::size_t begin = offset_of(open) + 1;
  const auto range = std::lower_bound(ranges_.begin(), ranges_.end(), begin,
                                      [](const BraceRange& r, std::size_t at) { return r.begin < at; });
  return source_.text().substr(begin, range->end - begin);
}

void ModuleBuilder::declaration(const Grammar::DeclarationContext& declaration, Linkage linkage) {
  std::vector<Variable> added;
  declarations_.variables(declaration, linkage, true, added);
  for (Variable& variable : added) add_variable(std::move(variable));
}

void ModuleBuilder::add_variable(Variable variable) {
  const auto line_of = [](Location where) { return " (line " + std::to_string(where.line) + ")"; };
  const std::string name(variable.name);
  if (variable.type == Type::samplerref && std::ranges::count(module_->targets, "texmode_independent") == 0)
    source_.fail(variable.where, "'" + name + "': a .samplerref needs .target texmode_independent");
  if (const std::uint32_t function = module_->find_function(variable.name); function != kNone)
    source_.fail(variable.where,
                 "'" + name + "' is also a function" + line_of(module_->functions[function].where));
  const auto [at, is_new] = module_->variable_index_.try_emplace(
      variable.name, static_cast<std::uint32_t>(module_->variables.size()));
  if (is_new) {
    module_->variables.push_back(std::move(variable));
    return;
  }
  Variable& old = module_->variables[at->second];
  const bool extents_agree = old.extents == variable.extents || old.is_unsized() || variable.is_unsized();
  if (old.space != variable.space || old.type != variable.type || old.vector_width != variable.vector_width ||
      !extents_agree)
    source_.fail(variable.where, "'" + name + "' disagrees with its other declaration" + line_of(old.where));
  if (variable.linkage == Linkage::external) return;
  if (old.linkage != Linkage::external)
    source_.fail(variable.where, "'" + name + "' is defined twice" + line_of(old.where));
  old = std::move(variable);
}

void ModuleBuilder::check_whole() const {
  for (const Variable& variable : module_->variables) check_relocations(*module_, variable);
  if (debug_target_.line != 0 && module_->sections.empty())
    source_.fail(debug_target_, ".target debug without debug sections");
}

void check_relocations(const Module& module, const Variable& variable) {
  for (const Relocation& relocation : variable.relocations)
    if (module.find_variable(relocation.symbol) == kNone && module.find_function(relocation.symbol) == kNone)
      module.source().fail(relocation.where, "'" + std::string(relocation.symbol) + "' is not declared");
}

std::unique_ptr<const Module> Module::parse(std::string name, std::string text) {
  // Images handed to the driver as C strings keep their terminator.
  text.erase(text.find_last_not_of('\0') + 1);
  return ModuleBuilder(Source(std::move(name), std::move(text))).build();
}

std::uint32_t Module::find_function(std::string_view name) const {
  const auto found = function_index_.find(name);
  return found == function_index_.end() ? kNone : found->second;
}

std::uint32_t Module::find_variable(std::string_view name) const {
  const auto found = variable_index_.find(name);
  return found == variable_index_.end() ? kNone : found->second;
}

}  // namespace wedjat::ptx

#include "emulator/ptx/text/excerpt.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "emulator/ptx/text/parser.h"

namespace wedjat::ptx {
namespace {

/// A declaration or directive of module scope.
struct Item {
  enum class Kind { always, named, device_function, strings, debug };
  Kind kind = Kind::always;
  std::size_t source = 0;
  std::string_view text;
  std::vector<std::string_view> names;  ///< what it declares
  bool is_kept = false;
};

bool is_part_of_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
         c == '%';
}

template <class Each>
void each_word(std::string_view text, Each each) {
  for (std::size_t at = 0; at < text.size();) {
    if (!is_part_of_word(text[at])) {
      ++at;
      continue;
    }
    const std::size_t begin = at;
    while (at < text.size() && is_part_of_word(text[at])) ++at;
    each(text.substr(begin, at - begin));
  }
}

class Reach {
 public:
  explicit Reach(std::span<const Source> sources) : sources_(sources) {
    for (std::size_t i = 0; i < sources.size(); ++i) read(i);
    for (std::size_t i = 0; i < items_.size(); ++i)
      for (const std::string_view name : items_[i].names) declared_[name].push_back(i);
  }

  Excerpt run(std::span<const std::string_view> roots) {
    if (is_debug_) return whole("it is compiled for a debugger, and debug information speaks of all of it");
    for (const std::string_view root : roots) {
      if (!declared_.contains(root)) return whole("it does not declare " + std::string(root));
      reach(root);
    }
    for (std::size_t i = 0; i < items_.size(); ++i)
      if (items_[i].kind == Item::Kind::always) keep(i);
    while (!open_.empty()) {
      const std::size_t next = open_.back();
      open_.pop_back();
      each_word(items_[next].text, [&](std::string_view word) { meet(word, items_[next].source); });
    }
    return written();
  }

 private:
  void read(std::size_t number) {
    const Source& source = sources_[number];
    Parser parser(source, 0, source.text().size(), outline(source));
    while (!parser.at_end()) {
      const Grammar::ModuleItemContext& parsed = parser.module_item();
      const std::size_t begin = offset_of(parsed.start);
      Item item{.source = number,
                .text = source.text().substr(begin, parsed.stop->getStopIndex() + 1 - begin)};
      classify(source, parsed, item);
      items_.push_back(std::move(item));
    }
  }

  void classify(const Source& source, const Grammar::ModuleItemContext& parsed, Item& item) {
    const auto declare = [&](const antlr4::Token* name) { item.names.push_back(text_of(source, name)); };
    for (const antlr4::Token* const target : parsed.targets) is_debug_ |= text_of(source, target) == "debug";
    if (parsed.section != nullptr) {
      const bool strings = text_of(source, parsed.section) == ".debug_str";
      item.kind = strings ? Item::Kind::strings : Item::Kind::debug;
    } else if (parsed.alias != nullptr) {
      item.kind = Item::Kind::named;
      declare(parsed.alias);
    } else if (parsed.function_ != nullptr) {
      const bool is_entry = text_of(source, parsed.function_->kind) == ".entry";
      item.kind = is_entry ? Item::Kind::named : Item::Kind::device_function;
      declare(parsed.function_->name);
    } else if (parsed.declaration_ != nullptr) {
      item.kind = Item::Kind::named;
      for (const auto* const declarator : parsed.declaration_->declarators) {
        // `a<4>` declares a0 to a3: names that do not stand in the text.
        if (declarator->count != nullptr) item.kind = Item::Kind::always;
        declare(declarator->name);
      }
    }
  }

  void meet(std::string_view word, std::size_t source) {
    reach(word);
    if (word == "callprototype") {
      for (std::size_t i = 0; i < items_.size(); ++i)
        if (items_[i].kind == Item::Kind::device_function) keep(i);
    } else if (word == "function_name") {
      for (std::size_t i = 0; i < items_.size(); ++i)
        if (items_[i].kind == Item::Kind::strings && items_[i].source == source) keep(i);
    }
  }

  void reach(std::string_view name) {
    const auto found = declared_.find(name);
    if (found == declared_.end()) return;
    const std::vector<std::size_t> items = std::move(found->second);
    declared_.erase(found);
    for (const std::size_t item : items) keep(item);
  }

  void keep(std::size_t item) {
    if (items_[item].is_kept) return;
    items_[item].is_kept = true;
    open_.push_back(item);
  }

  Excerpt whole(std::string cause) const {
    Excerpt result{{}, std::move(cause)};
    for (const Source& source : sources_) result.texts.emplace_back(source.text());
    return result;
  }

  Excerpt written() const {
    if (std::ranges::all_of(items_, &Item::is_kept)) return whole("");
    std::unordered_set<std::size_t> reached;
    for (const Item& item : items_)
      if (item.is_kept && !item.names.empty()) reached.insert(item.source);
    Excerpt result{std::vector<std::string>(sources_.size()), {}};
    for (const Item& item : items_) {
      if (!item.is_kept || !reached.contains(item.source)) continue;
      std::string& text = result.texts[item.source];
      if (item.text.ends_with('}')) text += '\n';
      text.append(item.text) += '\n';
    }
    return result;
  }

  std::span<const Source> sources_;
  std::vector<Item> items_;
  std::unordered_map<std::string_view, std::vector<std::size_t>> declared_;  ///< not yet reached
  std::vector<std::size_t> open_;  ///< kept, and not yet looked into
  bool is_debug_ = false;
};

}  // namespace

Excerpt excerpt(std::span<const Source> sources, std::span<const std::string_view> roots) {
  return Reach(sources).run(roots);
}

}  // namespace wedjat::ptx

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "emulator/kernel/forms/form_key.h"
#include "emulator/kernel/forms/form_table.h"

using namespace wedjat::kernel;

namespace {

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(separator, at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

// The words of a form's text behind its opcode, which may hold dots itself.
std::vector<std::string_view> words(const Form& form) {
  if (form.text == form.opcode) return {};
  return split(form.text.substr(form.opcode.size() + 1), '.');
}

}  // namespace

TEST_CASE("the table is large, sorted by key, and the key is the decoder's") {
  const std::span<const Form> forms = all_forms();
  CHECK(forms.size() > 10000);
  CHECK(std::ranges::is_sorted(forms, {}, &Form::key));
  for (const Form& form : forms) {
    REQUIRE(form.text.starts_with(form.opcode));
    CHECK(form_key(form.opcode, words(form)) == form.key);
  }
}

TEST_CASE("every form has executors or is control flow") {
  for (const Form& form : all_forms()) {
    INFO(form.text);
    CHECK((form.full == nullptr) == (form.level == Level::Control));
    CHECK((form.masked == nullptr) == (form.level == Level::Control));
    CHECK((form.control == Control::None) == (form.level != Level::Control));
  }
}

TEST_CASE("no two forms have the same words and the same operands") {
  using Shape = std::tuple<OperandKind, unsigned, unsigned, Space, bool, bool, bool>;
  std::set<std::pair<std::string_view, std::vector<Shape>>> seen;
  for (const Form& form : all_forms()) {
    std::vector<Shape> shape;
    for (const OperandSpec& o : std::span(form.operand, form.operands))
      shape.emplace_back(o.kind, o.bits, o.count, o.space, o.in, o.paired, o.optional);
    CHECK_MESSAGE(seen.emplace(form.key, shape).second, form.text);
  }
}

TEST_CASE("operands have a name, a size and a direction") {
  for (const Form& form : all_forms()) {
    INFO(form.text);
    CHECK(form.sync_operand < static_cast<int>(form.operands));
    for (const OperandSpec& o : std::span(form.operand, form.operands)) {
      CHECK_FALSE(o.name.empty());
      CHECK((o.in || o.out));
      CHECK(o.count >= 1);
      if (o.kind == OperandKind::Register) CHECK(o.bits > 0);
      const bool opaque =
          o.format == "texture" || o.format == "surface" || o.format == "sampler" || o.format == "tensor";
      CHECK((o.value == ValueKind::Float) == (!o.format.empty() && !opaque));
    }
  }
}

TEST_CASE("an instruction with a hint of each group is the same instruction") {
  const FormTable& table = FormTable::generated();
  std::size_t hinted = 0;
  for (const Form& form : all_forms()) {
    if (form.hints.empty()) continue;
    ++hinted;
    std::vector<std::string_view> written = words(form);
    for (const std::string_view group : split(form.hints, '|')) written.push_back(split(group, ' ').front());
    const std::vector<const Form*> found = table.candidates(form.opcode, written);
    CHECK_MESSAGE(std::ranges::count(found, &form) == 1, form.text);
  }
  CHECK(hinted > 0);
}

TEST_CASE("what nobody declares is not found") {
  const std::vector<std::string_view> no_such_type{"u33"}, foreign_hint{"ca", "u32"};
  CHECK(FormTable::generated().candidates("add", no_such_type).empty());
  CHECK(FormTable::generated().candidates("add", foreign_hint).empty());
}

// Random programs: the same for a seed, of many families, and accepted.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "emulator/kernel/check.h"
#include "emulator/programs/families.h"
#include "emulator/programs/program.h"

using namespace wedjat::programs;

TEST_CASE("a seed gives the same program, another seed another") {
  CHECK(random_program({.seed = 7}) == random_program({.seed = 7}));
  CHECK(random_program({.seed = 7}) != random_program({.seed = 8}));
  // The numbers of the generator are the same on every machine: so is the text.
  CHECK(random_program({.seed = 7}).find(".visible .entry k(.param .u64 p)") != std::string::npos);
}

TEST_CASE("what is to be left open is, and nothing else changes") {
  const auto count = [](const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
    return found;
  };
  const Options usual{.seed = 12, .statements = 500};
  const std::string text = random_program(usual);
  Options unwritten = usual, payloads = usual, unrounded = usual;
  unwritten.unwritten = payloads.payloads = unrounded.unrounded = true;
  CHECK(count(text, "setp.gt.u32 %p2,") > count(random_program(unwritten), "setp.gt.u32 %p2,"));
  CHECK(count(random_program(unwritten), "setp.gt.u32 %p1,") == count(text, "setp.gt.u32 %p1,"));
  CHECK(count(text, "@%nan mov.b") > 0);
  CHECK(count(random_program(payloads), "@%nan mov.b") == 0);
  CHECK(count(random_program(unrounded), "add.rn.") == 0);
  CHECK(count(text, "add.rn.") > 0);
  CHECK(count(random_program(unrounded), "fma.rn.") > 0);
  CHECK(count(random_program(unrounded), "  mul.f32 %f") > 0);
}

TEST_CASE("families have forms, and none of them what is not defined") {
  std::size_t forms = 0;
  for (unsigned i = 0; i < uses; ++i) {
    const auto use = static_cast<Use>(i);
    CAPTURE(i);
    CHECK(!families(use).empty());
    for (const Family& family : families(use)) {
      CAPTURE(family.opcode);
      CHECK(!family.forms.empty());
      forms += family.forms.size();
      for (const auto* form : family.forms) {
        CAPTURE(form->text);
        CHECK(form->opcode == family.opcode);
        CHECK(form->text.find("approx") == form->text.npos);
        CHECK(form->text.find("xorsign") == form->text.npos);
        CHECK(form->control == wedjat::kernel::Control::None);
      }
    }
  }
  CHECK(forms > 13000);
}

TEST_CASE("a weight of 0 leaves a family out, a large one brings it in") {
  Options options{.seed = 3, .statements = 200};
  options.weights = {{"add", 0}, {"popc", 1000}};
  const std::string text = random_program(options);
  CHECK(text.find("popc.") != text.npos);
  CHECK(text.find(" add.sat") == text.npos);
  CHECK(text.find(" add.rn") == text.npos);
}

// Each form that can be chosen is one that the decoder takes, with the operands that the writer gives it.
TEST_CASE("every chosen instruction is legal") {
  for (std::uint32_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    const std::string text = random_program({.seed = seed, .statements = 120});
    const auto module = wedjat::ptx::Module::parse("random", text);
    const wedjat::ptx::Module* const modules[] = {module.get()};
    const auto program = wedjat::ptx::Program::link(modules);
    const auto refusal = wedjat::kernel::refusal_of(program, program.find_entry("k"));
    CHECK_MESSAGE(!refusal, (refusal ? refusal->error.what() : ""));
  }
}

namespace {

struct Line {
  std::string guard, form;
  std::vector<std::string> operands;
  bool in_loop = false, in_function = false, two_results = false;
};

std::vector<Line> lines_of(const std::string& text) {
  static const std::regex instruction(R"(^\s*(@!?%\w+ )?([a-z]\w*[.\w:]*) ([^;]*);$)");
  static const std::regex operand(R"(%\w+|\d\w*)");
  std::vector<Line> all;
  std::istringstream in(text);
  unsigned loops = 0;
  bool function = false;
  for (std::string line; std::getline(in, line);) {
    loops += line.find("LOOP") != line.npos && line.back() == ':';
    loops -= line.find("bra LOOP") != line.npos;
    if (line.starts_with(".func") || line.starts_with(".visible")) function = line.starts_with(".func");
    std::smatch found;
    if (!std::regex_match(line, found, instruction)) continue;
    const std::string rest = found[3];
    Line one{found[1], found[2], {}, loops != 0, function, rest.find('|') != rest.npos};
    for (std::sregex_iterator i(rest.begin(), rest.end(), operand); i != std::sregex_iterator(); ++i)
      one.operands.push_back(i->str());
    all.push_back(std::move(one));
  }
  return all;
}

bool matches(const std::string& text, const char* pattern) {
  static std::map<const char*, std::regex> known;
  return std::regex_search(text, known.try_emplace(pattern, pattern).first->second);
}

using Counts = std::map<std::string, unsigned>;  // how often programs hold something

}  // namespace

// The kernels of tests/emulator/miscompiles say which they are. What is near them has to be there.
TEST_CASE("known faults of ptxas are left out, and nothing beside them") {
  Counts wrong, right;
  const auto count = [](Counts& to, const char* name, bool found) { to[name] += found; };
  for (std::uint32_t seed = 1; seed <= 250; ++seed) {
    Options options{.seed = seed, .statements = 150};
    options.weights = {{"set", 40},  {"cvt", 40}, {"vadd4", 10}, {"vsub4", 10}, {"shl", 15},
                       {"lop3", 10}, {"abs", 10}, {"sqrt", 10},  {"shfl", 10},  {"testp", 10}};
    const std::vector<Line> lines = lines_of(random_program(options));
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const Line& line = lines[i];
      const auto& operands = line.operands;
      const bool guarded = !line.guard.empty();
      const bool half_source = matches(line.form, R"(^set\..*16$)"),
                 half_result = matches(line.form, R"(^set\..*16\.\w+$)"),
                 float_result = matches(line.form, R"(^set\..*\.b?f(16|32)\.\w+$)"),
                 set = line.form.starts_with("set.");
      count(wrong, "guard", guarded && set && (float_result || (half_source && !half_result)));
      count(right, "guard of set", guarded && set);
      count(right, "float of set", float_result && !guarded);
      const bool packed = matches(line.form, R"(^setp\..*\.b?f16x2$)");
      count(wrong, "guard of packed setp", guarded && packed);
      count(right, "packed setp", packed);
      const bool video = matches(line.form, R"(^v(add|sub)4\.)");
      count(wrong, "guard of video", guarded && matches(line.form, R"(^v(add|sub)4\.u32\.u32\.u32\.add$)"));
      count(right, "guard of video", guarded && video);
      count(wrong, "half of halves", matches(line.form, R"(^set\..*16\.b?f16$)") && half_result);
      count(right, "half of words", half_result && !half_source);
      count(wrong, "float to be shifted by",
            set && matches(line.form, R"(\.f32\.\w+$)") && !operands[0].starts_with("%f"));
      const bool half_float = matches(line.form, R"(^set\..*\.b?f16\.\w+$)");
      count(wrong, "half float to be stored", half_float && operands[0].starts_with("%h"));
      count(right, "half float of set", half_float);
      count(wrong, "tf32 to be shifted by",
            matches(line.form, R"(^cvt\..*\.tf32\.f32$)") && !operands[0].starts_with("%f"));
      count(right, "tf32", matches(line.form, R"(^cvt\..*\.tf32\.f32$)"));
      count(right, "bytes stored", matches(line.form, R"(^st\..*v4\.[bsu]8$)"));
      if (line.form.starts_with("lop3")) {
        std::set<std::string> sources;
        const std::size_t first = matches(line.form, R"(lop3\.(and|or)\.)") ? 2 : 1;
        for (std::size_t k = first; k < first + 3; ++k)
          count(wrong, "twice",
                !sources.insert(operands[k].starts_with("%") ? operands[k] : "literal").second);
        count(right, "literal of a table", sources.contains("literal"));
      }
      count(wrong, "known predicate",
            matches(line.form, R"(^lop3\.(and|or)\.)") && !operands[2].starts_with("%"));
      count(right, "predicate of literals",
            matches(line.form, R"(^lop3\.(and|or)\.)") && !operands[3].starts_with("%"));
      const bool of_doubles = matches(line.form, R"(^set\.[a-z]+\.(and|or|xor)\.\w+\.f64$)");
      count(wrong, "known predicate of set", of_doubles);
      count(right, "predicate of set", matches(line.form, R"(^set\.[a-z]+\.(and|or|xor)\.\w+\.s64$)"));
      count(right, "set of doubles", matches(line.form, R"(^set\.[a-z]+\.\w+\.f64$)"));
      const bool flushes = matches(line.form, R"(^setp\..*ftz\.f32$)");
      count(wrong, "comparison that flushes", flushes);
      count(right, "comparison of f32", matches(line.form, R"(^setp\..*\.f32$)"));
      count(right, "set that flushes", matches(line.form, R"(^set\..*\.ftz\..*f32$)"));
      const bool tests = matches(line.form, R"(^testp\..*f64$)");
      count(wrong, "literal that is tested", tests && !operands[1].starts_with("%"));
      count(right, "double that is tested", tests);
      count(wrong, "extended twice",
            matches(line.form, R"(^cvt\.(s8\.[su]8|s8\.[su]16|u8\.s8|[su]16\.s8)$)"));
      const bool reduced = matches(line.form, R"(^bar(rier)?\..*red\.)");
      count(wrong, "predicate of a barrier", reduced && line.form.ends_with(".pred"));
      count(right, "sum of a barrier", reduced);
      count(wrong, "field beyond", line.form == "bfe.s32");
      count(right, "field", line.form == "bfe.u32" || line.form == "bfe.s64");
      count(right, "extended once", line.form == "cvt.s32.s8");
      count(wrong, "absolute number to be taken away",
            line.form == "abs.s64" && operands[0].starts_with("%d"));
      count(right, "absolute number", line.form == "abs.s32" || line.form == "abs.s64");
      const bool root = matches(line.form, R"(^(sqrt|rcp|div)\.r.*f(32|64)$)");
      count(wrong, "root in a function", root && line.in_function);
      count(right, "root", root);
      const bool crossed = matches(line.form, R"(^shfl\.sync\.bfly)");
      count(wrong, "predicate of bfly", crossed && line.two_results);
      count(right, "bfly", crossed);
      count(right, "predicate of shfl", matches(line.form, R"(^shfl\.)") && line.two_results);
      count(wrong, "beside", matches(line.form, R"(^cvt\..*\.e[45]m[23]x2\.f(32|16x2)$)"));
      count(right, "from e4m3x2", matches(line.form, R"(^cvt\..*\.f16x2\.e[45]m[23]x2$)"));
      const bool decides = matches(line.form, R"(^slct\..*\.s32$)");
      count(wrong, "literal that decides", decides && !operands[3].starts_with("%"));
      count(right, "literal that is chosen", decides && !operands[1].starts_with("%"));
      const bool halves_shifted = matches(line.form, R"(^sh[lr]\.[bus]16$)");
      count(right, "literal shifted", halves_shifted && !operands[1].starts_with("%"));
      count(wrong, "cnot to be shifted by", line.form == "cnot.b32" && !operands[0].starts_with("%f"));
      count(right, "long shift",
            matches(line.form, R"(^sh[lr]\.)") && operands[2].size() > 3 && !operands[2].starts_with("%"));
      const bool atomic = matches(line.form, R"(^(atom|red)\..*shared.*64$)");
      count(wrong, "atomic in a loop", atomic && line.in_loop);
      count(right, "atomic", atomic);
      if (matches(line.form, R"(^madc\.hi\..*64$)")) {
        std::size_t first = i;
        while (first != 0 && !matches(lines[first].form, R"(^(add|mad\.\w+)\.cc\.)")) --first;
        bool registers = false;
        for (std::size_t k = first; k < i; ++k)
          for (std::size_t o = lines[k].form.find(".cc.") == std::string::npos ? 99 : 1;
               o < lines[k].operands.size(); ++o)
            registers |= lines[k].operands[o].starts_with("%");
        count(wrong, "carry of literals", !registers);
        count(right, "carry of registers", registers);
      }
      if (matches(line.form, R"(^mma\..*\.e[45]m[23]\.)")) {
        const std::size_t size = matches(line.form, R"(\.f16\.e)") ? 2 : 4;
        const std::size_t c = operands.size() - size;
        // All of A and B before were made what nobody knows.
        for (std::size_t k = size; k < c; ++k) {
          bool unknown = false;
          for (std::size_t before = i; before-- > 0 && lines[before].form == "add.u32";)
            unknown |= lines[before].operands[0] == operands[k] && lines[before].operands[2] == "%me";
          count(wrong, "literal of a matrix", !unknown);
          count(right, "matrix", unknown);
        }
        for (std::size_t k = 0; k < size; ++k)
          for (std::size_t d = 0; d < size; ++d)
            count(d < k ? wrong : right, "overlap", operands[c + k] == operands[d]);
      }
    }
  }
  for (const auto& each : wrong) CHECK_MESSAGE(each.second == 0, each.first);
  for (const auto& each : right) CHECK_MESSAGE(each.second != 0, each.first);
}

// predicate_in_loop.ptx
TEST_CASE("loops do not write what decided a branch around them") {
  static const std::regex branch(R"(^  @(%p\d) bra ELSE(\d+);)"), end(R"(^  END(\d+):)"),
      written(R"(^  (@!?%\w+ )?(?!st|red)[a-z][\w.:]* (%\w+\|)?(%p\d)\b.*)"), both(R"(^  \S.* (%p\d)\|%)");
  struct Around {
    std::string end, predicate;
  };
  unsigned decided = 0, other = 0;  // written in loops
  for (std::uint32_t seed = 1; seed <= 400; ++seed) {
    std::istringstream in(random_program({.seed = seed, .statements = 150}));
    std::vector<Around> around;  // branches and loops
    for (std::string line; std::getline(in, line);) {
      std::smatch found;
      if (std::regex_search(line, found, branch))
        around.push_back({found[2], found[1]});
      else if (line.starts_with("  LOOP"))
        around.push_back({"LOOP", ""});
      else if (std::regex_search(line, found, end) && !around.empty() && around.back().end == found[1])
        around.pop_back();
      else if (line.find("bra LOOP") != line.npos)
        around.pop_back();
      std::vector<std::string> results;
      if (std::regex_search(line, found, written)) results.push_back(found[3]);
      if (std::regex_search(line, found, both)) results.push_back(found[1]);
      const auto is_loop = [](const Around& a) { return a.end == "LOOP"; };
      for (const std::string& result : results) {
        other += std::any_of(around.begin(), around.end(), is_loop);
        for (auto decides = around.begin(); decides != around.end(); ++decides)
          decided += decides->predicate == result && std::any_of(decides, around.end(), is_loop);
      }
    }
    CHECK(around.empty());
  }
  CHECK(decided == 0);
  CHECK(other > 100);
}

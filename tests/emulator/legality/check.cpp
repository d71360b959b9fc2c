// Holds the emulator's accept or reject to what ptxas said about each case of a table, but for the
// disagreements that are listed with their reasons. One that is not listed fails, and so does one that is
// listed and agrees.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <fstream>
#include <regex>
#include <sstream>
#include <thread>

#include "emulator/fidelity/fields.h"
#include "emulator/fidelity/refusals.h"

using namespace wedjat::fidelity;

namespace {

struct Case {
  std::string_view version, target, verdict, how, text;
  std::string line() const { return fmt::format("{} {} {}", version, target, text); }
};

// Cases of one version and target, some hundred at a time.
std::vector<Answer> judge(const std::vector<Case>& cases) {
  std::vector<Answer> answers(cases.size());
  constexpr std::size_t chunk = 300;
  std::vector<std::pair<std::size_t, std::size_t>> chunks;
  for (std::size_t begin = 0, end; begin < cases.size(); begin = end) {
    for (end = begin; end < cases.size() && end - begin < chunk &&
                      cases[end].version == cases[begin].version && cases[end].target == cases[begin].target;)
      ++end;
    chunks.emplace_back(begin, end);
  }
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i; (i = next++) < chunks.size();) {
      const auto [begin, end] = chunks[i];
      std::vector<Snippet> snippets;
      for (std::size_t at = begin; at < end; ++at) snippets.push_back({cases[at].text, {}});
      std::vector<Answer> mine = refusals(snippets, cases[begin].version, cases[begin].target);
      std::move(mine.begin(), mine.end(), answers.begin() + static_cast<std::ptrdiff_t>(begin));
    }
  };
  std::vector<std::thread> workers(std::max(1u, std::thread::hardware_concurrency()));
  for (std::thread& worker : workers) worker = std::thread(work);
  for (std::thread& worker : workers) worker.join();
  return answers;
}

// A line of the file of disagreements: a comment, or what explains some of them.
struct Entry {
  std::string text, verdict, how, pattern;
  std::regex expression;
  std::size_t announced = 0, explained = 0;

  bool is_comment() const { return pattern.empty(); }
  bool explains(const Case& one) const {
    return !is_comment() && one.verdict == verdict &&
           (how == "*" || std::regex_match(one.how.begin(), one.how.end(), std::regex(how))) &&
           std::regex_search(one.line(), expression);
  }
};

std::vector<Entry> read_entries(const std::string& file) {
  std::ifstream in(file);
  if (!in) throw InputError(file + ": cannot be read");
  std::vector<Entry> entries;
  for (std::string line; std::getline(in, line);) {
    Entry entry;
    entry.text = line;
    if (!line.empty() && line[0] != '#') {
      std::istringstream fields(line);
      fields >> entry.announced >> entry.verdict >> entry.how >> std::ws;
      std::getline(fields, entry.pattern);
      if (entry.pattern.empty()) throw InputError(file + ": no entry: " + line);
      entry.expression = entry.pattern;
    }
    entries.push_back(std::move(entry));
  }
  return entries;
}

void write_entries(const std::vector<Entry>& entries, const std::string& file) {
  std::ofstream out(file);
  for (const Entry& entry : entries)
    if (entry.is_comment())
      out << entry.text << '\n';
    else if (entry.explained != 0)
      out << fmt::format("{} {} {} {}\n", entry.explained, entry.verdict, entry.how, entry.pattern);
}

int run(const std::string& table, const std::string& file, bool update, bool all) {
  const std::string text = read_packed(table);
  std::vector<Case> cases;
  for (const auto& [version, target, verdict, how, instruction] : fields_of<5>(text, table))
    cases.push_back({version, target, verdict, how, instruction});
  const std::vector<Answer> answers = judge(cases);
  std::vector<Entry> entries = read_entries(file);
  std::size_t agreed = 0, failures = 0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (answers[i].is_legal == (cases[i].verdict == "accept")) {
      ++agreed;
      continue;
    }
    const auto entry = std::find_if(entries.begin(), entries.end(),
                                    [&](const Entry& one) { return one.explains(cases[i]); });
    if (entry != entries.end()) {
      ++entry->explained;
    } else if (++failures <= 30 || all) {
      fmt::print("{}: ptxas {}s it ({})\n    {}\n", cases[i].line(), cases[i].verdict, cases[i].how,
                 answers[i].is_legal ? "accepted here"
                                     : answers[i].refusal.substr(0, answers[i].refusal.find('\n')));
    }
  }
  std::size_t explained = 0;
  for (const Entry& entry : entries) {
    explained += entry.explained;
    if (entry.explained == entry.announced || update) continue;
    ++failures;
    fmt::print("{}\n    explains {} cases now\n", entry.text, entry.explained);
  }
  if (update) write_entries(entries, file);
  fmt::print("{} cases, {} agree with ptxas, {} explained disagreements, {} failures\n", cases.size(), agreed,
             explained, failures);
  return failures ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::string table, listed;
  bool all = false, update = false;
  CLI::App app("Compare what the emulator accepts with what ptxas accepts.");
  app.add_option("cases", table, "table of cases")->required();
  app.add_option("listed", listed, "disagreements that are explained")->required();
  app.add_flag("--update", update, "write how many cases each entry explains; drop those without");
  app.add_flag("--all", all, "print every failure, not only the first 30");
  CLI11_PARSE(app, argc, argv);
  try {
    return run(table, listed, update, all);
  } catch (const std::exception& error) {
    fmt::print(stderr, "legality_check: {}\n", error.what());
    return 2;
  }
}

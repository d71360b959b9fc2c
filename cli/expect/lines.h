// Directives as words: found in comments, with their lines.
#pragma once
#include <string>
#include <vector>

namespace wedjat::expect {

struct Word {
  std::string text;
  bool quoted = false;
};

struct Directive {
  unsigned line = 0;
  std::vector<Word> words;  ///< the first is its name
};

/// `// wedjat: …`, `; wedjat: …` or `# wedjat: …`, and `wedjat+: …` for what goes on. Throws DirectiveError.
std::vector<Directive> find_directives(const std::string& file, const std::string& text);

}  // namespace wedjat::expect

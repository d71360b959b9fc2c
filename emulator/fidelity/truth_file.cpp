#include "emulator/fidelity/truth_file.h"

#include <fmt/format.h>

#include <map>
#include <sstream>

#include "emulator/fidelity/packed.h"

namespace wedjat::fidelity {
namespace {

constexpr std::string_view kMagic = "wedjat hardware truth 1";

[[noreturn]] void fail(const std::filesystem::path& file, std::string_view what) {
  throw InputError(fmt::format("{}: {}", file.string(), what));
}

std::string line_after(std::istringstream& in, std::string_view word, const std::filesystem::path& file) {
  std::string line;
  if (!std::getline(in, line) || line.substr(0, word.size() + 1) != fmt::format("{} ", word)) {
    fail(file, fmt::format("no line \"{} …\" in its head", word));
  }
  return line.substr(word.size() + 1);
}

}  // namespace

void write_truth(const Truth& truth, const std::filesystem::path& file) {
  std::string content = fmt::format("{}\ndevice {}\ndriver {}\ndate {}\nforms {}\n", kMagic, truth.device,
                                    truth.driver, truth.date, truth.records.size());
  for (const Record& record : truth.records) {
    content += fmt::format("{:016x}\t{}\t{}\n", record.input_hash, record.output.size(), record.form);
  }
  content += '\n';
  for (const Record& record : truth.records) {
    content.append(reinterpret_cast<const char*>(record.output.data()), record.output.size());
  }

  write_packed(content, file);
}

Truth read_truth(const std::filesystem::path& file) {
  const std::string content = read_packed(file);
  const std::size_t end = content.find("\n\n");
  if (end == content.npos || content.substr(0, kMagic.size() + 1) != fmt::format("{}\n", kMagic)) {
    fail(file, fmt::format("does not begin with \"{}\" and a head", kMagic));
  }
  std::istringstream head(content.substr(kMagic.size() + 1, end - kMagic.size()));
  Truth truth;
  truth.device = line_after(head, "device", file);
  truth.driver = line_after(head, "driver", file);
  truth.date = line_after(head, "date", file);
  const std::string count = line_after(head, "forms", file);

  std::size_t at = end + 2;
  std::string line;
  while (std::getline(head, line)) {
    std::istringstream fields(line);
    Record record;
    std::size_t bytes = 0;
    fields >> std::hex >> record.input_hash >> std::dec >> bytes;
    if (!fields || fields.get() != '\t' || !std::getline(fields, record.form)) {
      fail(file, fmt::format("\"{}\" is no line of a form", line));
    }
    if (bytes > content.size() - at) fail(file, fmt::format("ends within the output of \"{}\"", record.form));
    const auto* output = reinterpret_cast<const std::byte*>(content.data()) + at;
    record.output.assign(output, output + bytes);
    at += bytes;
    truth.records.push_back(std::move(record));
  }
  if (std::to_string(truth.records.size()) != count) {
    fail(file, fmt::format("announces {} forms, holds {}", count, truth.records.size()));
  }
  if (at != content.size())
    fail(file, fmt::format("{} bytes left over after the last output", content.size() - at));
  return truth;
}

Truth join_truth(std::vector<Truth> parts, const std::set<std::string>& without) {
  Truth whole;
  std::set<std::string> unseen = without;
  std::map<std::string, std::size_t> places;
  for (Truth& part : parts) {
    for (Record& record : part.records) {
      if (without.count(record.form) != 0) {
        unseen.erase(record.form);
        continue;
      }
      const auto [place, is_new] = places.try_emplace(record.form, whole.records.size());
      if (is_new)
        whole.records.push_back(std::move(record));
      else
        whole.records[place->second] = std::move(record);
    }
    whole.device = part.device;
    whole.driver = part.driver;
    whole.date = part.date;
  }
  if (!unseen.empty())
    throw InputError(fmt::format("\"{}\" is to be left out, and no part has it", *unseen.begin()));
  return whole;
}

}  // namespace wedjat::fidelity

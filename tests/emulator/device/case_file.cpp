#include "tests/emulator/device/case_file.h"

#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace wedjat::test {
namespace {

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

template <class T>
void append(std::vector<std::byte>& bytes, T value, std::size_t size) {
  const auto* from = reinterpret_cast<const std::byte*>(&value);
  bytes.insert(bytes.end(), from, from + size);
}

void append_element(std::vector<std::byte>& bytes, const std::string& type, const std::string& text) {
  if (type == "f32") return append(bytes, std::stof(text), 4);
  if (type == "f64") return append(bytes, std::stod(text), 8);
  const bool negative = text[0] == '-';
  const std::uint64_t magnitude = std::stoull(negative ? text.substr(1) : text, nullptr, 0);
  append(bytes, negative ? 0 - magnitude : magnitude, size_of_type(type));
}

// "1, 2, 5*3, 10..13"
std::vector<std::byte> elements(const std::string& type, const std::string& list) {
  std::vector<std::byte> bytes;
  std::istringstream in(list);
  for (std::string item; std::getline(in, item, ',');) {
    item = trimmed(item);
    if (const std::size_t range = item.find(".."); range != std::string::npos) {
      for (long long v = std::stoll(item); v <= std::stoll(item.substr(range + 2)); ++v)
        append_element(bytes, type, std::to_string(v));
    } else if (const std::size_t times = item.find('*'); times != std::string::npos) {
      for (int i = 0; i < std::stoi(item.substr(times + 1)); ++i)
        append_element(bytes, type, trimmed(item.substr(0, times)));
    } else {
      append_element(bytes, type, item);
    }
  }
  return bytes;
}

CaseArgument argument(const std::string& text) {
  std::istringstream in(text);
  std::string kind;
  CaseArgument result;
  in >> kind >> result.type;
  using Kind = CaseArgument::Kind;
  static const std::map<std::string, Kind> kinds{{"in", Kind::buffer},       {"out", Kind::buffer},
                                                 {"value", Kind::value},     {"surface", Kind::surface},
                                                 {"texture", Kind::texture}, {"multicast", Kind::multicast}};
  if (!kinds.contains(kind)) throw std::runtime_error("unknown kind of argument: " + kind);
  result.kind = kinds.at(kind);
  char by = 0;
  if (result.kind == Kind::surface || result.kind == Kind::texture) in >> result.width >> by >> result.height;
  if (result.kind == Kind::multicast) in >> result.places;
  std::string rest;
  std::getline(in, rest);
  if (kind == "out")
    result.bytes.resize(std::stoul(rest) * size_of_type(result.type));
  else
    result.bytes = elements(result.type, trimmed(rest));
  if (result.width * result.height != 0 &&
      result.bytes.size() != std::size_t{result.width} * result.height * size_of_type(result.type))
    throw std::runtime_error("an array of another size than its elements: " + text);
  return result;
}

std::string without_hardware(std::string text) {
  const std::size_t line = text.find("// hardware:");
  return line == std::string::npos ? text : text.erase(line, text.find('\n', line) + 1 - line);
}

void shape(std::uint32_t (&dimensions)[3], const std::string& text) {
  std::istringstream in(text);
  int i = 0;
  for (std::string item; std::getline(in, item, ',') && i < 3;)
    dimensions[i++] = static_cast<std::uint32_t>(std::stoul(item));
}

CaseLaunch launch(const std::string& text) {
  CaseLaunch result;
  std::istringstream in(text);
  for (std::string word; in >> word;) {
    const std::string key = word.substr(0, word.find('=')), value = word.substr(word.find('=') + 1);
    if (key == "kernel")
      result.kernel = value;
    else if (key == "grid")
      shape(result.config.grid, value);
    else if (key == "block")
      shape(result.config.block, value);
    else if (key == "cluster")
      shape(result.config.cluster, value);
    else if (key == "shared")
      result.config.shared_bytes = static_cast<std::uint32_t>(std::stoul(value));
    else
      throw std::runtime_error("unknown word in a launch line: " + word);
  }
  return result;
}

}  // namespace

std::string digest(const CaseFile& file) {
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  for (const char c : without_hardware(file.text))
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  std::ostringstream out;
  out << std::hex << hash;
  return out.str();
}

std::string with_hardware(const CaseFile& file, const std::string& device) {
  std::string text = without_hardware(file.text);
  const std::size_t header_end = text.find("\n\n") + 1;
  return text.insert(header_end, "// hardware: " + device + ": " + digest(file) + "\n");
}

std::string first_kernel(const std::string& text) {
  const std::size_t entry = text.find(".entry ") + 7;
  return text.substr(entry, text.find_first_of(" (", entry) - entry);
}

unsigned size_of_type(const std::string& type) {
  return static_cast<unsigned>(std::stoul(type.substr(1))) / 8;
}

std::string element_text(const std::string& type, const std::byte* bytes) {
  if (type == "f32") {
    float v;
    std::memcpy(&v, bytes, 4);
    return std::to_string(v);
  }
  if (type == "f64") {
    double v;
    std::memcpy(&v, bytes, 8);
    return std::to_string(v);
  }
  std::uint64_t v = 0;
  std::memcpy(&v, bytes, size_of_type(type));
  const unsigned unused = 64 - 8 * size_of_type(type);
  return type[0] == 's' ? std::to_string(static_cast<std::int64_t>(v << unused) >> unused)
                        : std::to_string(v);
}

CaseFile read_case(const std::string& path) {
  std::ifstream in(path);
  CaseFile result;
  result.name = path.substr(path.rfind('/') + 1);
  std::string line;
  while (std::getline(in, line)) {
    result.text += line + "\n";
    if (line.rfind("// ", 0) != 0 || line.find(':') == std::string::npos) continue;
    const std::string key = line.substr(3, line.find(':') - 3),
                      rest = trimmed(line.substr(line.find(':') + 1));
    if (key == "arg")
      result.arguments.push_back(argument(rest));
    else if (key == "launch")
      result.launches.push_back(launch(rest));
    else if (key == "print")
      result.printed += rest + "\n";
    else if (key == "error")
      result.errors.push_back(rest);
    else if (key == "hardware")
      result.hardware = rest;
    else if (key == "expect") {
      const std::size_t which = std::stoul(rest);
      if (which >= result.arguments.size()) throw std::runtime_error(path + ": no such argument: " + line);
      result.expected[which] = elements(result.arguments[which].type, rest.substr(rest.find('=') + 1));
    } else if (key != "note") {
      throw std::runtime_error(path + ": not a header line: " + line);
    }
  }
  if (result.launches.empty()) throw std::runtime_error(path + ": no launch line");
  return result;
}

}  // namespace wedjat::test

// The driver API as the generator sees it: api_table.json with the rules of cuda.yaml applied.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace wedjat::interposer {

// Same names and order as traces::ApiKind, traces::ApiDirection.
enum class Kind : std::uint8_t { none, integer, floating, handle, pointer, structure, string };
enum class Direction : std::uint8_t { value, in, out, inout };

struct Type {
  std::string spelling;  // without outer const
  Kind kind = Kind::none;
  std::uint32_t size = 0;
  bool is_signed = false;
  std::string tag;  // of a struct or union, else empty
};

struct Parameter {
  std::string name;
  std::string spelling;  // as cuda.h has it
  Type type;
  Direction direction = Direction::value;
  Type element;           // what it points to, if that is recorded
  std::string count;      // C++ expression: elements; bytes if the element is untyped
  bool text_out = false;  // count ends at the NUL
  bool always = false;    // out value counts even if the call fails
  bool packed = false;    // count is a C++ expression for the bytes themselves

  bool is_in() const { return direction == Direction::in || direction == Direction::inout; }
  bool is_out() const { return direction == Direction::out || direction == Direction::inout; }
};

struct Function {
  std::string name;
  std::string base;
  int version = 0;
  std::string flavour;
  std::vector<Parameter> parameters;
  std::string before;  // C++ around the real call, from cuda.yaml
  std::string after;   // if it succeeded
  std::string done;    // in any case
  bool inert = false;  // see cuda.yaml
};

// A member of a struct that points to `count` elements worth recording.
struct Member {
  std::string name;
  std::string count;
};

struct Enumeration {
  std::string tag;
  std::string alias;  // the typedef that names it
  std::vector<std::pair<std::string, std::int64_t>> values;
};

struct Model {
  int cuda_version = 0;
  std::vector<Function> functions;  // sorted by name
  std::vector<Enumeration> enumerations;
  std::map<std::string, std::vector<Member>> members;                            // by struct tag
  std::map<std::string, std::map<std::int64_t, std::uint32_t>> attribute_sizes;  // cuda.yaml `sizes`
};

// Reads DIR/api_table.json and DIR/cuda.yaml. Throws std::runtime_error that names function and parameter
// when a rule is missing, matches nothing, or cannot be read.
Model load_model(const std::filesystem::path& directory);

}  // namespace wedjat::interposer

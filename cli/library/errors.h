// Errors as values: what a call of the library throws inside becomes its status, and the calling thread's
// last error.
#pragma once
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <stdexcept>
#include <string>
#include <utility>

#include "cli/library/wedjat.h"

namespace wedjat::library {

// What the caller did wrong.
class WrongArgument : public std::invalid_argument {
 public:
  explicit WrongArgument(const std::string& message, std::string in_file = {}, std::uint32_t in_line = 0)
      : std::invalid_argument(message), file(std::move(in_file)), line(in_line) {}
  std::string file;  // of the PTX it concerns, if it is one
  std::uint32_t line;
};

// A trace that cannot be read or replayed, or another file that cannot be read.
struct WrongFile {
  WedjatStatus status;
  std::string message, file;
};

// Stores the exception at hand for `call`. To be asked in a handler.
WedjatStatus remember_failure(const char* call) noexcept;

template <class Body>
WedjatStatus guarded(const char* call, const Body& body) noexcept {
  try {
    body();
    return WEDJAT_OK;
  } catch (...) {
    return remember_failure(call);
  }
}

// Throws WrongArgument if it is null.
void need(const void* pointer, const char* name);

// The caller's struct, which may be older or newer than ours: what it lacks is 0, what it has more must be 0.
template <class T>
T taken(const T* given, const char* name) {
  T ours{};
  if (given == nullptr) return ours;
  const std::size_t size = given->size;
  constexpr std::size_t most = 1 << 16;
  if (size < sizeof given->size || size > most)
    throw WrongArgument(std::string(name) + "->size is " + std::to_string(size) +
                        ", not the size of the struct");
  const auto* bytes = reinterpret_cast<const unsigned char*>(given);
  for (std::size_t i = sizeof ours; i < size; ++i)
    if (bytes[i] != 0)
      throw WrongArgument(std::string(name) + " holds what this library does not know: it is older");
  auto* to = reinterpret_cast<unsigned char*>(&ours);
  for (std::size_t i = 0; i < size && i < sizeof ours; ++i) to[i] = bytes[i];
  return ours;
}

// As much of ours as the caller's struct has.
template <class T>
void give(const T& ours, T* to, const char* name) {
  need(to, name);
  const std::size_t size = to->size;
  if (size < sizeof to->size)
    throw WrongArgument(std::string(name) + "->size is " + std::to_string(size) +
                        ", not the size of the struct");
  const auto* from = reinterpret_cast<const unsigned char*>(&ours);
  auto* bytes = reinterpret_cast<unsigned char*>(to);
  for (std::size_t i = sizeof size; i < size && i < sizeof ours; ++i) bytes[i] = from[i];
}

// For the caller, who frees it. Names in it may be anything: what is not UTF-8 becomes U+FFFD.
char* json_for_caller(const nlohmann::json& json);

}  // namespace wedjat::library

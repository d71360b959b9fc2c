#include "cli/options/texel_arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <map>
#include <set>
#include <stdexcept>

#include "cli/options/argument_error.h"
#include "traces/format/file.h"

namespace wedjat::cli {
namespace {

using memory::AddressMode;
using memory::ChannelFormat;
using memory::Filter;

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(at, begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

// 1 to 65536; 0: it is none.
std::uint64_t extent(const std::string& word) {
  constexpr std::uint64_t most = 65536;
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  return error == std::errc() && end == word.data() + word.size() && value <= most ? value : 0;
}

bool are_extents(const std::string& word) {
  const std::vector<std::string> numbers = split(word, ',');
  return numbers.size() <= 3 && std::all_of(numbers.begin(), numbers.end(), extent);
}

void set_format(TexelArgument& to, const std::string& word) {
  static const std::map<std::string, ChannelFormat> formats{
      {"u8", ChannelFormat::u8},   {"s8", ChannelFormat::s8},   {"u16", ChannelFormat::u16},
      {"s16", ChannelFormat::s16}, {"f16", ChannelFormat::f16}, {"u32", ChannelFormat::u32},
      {"s32", ChannelFormat::s32}, {"f32", ChannelFormat::f32}};
  const std::size_t times = word.find('x');
  const auto format = formats.find(word.substr(0, times));
  const std::string channels = times == word.npos ? "1" : word.substr(times + 1);
  if (format == formats.end() || !std::set<std::string>{"1", "2", "4"}.count(channels))
    wrong(to.text, fmt::format("'{}' is no format: u8 s8 u16 s16 f16 u32 s32 f32, or with x2 or x4", word));
  to.shape.format = format->second;
  to.shape.channels = static_cast<unsigned>(channels[0] - '0');
}

void set_extents(TexelArgument& to, const std::string& word) {
  if (!are_extents(word))
    wrong(to.text, fmt::format("'{}': expected W, W,H or W,H,D, each from 1 to 65536", word));
  const std::vector<std::string> numbers = split(word, ',');
  to.shape.width = extent(numbers[0]);
  if (numbers.size() > 1) to.shape.height = extent(numbers[1]);
  if (numbers.size() > 2) to.shape.depth = extent(numbers[2]);
}

bool set_sampling(memory::Sampler& sampler, const std::string& word) {
  static const std::map<std::string, AddressMode> modes{
      {"wrap", AddressMode::wrap}, {"mirror", AddressMode::mirror}, {"border", AddressMode::border}};
  static const std::map<std::string, bool memory::Sampler::*> flags{
      {"normalized", &memory::Sampler::normalized_coordinates},
      {"integers", &memory::Sampler::read_as_integer},
      {"srgb", &memory::Sampler::srgb},
      {"seamless", &memory::Sampler::seamless_cubemap}};
  static const std::map<std::string, Filter memory::Sampler::*> filters{
      {"linear", &memory::Sampler::filter}, {"miplinear", &memory::Sampler::mip_filter}};
  if (const auto mode = modes.find(word); mode != modes.end())
    std::fill(std::begin(sampler.address), std::end(sampler.address), mode->second);
  else if (const auto flag = flags.find(word); flag != flags.end())
    sampler.*flag->second = true;
  else if (const auto filter = filters.find(word); filter != filters.end())
    sampler.*filter->second = Filter::linear;
  else
    return false;
  return true;
}

void set_option(TexelArgument& to, const std::string& word) {
  if (word == "layered") {
    to.shape.layered = true;
  } else if (word == "cube") {
    to.shape.cubemap = true;
  } else if (to.is_surface) {
    wrong(to.text, fmt::format("'{}' is no option of surfaces: layered, cube", word));
  } else if (word == "memory") {
    to.in_memory = true;
  } else if (word.starts_with("levels=")) {
    to.levels = static_cast<unsigned>(extent(word.substr(7)));
    if (to.levels == 0 || to.levels > 17) wrong(to.text, "a texture has 1 to 17 levels");
    to.sampler.max_level = static_cast<float>(to.levels);
  } else if (!set_sampling(to.sampler, word)) {
    wrong(to.text, fmt::format("'{}' is no option: layered cube memory levels=N normalized linear miplinear "
                               "wrap mirror border integers srgb seamless",
                               word));
  }
}

void check_shape(TexelArgument& to) {
  memory::ArrayShape& shape = to.shape;
  // W,L layered: rows of a line are layers.
  if (shape.layered && !shape.cubemap && shape.depth == 0) std::swap(shape.height, shape.depth);
  if (shape.layered && shape.depth == 0) wrong(to.text, "layers without their number");
  if (shape.cubemap && (shape.width != shape.height || shape.depth == 0 || shape.depth % 6 != 0))
    wrong(to.text, "a cube map has W,W,6 texels, layered ones six times as many planes as cubes");
  if (shape.cubemap && !shape.layered && shape.depth != 6) wrong(to.text, "a cube has 6 faces");
  if (to.in_memory && (shape.depth != 0 || to.levels > 1))
    wrong(to.text, "textures of device memory are lines or planes of one level");
  if (to.levels > 1 && !to.sampler.normalized_coordinates)
    wrong(to.text, "levels are read by normalized coordinates");
}

std::uint64_t bytes_of_levels(const TexelArgument& argument) {
  std::uint64_t bytes = 0;
  for (unsigned level = 0; level < argument.levels; ++level) bytes += argument.shape.at_level(level).bytes();
  return bytes;
}

}  // namespace

bool is_texel_argument(const std::string& text) {
  return text.starts_with("texture:") || text.starts_with("surface:") || text.starts_with("surface-out:");
}

TexelArgument parse_texel_argument(const std::string& text) {
  TexelArgument result;
  result.text = text;
  const std::vector<std::string> words = split(text, ':');
  const bool plain = words.size() > 3 && are_extents(words.back());
  const std::size_t extents = words.size() - (plain ? 1 : 2);
  if (words.size() < 4 || extents < 3)
    wrong(text, fmt::format("expected {}:FILE:FORMAT:EXTENTS[:OPTIONS], such as {}:x.bin:f32x4:256,128",
                            words[0], words[0]));
  result.is_surface = words[0] != "texture";
  set_format(result, words[extents - 1]);
  set_extents(result, words[extents]);
  if (!plain)
    for (const std::string& option : split(words.back(), ',')) set_option(result, option);
  check_shape(result);
  std::string file = words[1];
  for (std::size_t i = 2; i + 1 < extents; ++i) file += ":" + words[i];
  if (result.is_surface) result.write_back = file;
  result.texels.resize(bytes_of_levels(result));
  if (words[0] == "surface-out") return result;
  const std::string contents = traces::read_file(file);
  if (contents.size() != result.texels.size())
    wrong(text, fmt::format("the file has {} bytes, {} texels of {} bytes make {}", contents.size(),
                            result.texels.size() / result.shape.texel_bytes(), result.shape.texel_bytes(),
                            result.texels.size()));
  std::memcpy(result.texels.data(), contents.data(), contents.size());
  return result;
}

}  // namespace wedjat::cli

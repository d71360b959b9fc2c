#include "tests/emulator/hardware/truth_file.h"

#include <fmt/format.h>
#include <zstd.h>

#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>

#include "tests/emulator/hardware/form.h"

namespace wedjat::hardware_truth {
namespace {

constexpr std::string_view kMagic = "wedjat hardware truth 1";
// All of today's 6000 forms need 25 MiB; a damaged size field must not ask for the whole memory.
constexpr unsigned long long kMaximumBytes = 1ull << 30;

[[noreturn]] void fail(const std::filesystem::path& file, std::string_view what) {
  throw InputError(fmt::format("{}: {}", file.string(), what));
}

std::string unpacked(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) fail(file, "cannot be read");
  const std::string packed{std::istreambuf_iterator<char>(in), {}};
  const unsigned long long size = ZSTD_getFrameContentSize(packed.data(), packed.size());
  if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN)
    fail(file, "is no zstd frame of known size");
  if (size > kMaximumBytes) fail(file, fmt::format("claims to hold {} bytes", size));
  std::string content(size, '\0');
  const std::size_t got = ZSTD_decompress(content.data(), content.size(), packed.data(), packed.size());
  if (ZSTD_isError(got)) fail(file, fmt::format("damaged: {}", ZSTD_getErrorName(got)));
  if (got != size) fail(file, "damaged: shorter than it claims");
  return content;
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

  const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(), ZSTD_freeCCtx);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, 19);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  std::string packed(ZSTD_compressBound(content.size()), '\0');
  const std::size_t size =
      ZSTD_compress2(context.get(), packed.data(), packed.size(), content.data(), content.size());
  if (ZSTD_isError(size)) fail(file, ZSTD_getErrorName(size));
  std::ofstream out(file, std::ios::binary);
  if (!out.write(packed.data(), static_cast<std::streamsize>(size)).flush()) fail(file, "cannot be written");
}

Truth read_truth(const std::filesystem::path& file) {
  const std::string content = unpacked(file);
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

}  // namespace wedjat::hardware_truth

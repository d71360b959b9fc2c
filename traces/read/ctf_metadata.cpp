#include "traces/read/ctf_metadata.h"

#include <cstring>
#include <string>

#include "traces/format/error.h"
#include "traces/format/file.h"
#include "traces/format/names.h"
#include "traces/read/ctf_fields.h"
#include "traces/read/ctf_tokens.h"
#include "traces/read/intern.h"

namespace wedjat::traces {
namespace {

// The file is packets of a 37-byte header and a piece of the text (CTF 1.8.3, section 7.1).
std::string text_of_packets(const std::string& file, const std::string& bytes) {
  constexpr std::uint32_t kMagic = 0x75D11D57;
  constexpr std::uint64_t kHeader = 37, kContentBits = 24, kPacketBits = 28, kSchemes = 32;
  std::string text;
  std::uint64_t offset = 0;
  const auto word = [&](std::uint64_t at) {
    std::uint32_t value;
    std::memcpy(&value, bytes.data() + offset + at, sizeof value);
    return value;
  };
  while (offset < bytes.size()) {
    const std::uint64_t left = bytes.size() - offset;
    if (left < kHeader || word(0) != kMagic) throw FormatError(file, offset, "no packet of CTF metadata");
    const std::uint64_t content = word(kContentBits) / 8, packet = word(kPacketBits) / 8;
    if (content < kHeader || packet < content || packet > left)
      throw FormatError(file, offset,
                        "a packet of " + std::to_string(content) + " of " + std::to_string(packet) +
                            " bytes, where " + std::to_string(left) + " are left");
    if ((word(kSchemes) & 0xffffff) != 0)
      throw FormatError(file, offset + kSchemes, "a compressed, encrypted or signed packet");
    text.append(bytes, offset + kHeader, content - kHeader);
    offset += packet;
  }
  return text;
}

class MetadataReader {
 public:
  MetadataReader(CtfTokens& tokens, CtfLayout& layout) : tokens_(tokens), layout_(layout), fields_(tokens) {}

  void read() {
    while (!tokens_.ended()) {
      const std::string_view kind = tokens_.take_word();
      if (kind == "typealias")
        fields_.read_alias();
      else if (kind == "trace")
        read_trace();
      else if (kind == "struct")
        read_struct();
      else if (kind == "stream")
        read_stream();
      else if (kind == "event")
        read_event();
      else if (kind == "env" || kind == "clock")
        tokens_.skip_block();
      else
        tokens_.fail("'" + std::string(kind) + "' declares nothing we know");
      tokens_.expect(";");
    }
  }

 private:
  void read_trace() {
    tokens_.expect("{");
    while (!tokens_.take_if("}")) {
      const std::string_view key = tokens_.take_word();
      if (key == "packet.header") {
        expect_all({":", "=", "struct"});
        layout_.packet_header = fields_.read_struct();
      } else {
        tokens_.expect("=");
        if (key == "byte_order" && !tokens_.is("le")) tokens_.fail("a byte order other than little endian");
        tokens_.take();
      }
      tokens_.expect(";");
    }
  }

  void read_struct() {
    const std::string_view name = tokens_.take_word();
    if (name == "packet_context") {
      layout_.packet_context = fields_.read_struct();
    } else if (name == "event_header_compact" || name == "event_header_large") {
      tokens_.skip_block();  // CtfStream::compact
      expect_all({"align", "("});
      tokens_.take_number();
      tokens_.expect(")");
    } else {
      tokens_.fail("a struct we do not know: '" + std::string(name) + "'");
    }
  }

  void read_stream() {
    expect_all({"{", "id", "="});
    const std::uint64_t id = tokens_.take_number();
    CtfStream stream;
    expect_all({";", "event.header", ":", "=", "struct"});
    const std::string_view header = tokens_.take_word();
    stream.compact = header == "event_header_compact";
    if (!stream.compact && header != "event_header_large")
      tokens_.fail("an event header we do not know: '" + std::string(header) + "'");
    expect_all({";", "packet.context", ":", "=", "struct", "packet_context", ";"});
    if (tokens_.take_if("event.context")) {
      expect_all({":", "=", "struct"});
      stream.context = fields_.read_struct();
      tokens_.expect(";");
    }
    tokens_.expect("}");
    if (!layout_.streams.emplace(id, std::move(stream)).second)
      tokens_.fail("stream " + std::to_string(id) + " is declared twice");
  }

  void read_event() {
    CtfEvent event;
    expect_all({"{", "name", "="});
    const std::string_view full = tokens_.take_text();
    const auto colon = full.find(':');
    event.provider = intern(colon == full.npos ? std::string_view() : full.substr(0, colon));
    if (event.provider.starts_with(kCallProvider)) event.provider = kCallProvider;  // wedjat_cuda_FAMILY
    event.name = intern(colon == full.npos ? full : full.substr(colon + 1));
    expect_all({";", "id", "="});
    const std::uint64_t id = tokens_.take_number();
    expect_all({";", "stream_id", "="});
    const auto stream = layout_.streams.find(tokens_.take_number());
    if (stream == layout_.streams.end()) tokens_.fail("an event of a stream that is not declared");
    tokens_.expect(";");
    if (tokens_.take_if("loglevel")) {
      tokens_.expect("=");
      tokens_.take_number();
      tokens_.expect(";");
    }
    expect_all({"fields", ":", "=", "struct"});
    event.fields = fields_.read_struct();
    expect_all({";", "}"});
    if (!stream->second.events.emplace(id, std::move(event)).second)
      tokens_.fail("event " + std::to_string(id) + " is declared twice");
  }

  void expect_all(std::initializer_list<std::string_view> texts) {
    for (const std::string_view text : texts) tokens_.expect(text);
  }

  CtfTokens& tokens_;
  CtfLayout& layout_;
  CtfFieldReader fields_;
};

}  // namespace

void read_ctf_metadata(const std::filesystem::path& file, CtfLayout& layout) {
  const std::string text = text_of_packets(file.string(), read_regular_file(file));
  CtfTokens tokens(file.string(), text);
  MetadataReader(tokens, layout).read();
}

}  // namespace wedjat::traces

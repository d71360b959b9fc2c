// Subscribes as the option `at` says and shows what the events hold.
#include <map>
#include <wedjat/tool.hpp>

using namespace wedjat;

struct Probing : Tool {
  const std::string at = option("at");
  std::map<std::string, std::uint64_t> sums;
  std::uint32_t wanted_register = WEDJAT_NO_REGISTER;
  const wedjat_kernel* watched = nullptr;

  bool is(const wedjat_instruction& i) const { return option("opcode") == i.opcode; }
  Only only() const {
    const std::string test = option("if", "any");
    Only only{.every = static_cast<std::uint32_t>(number("every", 1))};
    only.condition.test = test == "partial"   ? WEDJAT_IF_PARTIAL
                          : test == "address" ? WEDJAT_IF_ADDRESS
                          : test == "value"   ? WEDJAT_IF_VALUE
                                              : WEDJAT_IF_ANY;
    only.condition.row = static_cast<std::uint32_t>(number("row", 0));
    only.condition.low = number("low", 0);
    only.condition.high = number("high", 0);
    return only;
  }
  void kernel(const wedjat_kernel& k) override {
    watched = &k;
    if (const std::string name = option("register"); !name.empty()) wanted_register = find_register(k, name);
    if (at == "edges")
      for (const auto& block : blocks(k))
        for (std::uint32_t s = 0; s < block.successor_count; ++s)
          edge<&Probing::on_edge>(k, block, s, edge_name(k, block, s));
    if (at == "blocks")
      for (const auto& block : blocks(k)) enter<&Probing::on_block>(k, block);
    for (const auto& i : instructions(k)) {
      if (at == "before" && is(i)) before<&Probing::on_event>(i, needs(), nullptr, only());
      if (at == "after" && is(i)) after<&Probing::on_event>(i, needs(), nullptr, only());
    }
  }
  std::uint32_t needs() const {
    return static_cast<std::uint32_t>(number("needs", WEDJAT_ROWS | WEDJAT_ADDRESSES));
  }
  std::map<std::string, std::uint64_t> names;
  void* edge_name(const wedjat_kernel& k, const wedjat_block& block, std::uint32_t successor) {
    const std::string name =
        "B" + std::to_string(&block - k.blocks) + "-B" + std::to_string(block.successors[successor]);
    return &*names.emplace(name, 0).first;
  }
  void on_edge(const Event& event) {
    static_cast<std::pair<const std::string, std::uint64_t>*>(event.user)->second +=
        static_cast<std::uint64_t>(std::popcount(event.executed));
  }
  void on_block(const Event& event) {
    sums["block " + std::to_string(event.instruction->block)] +=
        static_cast<std::uint64_t>(std::popcount(event.active));
  }
  void on_event(const Event& event) {
    ++sums["events"];
    sums["lanes"] += static_cast<std::uint64_t>(std::popcount(event.executed));
    for (const wedjat_piece& piece : pieces(event)) {
      ++sums["pieces"];
      sums["parts"] = piece.part + 1;
      sums["read"] += piece.reads ? piece.bytes : 0;
      sums["written"] += piece.writes ? piece.bytes : 0;
      if (piece.reads) sums["last read"] = piece.address;
    }
    if (event.rows != nullptr) {
      for (std::uint32_t o = 0; o < event.instruction->operand_count; ++o)
        if (event.instruction->operands[o].bits == 32 && row<std::uint32_t>(event, o) != nullptr &&
            event.instruction->operands[o].kind != WEDJAT_ADDRESS)
          each_lane(event.executed, [&](unsigned lane) {
            sums[event.instruction->operands[o].name] += row<std::uint32_t>(event, o)[lane];
          });
      if (event.addresses != nullptr) sums["address"] = event.addresses[0][0];
      if (event.old != nullptr) {
        const auto* old = static_cast<const std::uint32_t*>(event.old);
        each_lane(event.executed, [&](unsigned lane) { sums["old"] += old[lane]; });
      }
    }
    if (wanted_register != WEDJAT_NO_REGISTER) {
      const auto* row = register_row<std::uint32_t>(event, wanted_register);
      if (row == nullptr)
        ++sums["no register"];
      else if (watched->registers[wanted_register].bits == 1)
        sums["register"] += static_cast<std::uint64_t>(std::popcount(*row & event.active));
      else
        each_lane(event.active, [&](unsigned lane) { sums["register"] += row[lane]; });
    }
  }
  void finish() override {
    Table out = table("seen", "what number");
    for (const auto& [name, number] : sums) out.row(name, number);
    for (const auto& [name, number] : names) out.row(name, number);
  }
};
WEDJAT_TOOL(
    Probing, "probing", "shows what events hold",
    "at=edges, blocks, before, after; opcode=of which instructions; needs=a number; register=its name; "
    "if=partial, address, value; row=; low=; high=; every=")

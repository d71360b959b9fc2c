// LLVM code of a region.
#pragma once
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <array>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "emulator/compile/analysis/pace.h"
#include "emulator/compile/analysis/ways.h"
#include "emulator/compile/emit/rows.h"
#include "emulator/compile/emit/shapes.h"
#include "emulator/compile/emit/step_plan.h"
#include "emulator/compile/emit/widen.h"
#include "emulator/compile/image/image.h"
#include "emulator/compile/lanes/tool_functions.h"

namespace wedjat::compile {

/// Lanes that are to go on at a node.
struct Pending {
  llvm::AllocaInst *lanes = nullptr, *streak = nullptr;
};

/// A block on a detour (detour.cpp) that is being emitted.
struct Aside {
  std::map<std::uint32_t, Pending> pending;  // by node
  llvm::AllocaInst* extra = nullptr;         // what the path ran since it was last picked, up to this block
  llvm::Value *lanes = nullptr, *streak = nullptr, *used = nullptr;  // of the block; when it began
  RowSet kept;                                                       // that others may read
};

/// The processor that the code is for.
struct Target {
  Link::Kind keeping_call;  ///< image/keeping_call.h
  bool avx512;
  ToolFunctions* functions;
};

class RegionEmitter {
 public:
  RegionEmitter(const Request& request, const Region& region, const Liveness& liveness, LaneLibrary& lanes,
                const Target& target, llvm::Module& module);

  /// Whether code that sweeps can be made: all that the kernel does is inside, nothing needs rows in memory.
  bool can_sweep() const;
  /// A function of this name: exec::NativeCode or exec::SweepCode.
  void emit(const std::string& name);
  /// Of what was emitted: Image.
  const std::vector<Image::Certified>& offers() const { return offers_; }
  const std::optional<Image::Certified>& want() const { return want_; }

 private:
  using Block = llvm::BasicBlock;

  // entry.cpp
  RowShapes shapes_at_entry(LaneLibrary& lanes);
  void check_rival(Block* refuse);
  void find_wanted();
  void check_guesses(const std::vector<std::uint32_t>& doubtful, const std::vector<Value>& values,
                     Block* refuse);
  llvm::Value* certified(const std::vector<std::uint32_t>& doubtful);
  void load_entry(Block* refuse);
  Value loaded(std::uint32_t row, const Shape& shape);

  // region_emitter.cpp: the way through the blocks
  void find_written();
  void begin();
  void emit_node(std::uint32_t number);
  void branch(const Node& node, const kernel::Terminator& end);
  void switch_indexed(const Node& node, const kernel::Terminator& end);
  void leave_node(const Node& node, std::size_t successor);
  void ask(std::uint32_t number);
  std::vector<Value> values_at(std::uint32_t number);
  void hand_over(std::uint32_t number);
  void count_end(const Node& node);

  // members.cpp: paths that go one after the other
  void begin_members();
  void begin_member();
  void find_local();
  std::uint64_t come(Block* as);
  void add_place(std::uint64_t bit);
  void end_members();
  struct Others {  // of the passage: who may go, and with what
    llvm::Value *ring, *ring_end, *end, *room, *share;
  };
  Others others();
  struct Ending {  // of paths that have come as far as that
    exec::Left left;
    Block* over;  // where nobody goes on
  };
  void end_member(const Ending& end, const Others& others, Block* further);
  void begin_next_phase();
  void write_totals();
  std::optional<std::uint32_t> barrier_at(const Node& node, std::uint32_t step) const;
  bool ends_path(const kernel::Terminator& end) const;

  // passing_by.cpp: paths that have nothing to do
  struct Arrival {
    exec::Stand at;
    std::optional<std::uint32_t> offer;
    std::uint64_t place = 0;  // exec::Passage::came
  };
  struct PassingBy {
    std::size_t way = 0;  // of the entry's branch
    std::uint64_t steps = 0, instructions = 0;
    Arrival arrival;
  };
  std::optional<PassingBy> passing_by() const;
  void pass_by(const PassingBy& idle, const Ending& ending, Block* begin);

  // detour.cpp: blocks that some lanes take and others leave out
  struct Detour : Ways {
    std::uint64_t cost = 0;  // of the share, at most, for going through all blocks once
    RowSet written;
  };
  std::optional<Detour> detour_from(const Node& node) const;
  std::optional<Detour> detour_at(const Node& node) const;
  std::vector<Meeting> meetings() const;
  llvm::Value* is_brief(llvm::Value* streak, const Detour& detour);
  llvm::Value* has_share(const Detour& detour, std::uint64_t more);
  void take_detour(const Node& node, llvm::Value* taken, const Detour& detour);
  void pass(const Detour& detour, std::size_t place);
  void go_on_from(const Node& node);
  void pend(std::uint32_t node, llvm::Value* lanes, llvm::Value* streak);
  llvm::Value* used();
  llvm::Value* streak_now();
  void leave_apart(const exec::Stand& at, std::uint64_t ran);

  // rounds.cpp: those with loops
  struct Round {
    Block* begin;
    std::map<std::uint32_t, llvm::AllocaInst*> slots;  // of rows that blocks write and others read
  };
  void go_round(const Detour& detour);
  void load_slots(const Round& round);
  void pass_in_round(const Detour& detour, std::uint32_t number, const Round& round);

  // sweep.cpp
  void begin_sweep();
  Value first_value(std::uint32_t row, llvm::Value* of_cta, llvm::Value* of_warp);
  void end_warp();
  void leave_seldom(const Node& node, std::uint32_t step);
  bool may_begin_anew(const Node& node, std::uint32_t step) const {
    return std::pair(node.block, step) <= sweep_.first_effect;
  }
  std::pair<std::uint32_t, std::uint32_t> first_effect() const;
  void begin_anew();
  void stop_in_warp();
  llvm::Value* run_field(std::size_t run, std::size_t offset);
  void note_run(const kernel::Step& step, exec::Use use, llvm::Value* first, std::uint64_t bytes);

  // learning.cpp: what steps of a sweep know of memory, and learn
  void keep_nears();
  bool may_learn(const kernel::Step& step) const {
    return sweep_.nears.contains(step.id) || sweep_.known.contains(step.id);
  }
  void learn(const kernel::Step& step, const StepPlan& plan, const Value& address, llvm::Value* mask,
             Block* again);

  // exits.cpp
  void leave_at_step(const Node& node, std::uint32_t step);
  void leave_at_block(std::uint32_t block);
  std::optional<std::uint32_t> certify(std::uint32_t block, std::uint32_t step, const RowSet& live,
                                       const kernel::Step* done);
  llvm::Value* stand(const exec::Stand& at, std::optional<std::uint32_t> offer);
  void write_stand(const exec::Stand& at, std::optional<std::uint32_t> offer = {});
  void leave(const exec::Stand& at, std::optional<std::uint32_t> offer, std::uint64_t ran, llvm::Value* left);
  llvm::Value* how(exec::Left left) { return builder_.getInt8(static_cast<std::uint8_t>(left)); }

  // step.cpp
  void emit_step(const Node& node, std::uint32_t step);
  void compute(const Node& node, std::uint32_t step, const StepPlan& plan);
  void call_executor(const Node& node, std::uint32_t step, const StepPlan& plan);
  bool exchange(const kernel::Step& step, const StepPlan& plan);  // exchange.cpp
  // arithmetic/seldom_nans.cpp
  bool chooses_aside(const StepPlan& plan, const RowElements& inputs) const;
  Value choose_aside(const StepPlan& plan, RowElements& inputs, Value result);
  llvm::Function* chooser_of(std::size_t operands);
  // arithmetic/shared_steps.cpp
  void count_places();
  bool is_shared(const StepPlan& plan, const RowElements& inputs) const;
  llvm::Function* shared_function_of(const StepPlan& plan);
  Value call_shared(const StepPlan& plan, RowElements& inputs);
  llvm::CallInst* pure_call(llvm::Function* function, llvm::ArrayRef<llvm::Value*> arguments);
  void write_result(const kernel::Step& step, const RowUse& row, const Value& value);
  llvm::Value* active(const kernel::Step& step) {
    return active(step.guard, (step.flags & kernel::step_flag::guard_negated) != 0);
  }
  llvm::Value* active(std::uint16_t guard, bool negated);
  /// All lanes that the path has do it, and which ones those are is known here.
  bool certain(const kernel::Step& step) const { return rows_->full() && step.guard == 0 && !detour_; }
  /// All 32 lanes do it.
  bool whole(const kernel::Step& step) const { return certain(step) && request_.lanes == exec::all_lanes; }
  Value of_path(const Value& value);
  Value from_memory(std::uint32_t row, llvm::Value* lane);
  llvm::Value* executor_of(const kernel::Step& step, llvm::Value* mask);
  void require(const Node& node, std::uint32_t step, llvm::Value* holds);

  // probes/probe.cpp: steps that only watch
  void find_watched(llvm::Value* watched);
  void watch(const kernel::Step& step);
  void tally(const kernel::Step& step, const exec::Probe& probe);
  void call_functions(const kernel::Step& step, const exec::Probe& probe, llvm::Value* active);
  void add_tally(const exec::Tally& tally, llvm::Value* number);
  void add_to_cell(llvm::Value* cell, llvm::Value* more);
  llvm::Value* count_of(exec::Tally::What what, llvm::Value* active);
  struct Span {  // addresses of lanes without a gap: of the first of their bytes, in the order of memory
    llvm::Value *first, *last;
  };
  std::vector<Span> spans_of(const exec::TalliedAccess& access, unsigned shift);
  llvm::Value* units_in(const std::vector<Span>& spans, std::uint32_t bytes, unsigned shift);
  llvm::Value* is_wanted(const exec::Probe& probe, llvm::Value* active);
  llvm::Value* is_within(const exec::Probe& probe, llvm::Value* active);
  llvm::Value* may_hold(const exec::ProbeCondition& condition, llvm::Value* active);
  struct Call {                     // of a probe's executor
    llvm::Value* wanted = nullptr;  // null: in any case
    bool aside = false;             // other ways lead around it
  };
  void call_probe(const kernel::Step& step, const exec::Probe& probe, const Call& call);

  // probes/expected.cpp: accesses that go on as those before them
  void find_expected(llvm::Value* expected);
  void read_expected();
  void write_expected();

  void took(const exec::Probe& probe, llvm::Value* begins);

  // probes/even_rounds.cpp: rounds of a loop whose accesses all go on as in the rounds before
  struct EvenRounds {
    std::uint32_t node;                  // goes back to itself
    std::size_t blocks;                  // of the function, before code of the node was made
    std::uint64_t first = 0, count = 0;  // sites, in the order of their accesses
    std::uint64_t passed = 0;            // accesses that code has been made of
    bool is_sure = true;                 // whoever is not told is left out, and nobody else is called
    std::vector<Value> at_start = {};    // by row
    std::map<const llvm::Value*, bool> same = {};  // what is_same_each_round() answered
    std::vector<Value> addresses = {};
  };
  void begin_rounds(std::uint32_t number, std::vector<Value> at_start);
  void pass_if_steady(const exec::Probe& probe, const Value& address, bool is_told, Block* past);
  llvm::Value* a_round_later(const llvm::Value* value);
  bool is_of_round(const llvm::Instruction& instruction) const;
  bool is_same_each_round(llvm::Value* value, unsigned depth = 0);
  llvm::Value* part_that_changes(llvm::Value* value);
  bool goes_on_evenly(llvm::Value* value);
  void begin_next_round();
  void end_rounds();
  bool expect(const kernel::Step& step, const exec::Probe& probe);

  // probes/own_memory.cpp
  void tell_own_memory(bool inlined);
  llvm::Value* counts_at(llvm::Value* pointer);

  // probes/inlined.cpp: functions of tools
  void call_inlined(const exec::InlinedFunction& wanted, std::uint32_t link, llvm::Value* active);
  void show_value(const exec::ProbeRow& from, llvm::Value* values, std::size_t offset);
  void inline_functions();
  void keep_registers(llvm::CallInst& call);
  void show_copy(llvm::CallInst& call, const llvm::Value* values);

  // access/memory.cpp
  struct Near {  // memory that lanes reach without a search: exec::near_memory()
    llvm::Value *low, *size, *base;
    llvm::Value* noted;  // null: never
  };
  struct NearSlots {
    llvm::AllocaInst *low, *size, *base, *noted;
  };
  Near found_by(const kernel::Step& step);
  llvm::Value* recent_of(const kernel::Step& step, llvm::Type* type, std::size_t offset);
  Near near_of(const kernel::Step& step, const StepPlan& plan);
  struct Strides {
    llvm::Value* host = nullptr;                  // of lane 0
    std::array<std::int64_t, warp_lanes> away{};  // what lanes are from there
  };
  struct Run {  // lanes that access memory one after the other, or all at one
                // place
    llvm::Value* host;
    unsigned first, count;  // lanes
    bool spread;
  };
  void access(const Node& node, std::uint32_t step, const StepPlan& plan);
  struct Otherwise {
    llvm::Value* holds;
    std::function<std::vector<Value>()> read;
  };
  void access_at(const Node& node, std::uint32_t step, const StepPlan& plan, const Near* known,
                 Value& address, llvm::Value* also, const Otherwise* otherwise);
  struct Results {
    llvm::Value* mask;  // lanes that do it
    bool one_place;     // they bring one number
    Block *after, *without = nullptr;
    std::vector<std::pair<Block*, std::vector<Value>>> ways = {};
  };
  Results begin_results(const kernel::Step& step, bool one_place);
  void bring(Results& results, std::vector<Value> values);
  void bring_slowly(const Node& node, std::uint32_t step, const StepPlan& plan, Results& results);
  void end_results(const kernel::Step& step, const StepPlan& plan, const Results& results);
  struct Reached {
    llvm::Value* good = nullptr;  // what must hold
    std::vector<Run> runs;
    llvm::Value* hosts = nullptr;     // of each lane, if not in runs
    llvm::Value* harmless = nullptr;  // what lanes may read that do nothing; null: theirs
    std::optional<Strides> spread;    // those, if they are known numbers of bytes apart
  };
  // access/some_lanes.cpp
  bool may_leave_out(const kernel::Step& step, const StepPlan& plan, const Reached& reached) const;
  llvm::Value* reaches_some(const StepPlan& plan, const Near& near, const Value& address, llvm::Value* mask);
  std::vector<Value> read_some(const StepPlan& plan, const Reached& reached, llvm::Value* mask);
  Reached reach(const kernel::Step& step, const StepPlan& plan, const Near& near, Value& address, bool apart);
  std::vector<Value> access_slowly(const kernel::Step& step, const StepPlan& plan, llvm::Value* mask,
                                   bool one_place);
  std::vector<Value> read(const kernel::Step& step, const StepPlan& plan, const Reached& reached,
                          llvm::Value* mask, bool one_place);
  void write(const kernel::Step& step, const StepPlan& plan, const Reached& reached, llvm::Value* mask);
  // access/ahead.cpp
  bool reads_once() const;
  void ask_ahead(llvm::Value* host, std::uint64_t bytes);
  bool stores_apart(const StepPlan& plan, const Value& address);
  void note(const kernel::Step& step, const StepPlan& plan, const Near& near, Value& address,
            const std::vector<Run>& runs);

  // access/strides.cpp: lanes whose places in memory are known numbers of bytes apart
  std::optional<Strides> strides_of(const kernel::Step& step, const StepPlan& plan, const Value& address);
  void reach_strides(const kernel::Step& step, const StepPlan& plan, const Near& near, const Value& address,
                     Reached& reached);
  llvm::Value* read_strides(llvm::Type* type, const Strides& places, std::uint64_t behind);
  void write_strides(llvm::Value* all, const Strides& places, std::uint64_t behind);

  // access/gather.cpp: lanes that read here and there
  std::vector<llvm::Value*> gather(const StepPlan& plan, const Reached& reached, llvm::Value* mask);
  std::vector<llvm::Value*> read_each(llvm::Type* type, llvm::Value* hosts, llvm::Align align);
  std::vector<llvm::Value*> columns_of(std::vector<llvm::Value*> lanes);

  // access/textures.cpp: what both ask for
  struct Known {  // of the texture whose handle the step had last: words of what
                  // was found
    llvm::AllocaInst* handle;
    std::vector<llvm::AllocaInst*> words;
  };
  struct Handle {  // of all lanes that do the step
    llvm::Value* number;
    llvm::Value* one;  // whether they have the same; null: surely
  };
  StepPlan words_of(std::uint32_t step, const StepPlan& plan);
  Handle handle_of(const kernel::Step& step, const StepPlan& plan);
  Known& known_of(const kernel::Step& step, std::size_t words);
  const Known& find_texture(const kernel::Step& step, llvm::Value* handle, Link::Kind find,
                            std::uint32_t wanted, std::size_t words);
  void tell_found(const Node& node, std::uint32_t step, const StepPlan& plan);

  // access/fetch.cpp: texels of lines
  void fetch(const Node& node, std::uint32_t step, const StepPlan& plan);
  Value read_bytes(const Known& line, const Value& place);
  // access/sample.cpp: texels of planes
  void sample(const Node& node, std::uint32_t step, const StepPlan& plan);
  llvm::Value* texel_at(const Value& coordinate, llvm::Value* last);

  // access/update.cpp
  llvm::Value* is_alone(const kernel::Step& step, const StepPlan& plan, const Near& near);
  std::map<unsigned, Value> updated(const StepPlan& plan, llvm::Value* before,
                                    const std::function<llvm::Value*(const RowUse&)>& number);
  std::vector<Value> change_one(const StepPlan& plan, llvm::Value* host);
  std::vector<Value> change(const StepPlan& plan, llvm::Value* host, llvm::Value* hosts, llvm::Value* mask);

  // places.cpp: where things lie, and how code gets there
  llvm::Value* at(llvm::Value* base, std::size_t offset);
  llvm::Value* load_at(llvm::Type* type, llvm::Value* base, std::size_t offset);
  llvm::Value* field(std::size_t offset);
  llvm::Value* load_field(llvm::Type* type, std::size_t offset);
  llvm::Value* member_field(std::size_t offset);
  llvm::AllocaInst* slot_at_start(llvm::Type* type);
  llvm::Value* number_in(llvm::AllocaInst* slot) {
    return builder_.CreateLoad(slot->getAllocatedType(), slot);
  }
  void add_to(llvm::AllocaInst* slot, llvm::Value* more);
  llvm::Value* linked(Link::Kind kind, std::uint32_t number = 0);
  llvm::Value* number_linked(Link::Kind kind, std::uint32_t number);
  llvm::Value* address_of(const kernel::Step& step) { return linked(Link::Kind::step, number_of(step)); }
  llvm::Value* call_seldom(llvm::Value* function, llvm::ArrayRef<llvm::Value*> arguments);
  void branch_mostly(llvm::Value* condition, Block* mostly, Block* seldom);
  llvm::Value* all_lanes() { return builder_.getInt32(exec::all_lanes); }
  std::uint32_t number_of(const Node& node) const {
    return static_cast<std::uint32_t>(&node - region_.nodes.data());
  }
  std::uint32_t number_of(const kernel::Step& step) const {
    return static_cast<std::uint32_t>(&step - code_.steps.data());
  }
  /// Of the node's block: step `offset`, and its number in the function.
  std::uint32_t number_of(const Node& node, std::uint32_t offset) const {
    return code_.blocks[node.block].first + offset;
  }
  const kernel::Step& step_of(const Node& node, std::uint32_t offset) const {
    return code_.steps[number_of(node, offset)];
  }
  Block* block(const char* name);
  std::uint32_t row(std::uint32_t offset) const { return liveness_.number(offset); }
  std::uint32_t row(const RowUse& use) const { return liveness_.number(use.offset); }

  const Request& request_;
  const Region& region_;
  const Liveness& liveness_;
  const kernel::Function& code_;
  const Target target_;
  llvm::Module& module_;
  llvm::IRBuilder<> builder_;
  Values values_;
  RowBytes bytes_;
  std::vector<StepPlan> plans_;
  const Pace pace_;
  std::vector<RowShapes> before_;  // by node
  std::vector<RowSet> dirty_;      // by node: rows that may differ from memory when it begins
  RowSet written_;                 // in the region
  RowSet wanted_;                  // that the region may read or give back as they are
  RowSet guessed_;                 // whose shape at the entry is to be checked there
  std::vector<Image::Certified> offers_;
  std::optional<Image::Certified> want_;
  RowShapes entry_;  // at the entry, as a path comes from outside
  std::optional<Rows> rows_;
  std::vector<RowSet> live_;  // of the node that is being emitted: before each step of its block
  RowSet dirty_here_;         // of the place that is being emitted

  llvm::Function* function_ = nullptr;
  llvm::Value* passage_ = nullptr;
  llvm::Value* warp_ = nullptr;
  llvm::Value* recent_ = nullptr;
  std::map<std::uint32_t, Known> textures_;  // by Step::id
  std::map<const llvm::Function*, std::size_t> places_of_lane_;
  std::map<const llvm::Function*, llvm::Function*> shared_;  // by lane function
  llvm::AllocaInst* found_texture_ = nullptr;                // exec::TexelLine, exec::TexelPlane
  std::vector<llvm::CallInst*> inlined_;                     // calls of functions of tools
  std::set<const llvm::Value*> own_;       // where memory begins that only who watches reads and writes
  std::set<const llvm::Value*> watchers_;  // calls of who watches
  llvm::MDNode* own_scope_ = nullptr;
  struct {  // exec::Watched, of the warp; null: nothing watches
    llvm::Value *at, *cells, *off, *within, *number;
    struct Expecting {
      llvm::Value *state, *sites;
      llvm::AllocaInst *previous, *warp, *left_out, *begins;  // of the state, while nobody else looks at it
    };
    std::map<std::uint32_t, Expecting> expected;  // by tool
    // Rounds that were as expected, one after the other; nothing is asked in this one; how many such there
    // were.
    llvm::AllocaInst *calm, *steady, *rounds;
  } watched_{};
  std::optional<EvenRounds> even_;  // of the node that code is made of
  // Of the passage, what does not change while the code runs.
  llvm::Value *budget_ = nullptr, *floor_ = nullptr;
  llvm::Value *shared_host_ = nullptr, *shared_bytes_ = nullptr, *shared_address_ = nullptr;
  struct {
    llvm::Value *host, *bytes, *lanes;  // of the warp; of a lane; what each lane's is away from the first's
  } local_{};
  std::vector<Block*> starts_;  // by node
  struct Slot {                 // of a row that is written: what the next node finds
    llvm::AllocaInst *base = nullptr, *sy = nullptr, *vector = nullptr;
  };
  std::vector<Slot> slots_;
  std::vector<Value> constants_;                       // of rows that nothing writes
  llvm::AllocaInst *ran_ = nullptr, *cost_ = nullptr;  // of the path
  struct {                                             // of all paths that were here before
    llvm::AllocaInst *steps = nullptr, *used = nullptr, *instructions = nullptr, *missing = nullptr;
  } total_;
  std::optional<Aside> detour_;
  Value guard_;  // of the step that is being emitted: it may write the row itself
  struct {
    llvm::AllocaInst *next = nullptr, *budget = nullptr;       // of the path that begins
    llvm::AllocaInst *last = nullptr, *last_budget = nullptr;  // of the one that came last
    llvm::AllocaInst* streak = nullptr;                        // Path::streak
    llvm::AllocaInst* places = nullptr;                        // exec::Passage::came
    unsigned place_count = 0;                                  // of those
    llvm::Value* now = nullptr;
    Block *begin = nullptr, *came = nullptr, *ended = nullptr;  // to a barrier; to the kernel's end
    std::map<std::uint32_t, Arrival> arrivals;                  // by node, at whose end they are
    Block* aside = nullptr;  // while it is seen who passes by: where those go of which it is not known
  } member_;
  struct {                                                                          // what only a sweep has
    llvm::AllocaInst *next = nullptr, *of_cta = nullptr, *earlier_steps = nullptr;  // as in exec::Sweep
    Block* warp = nullptr;                                                          // a warp begins
    Block* anew = nullptr;                                         // the loop is to do it from there
    llvm::AllocaInst *instructions = nullptr, *missing = nullptr;  // exec::Passage's, there
    std::pair<std::uint32_t, std::uint32_t> first_effect;
    std::map<std::uint32_t, NearSlots> nears;   // by step; of those that are tried again
    std::map<std::uint32_t, Near> known;        // of the others
    Block *learnt = nullptr, *again = nullptr;  // those are looked at; a warp begins again
    Block* begin_runs = nullptr;                // where somebody wants to know what is touched
    std::vector<std::pair<const kernel::Step*, exec::Use>> runs;
  } sweep_;
};

}  // namespace wedjat::compile

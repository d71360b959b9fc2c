// One form's body while it becomes straight-line code.
#pragma once
#include <optional>

#include "semcc/check/body/evaluator.h"

namespace semcc::check {

using Filters =
    std::vector<ir::Op>;  // of one operand, in the order written; `extend` is a flag of the operand

// Where values go: an element of an `out` operand, a state, a `var`.
struct Slot {
  enum class What { Operand, State, Variable } what;
  int index = -1, part = -1;
  std::string name;  // State
  auto operator<=>(const Slot&) const = default;
};

struct Written {
  ir::ExprPtr value;
  bool always = true;  // on every path so far
};

class Body {
 public:
  Body(ir::Form& form, std::vector<Filters> filters, front::Diagnostics& diagnostics)
      : form_(form), filters_(std::move(filters)), diagnostics_(diagnostics) {}

  // Runs the block, then stores what it wrote. Reports mistakes; the form is then incomplete.
  void run(const front::BodyDecl& body, Evaluator& names);

  // For the evaluator
  ir::ExprPtr read(const Value& operand, ir::ExprPtr lane, Location at);  // whole
  ir::ExprPtr read_part(const Value& operand, const mpz_class& part, ir::ExprPtr lane, Location at);
  ir::ExprPtr pred_mask(const Value& operand, Location at);
  ir::ExprPtr state(const std::string& name, Location at);
  ir::ExprPtr variable(int index) const;
  ir::ExprPtr keep(ir::ExprPtr value, const std::string& name);  // in a local, unless it is as simple as one
  ir::ExprPtr memory_read(const ir::Type& type, const ir::MemoryLabels& labels, ir::ExprPtr address,
                          Location at);
  ir::ExprPtr memory_update(const ir::Type& type, const ir::MemoryLabels& labels, ir::ExprPtr address,
                            const std::function<ir::ExprPtr(ir::ExprPtr)>& change, Location at);
  void memory_write(const ir::Type& type, const ir::MemoryLabels& labels, ir::ExprPtr address,
                    ir::ExprPtr value, Location at);
  // Name, type and args as ir::Stmt says; `changed` maps the two elements of a reduction to the new one.
  void transfer(ir::Stmt transfer, const std::function<ir::ExprPtr(ir::ExprPtr, ir::ExprPtr)>& changed,
                Location at);
  ir::ExprPtr transferred(
      ir::Stmt transfer, const std::string& name, const ir::Type& type, Location at,
      const std::function<ir::ExprPtr(ir::ExprPtr, ir::ExprPtr)>& changed = nullptr);  // its result
  void prefetch(const ir::MemoryLabels& labels, ir::ExprPtr address, Location at);
  void barrier(const std::string& name, std::vector<ir::ExprPtr> args, Location at);
  ir::ExprPtr barrier_result(const std::string& name, std::vector<ir::ExprPtr> args, Location at);
  // Matrices: each adds a statement; those that make one give its number.
  int gather(int operand, const ir::Matrix& shape, ir::ExprPtr row, ir::ExprPtr column, Location at);
  void scatter(int operand, int matrix, ir::ExprPtr row, ir::ExprPtr column, Location at);
  int each(const ir::Matrix& shape, ir::ExprPtr value, Location at);
  int read_tile(const ir::Matrix& shape, const ir::MemoryLabels& labels, ir::ExprPtr address, Location at);
  void write_tile(int matrix, const ir::MemoryLabels& labels, ir::ExprPtr address, Location at);
  int multiply(const ir::Matrix& shape, std::vector<int> sources, const ir::Multiply& how, Location at);
  std::optional<Value> run_function(const front::Block& block, Evaluator& names);

  // While one exists, what is evaluated happens only if `condition` holds.
  class Under {
   public:
    Under(Body* body, const ir::ExprPtr& condition) : body_(body) {
      if (body_) body_->guards_.push_back(condition);
    }
    ~Under() {
      if (body_) body_->guards_.pop_back();
    }
    Under(const Under&) = delete;
    Under& operator=(const Under&) = delete;

   private:
    Body* body_;
  };

  ir::Form& form() { return form_; }
  bool in_lanes = false;  // inside forall, or a body of thread or cta level
  ir::ExprPtr lane;       // forall's lane number
  int no_locals = 0;      // > 0: inside ballot, reduce or a memory update, where nothing can be kept

 private:
  // Returns a value if the block returned one (functions only).
  std::optional<Value> block(const front::Block& statements, std::size_t from, Evaluator& names);
  void statement(const front::Stmt& s, Evaluator& names);
  void let(const front::Stmt& s, Evaluator& names);
  void variable(const front::Stmt& s, Evaluator& names);
  void assign(const front::Stmt& s, Evaluator& names);
  void require(const front::Stmt& s, Evaluator& names);
  void fence(const front::Stmt& s, Evaluator& names);
  void loop(const front::Stmt& s, Evaluator& names);
  void forall(const front::Stmt& s, Evaluator& names);
  void branch(const front::Stmt& s, const ir::ExprPtr& condition, Evaluator& names);
  void perform(const front::Stmt& s, Evaluator& names);
  Value choose(const front::Block& statements, std::size_t at, const ir::ExprPtr& condition,
               Evaluator& names);
  void merge(const ir::ExprPtr& condition, const std::map<Slot, Written>& yes,
             const std::map<Slot, Written>& no, Location at);

  Slot slot(const front::Expr& target, Evaluator& names, ir::Type& type);
  void write(const Slot& slot, const ir::Type& type, ir::ExprPtr value, Location at);
  void finish();
  ir::ExprPtr filtered(int operand, ir::ExprPtr value, Location at) const;
  ir::ExprPtr read_element(int operand, int part, const ir::Type& type, ir::ExprPtr lane_of, Location at);
  int add_local(const std::string& name, const ir::Type& type, const ir::Interval& range, bool scalar);
  ir::ExprPtr local(int index, Location at) const;
  void want_effects(const char* what, Location at) const;
  void want_memory(const char* what, Location at) const;  // may depend on a condition of the run time
  ir::ExprPtr guard(Location at) const;
  ir::Stmt& matrix_statement(ir::Stmt::What what, Location at);
  int make_matrix(ir::Stmt& statement, const ir::Matrix& shape);
  ir::Stmt& emit(ir::Stmt::What what, Location at);

  ir::Form& form_;
  std::vector<Filters> filters_;
  front::Diagnostics& diagnostics_;
  std::map<Slot, Written> written_;
  std::vector<std::pair<std::string, ir::Type>> variables_;
  std::vector<ir::ExprPtr> guards_;                   // conditions of the run-time ifs around
  std::map<std::pair<int, int>, ir::ExprPtr> reads_;  // operands read through filters, by operand and part
  std::set<int> scattered_;                           // operands written as fragments
  int functions_ = 0;  // depth of calls: mistakes in functions are the caller's statement's
  bool failed_ = false;
};

// Stands for what a barrier computes until an output takes it.
inline constexpr const char* barrier_result_name = "barrier.result";

// Whether a value differs between lanes of a warp.
bool varies(const ir::Form& form, const ir::Expr& e);

}  // namespace semcc::check

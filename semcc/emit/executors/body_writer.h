// Writes one executor's statements, piece after piece. Private to executors_body*.cpp.
#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "semcc/emit/executors/body.h"
#include "semcc/emit/executors/expr.h"
#include "semcc/emit/executors/plan.h"

namespace semcc::emit {

std::string space_name(ir::Space space, ir::Location at);  // "Space::Shared"

class BodyWriter {
 public:
  // `parts`: a row has so many elements for each thread, and all are lanes of `form`. `lanes`: of the rows.
  BodyWriter(const ir::Form& form, unsigned parts, unsigned lanes = 32)
      : form_(form),
        parts_(parts),
        lanes_(lanes),
        writer_(form),
        pieces_(plan(form)),
        apart_(crosses_lanes(form)) {}

  Body write();

 private:
  // The results of a piece that are predicates, and what they are in terms of others and of what is compared.
  class Words {
   public:
    Words(const ir::Form& form, const Piece& piece);
    std::vector<const ir::Stmt*> assigned;
    bool are_worth_it() const;
    ir::ExprPtr meant(const ir::ExprPtr& expr) const;
    bool combines(const ir::Expr& expr) const;  // with a predicate operand
    std::vector<const ir::Stmt*> lets_of(const ir::ExprPtr& expr) const;

   private:
    // What is compared, as structure() writes it.
    void find_truths(const ir::ExprPtr& expr, std::set<std::string>& truths) const;

    const std::vector<const ir::Stmt*>& statements_;
    std::map<int, const ir::Stmt*> lets_;
    bool only_predicates_ = true;
  };
  bool write_words();
  std::string word_of(const Words& words, const ir::ExprPtr& expr);
  std::string truth_function(const Words& words, const ir::ExprPtr& truth);

  void find_kept_locals();
  void write_piece(const Piece& piece, const Piece* next);
  void write_lanes(const Piece& piece, const Piece* next);
  // Between them `line` writes what is done for each lane.
  void begin_loop(const std::vector<const ir::Stmt*>& statements);
  void end_loop();
  void write_loop(const std::vector<std::string>& lines, const std::string& pragma);
  std::string pragma_of(const std::vector<std::string>& lines) const;
  void write_once(const Piece& piece);
  void write_read(const Piece& piece);
  void write_write(const Piece& piece);
  void write_update(const Piece& piece);
  void write_transfer(const Piece& piece);
  void write_texture(const ir::Stmt& statement);
  void write_multicast(const ir::Stmt& statement);
  void write_barrier(const Piece& piece);
  void write_fence(const ir::Stmt& stmt);
  void write_matrix(const ir::Stmt& statement);

  void let(const ir::Stmt& statement);
  void require(const ir::Stmt& statement);
  void assign(const std::vector<const ir::Stmt*>& parts);
  void arguments_of(const Piece& next);
  Code element(const ir::Stmt& statement, const std::string& text) const;
  // A function object with these parameters that makes a new element.
  std::string change(const ir::Stmt& statement, const std::string& parameters);
  std::string share_piece(const std::string& text);  // its name
  std::string result_rows(const ir::Stmt& statement);
  std::string array(const std::string& type, const std::string& name);
  std::string truth(const std::string& name, const std::string& value);
  // The bit of the mask that lane `lane` belongs to.
  std::string thread() const { return parts_ == 1 ? "lane" : "lane / " + std::to_string(parts_); }
  bool is_row(const ir::ExprPtr& expr, const std::string& type) const;
  void line(const std::string& text) { out_.push_back(std::string(indent_, ' ') + text); }
  void flush_lines();
  std::string local_name(int index) const {
    return identifier(form_.locals.at(static_cast<std::size_t>(index)).name) + "_" + std::to_string(index);
  }
  std::string prelude() const;
  Declared declared();  // rows and special registers too

  const ir::Form& form_;
  const unsigned parts_, lanes_;
  ExprWriter writer_;
  std::vector<Piece> pieces_;
  bool apart_;
  std::map<int, std::pair<int, int>> direct_;  // see direct_rows
  Declared declared_;                          // arrays and values outside of loops
  std::vector<std::string> shared_;            // text of pieces that other executors may share
  std::set<int> kept_;                         // per-lane locals read by a later piece: arrays
  std::map<std::string, std::string> told_;    // functions of truths: names of their results
  std::vector<std::string> out_, outer_;       // outer_: before the loop that is being written
  int indent_ = 0;
  int arrays_ = 0;
  bool truths_ = false;  // the loop being written gives truth values
  // Of the piece being written: lines before and after its loop, and the names of the next call's arguments.
  std::vector<std::string> before_, after_, stores_;
  std::vector<std::string> call_arguments_;
  std::string call_mask_;  // the lanes that the next call serves
};

}  // namespace semcc::emit

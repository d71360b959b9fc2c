// The syntax tree of a semantics file: what was written, nothing resolved.
#pragma once
#include <gmpxx.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "semcc/front/source.h"

namespace semcc::front {

struct Expr;
using ExprPtr = std::shared_ptr<const Expr>;

struct Expr {
  enum class What {
    Number,       // `number`
    Float,        // `text`: 0f… or 0d…, `number`: its bits
    Version,      // `text`: 7.8
    Name,         // `text`
    Member,       // args[0] . text
    Call,         // args[0] ( args[1…] )
    Index,        // args[0] [ args[1] ]
    Slice,        // args[0] [ args[1] : args[2] ]
    Unary,        // text args[0]
    Binary,       // args[0] text args[1]
    Conditional,  // args[0] ? args[1] : args[2]
    Element,      // args[0] [ args[1], args[2] ]
    Lambda,       // text => args[0]
    PairLambda,   // (args[0], args[1]) => args[2]
    Each,         // args[0] : args[1], only as an argument: `i in active : condition`
    Set,          // { args… }
  } what;
  Location at;
  std::string text;
  mpz_class number;
  std::vector<ExprPtr> args;
};

struct Availability {
  int major = 0, minor = 0;          // 0.0: always
  std::vector<std::string> targets;  // any of these; empty: every one
};

struct Member {
  std::string word;
  Availability since;
  Location at;
};

struct SetDecl {
  enum class Kind { Modifier, Types, Hint } kind;
  std::string name, absent;  // absent: what the text says of leaving it out
  std::vector<Member> members;
  Location at;
};

struct Alias {
  std::string name;
  ExprPtr type;
  Location at;
};

struct StateDecl {
  std::string name;
  ExprPtr type;
  Location at;
};

struct TableDecl {
  std::string name;
  ExprPtr type;
  std::vector<mpz_class> values;
  Location at;
};

struct ListDecl {
  struct Entry {
    std::string text;  // "mul.ftz.f32"
    Location at;
  };
  std::string name;
  std::vector<Entry> entries;
  Location at;
};

// rows NAME(column, …) = { form, …; … }: a table of forms whose columns have names.
struct RowsDecl {
  std::string name;
  std::vector<std::string> columns;
  std::vector<std::vector<ListDecl::Entry>> rows;
  Location at;
};

struct Word {
  std::string text;
  Location at;
};

// leading OPCODE = { word, … };
struct LeadingDecl {
  std::string opcode;
  std::vector<Word> words;
  Location at;
};

// layout name(lane, element, parts) = (row, column)
struct LayoutDecl {
  std::string name;
  std::vector<std::string> params;
  ExprPtr row, column;
  Location at;
};

struct Stmt;
using Block = std::vector<Stmt>;

struct Stmt {
  enum class What { Let, Var, If, For, Forall, Require, Fence, Return, Assign, Perform } what;
  Location at;
  std::string name;  // Let, Var, For, Forall: what is bound; Require: undefined or misaligned; Fence: sem
  std::string text;  // Require: why; Fence: scope
  ExprPtr type;      // Var
  ExprPtr target;    // Assign
  ExprPtr value;     // Let, Var, If, Require: condition; Forall: the set; For: first; Return; Assign; Perform
  ExprPtr last;      // For
  Block body, otherwise;  // If, For, Forall
};

struct Param {
  std::string name;
  ExprPtr type;  // null: anything
  Location at;
};

struct Function {
  std::string name;
  std::vector<std::string> type_params;  // the dot suffixes
  std::vector<Param> params;
  ExprPtr result;
  Block body;  // `= expr` is a body of one return
  Location at;
};

struct Suffix {
  std::string word;
  bool optional = false;
  Location at;
};

struct OperandRef {
  enum class How {
    Plain,
    Paired,
    Negatable,
    Address,
    Joined,
    List,
    Minus,
    Selectable,
    Selected
  } how = How::Plain;
  std::string name;
  bool optional = false;  // {, b}
  Location at;
};

struct Binding {  // with NAME = …
  std::string name;
  std::vector<Member> members;
  bool braces = false;  // { … }: members, never the name of a set
  Location at;
};

struct FormDecl {
  std::string name, opcode;
  std::vector<Suffix> suffixes;
  std::vector<OperandRef> operands;
  std::vector<Binding> bindings;
  Availability since;
  std::string text;  // as written, for the manual
  Location at;
};

struct Filter {
  std::string name;
  ExprPtr when;  // null: always
  Location at;
};

struct OperandDecl {
  std::string name;
  bool in = false, out = false, sink = false;
  ExprPtr type;
  std::vector<Filter> filters;
  Location at;
};

struct LegalDecl {
  ExprPtr rule, when;  // when: may be null
  std::string why, text;
  Location at;
};

struct BodyDecl {
  enum class Level { Thread, Warp, Cta } level;
  std::vector<std::string> forms;  // empty: the forms without a name
  std::string sync;                // operand that names the lanes to wait for
  std::string until;               // predicate that tells whether the wait is over
  bool aligned = false;
  Block block;
  std::string text;
  Location at;
};

// Forms that are typed, not run.
struct RefusedDecl {
  std::vector<std::string> forms;  // as of a body
  std::string why;
  Location at;
};

// What a family says of its forms because no body shows it.
struct TraitDecl {
  std::vector<Word> words;
  ExprPtr when;  // null: always
  Location at;
};

struct ExampleDecl {
  std::string instruction;
  std::vector<std::string> expected;
  Location at;
};

struct ProveDecl {
  std::string name;
  std::vector<Param> params;
  ExprPtr claim;
  std::string text;
  Location at;
};

struct Instruction {
  std::string name;
  std::optional<std::string> manual, summary;
  std::string control;  // "nothing", or what the kernel room does
  ir::Location control_at;
  std::vector<SetDecl> sets;
  std::vector<Alias> aliases;
  std::vector<FormDecl> forms;
  std::vector<OperandDecl> operands;
  std::vector<LegalDecl> legal;
  std::vector<BodyDecl> bodies;
  std::vector<RefusedDecl> refused;
  std::vector<TraitDecl> traits;
  std::vector<std::string> notes, unspecified;
  std::vector<ExampleDecl> examples;
  std::vector<ProveDecl> proofs;
  std::string text;
  Location at;
};

// source cta_index : vector(u32, 3) per cta "…";
struct SourceDecl {
  std::string name, per, summary;
  ExprPtr type;
  Location at, per_at;
};

// special %pm<8>_64 : u64 since 4.0 manual "10.26" = 0 "…";
struct SpecialDecl {
  std::string before, behind;      // "%pm", "_64"
  std::optional<mpz_class> count;  // 8; nothing: one register of that name
  ExprPtr type, value;
  Availability since;
  std::string manual, summary, text;  // text: the value as written
  Location at;
};

struct LimitDecl {
  std::string name, summary, text;
  ExprPtr value;
  Location at;
};

struct DeviceDecl {
  std::string name, summary;
  std::vector<LimitDecl> limits;
  Location at;
};

struct Import {
  std::string name;
  Location at;
};

struct File {
  int source = -1;  // in Sources
  std::vector<Import> imports;
  std::vector<SetDecl> sets;
  std::vector<Alias> aliases;
  std::vector<StateDecl> states;
  std::vector<TableDecl> tables;
  std::vector<ListDecl> lists;
  std::vector<RowsDecl> rows;
  std::vector<LeadingDecl> leading;
  std::vector<LayoutDecl> layouts;
  std::vector<std::shared_ptr<const Function>> functions;
  std::vector<SourceDecl> sources;
  std::vector<SpecialDecl> specials;
  std::vector<DeviceDecl> devices;
  std::vector<Instruction> instructions;
};

}  // namespace semcc::front

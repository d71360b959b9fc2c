#include "semcc/ir/printer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "semcc/ir/printer_expr.h"

namespace semcc::ir {
namespace {

class FormPrinter {
 public:
  explicit FormPrinter(const Form& form) : form_(form), exprs_(form) {}

  std::string print() {
    head();
    if (form_.level == Level::Control) {
      line(form_.control == "refused"   ? "refused: " + form_.refused
           : form_.control == "nothing" ? "nothing"
                                        : "control " + form_.control);
      return out_;
    }
    for (const Stmt& stmt : form_.body) {
      const std::string when = stmt.guard ? "when " + exprs_.text(stmt.guard) + ": " : "";
      const std::string text = when + statement(stmt);
      for (const std::string& definition : exprs_.take_definitions()) line(definition);
      line(text);
    }
    return out_;
  }

 private:
  void line(const std::string& text) { out_ += "  " + text + "\n"; }

  void head() {
    const std::string operands = operand_list(form_), since = since_text(form_.since),
                      hints = hints_text(form_);
    out_ = form_.text() + (operands.empty() ? "" : " " + operands) +
           (since.empty() ? "" : "   since " + since) + "\n";
    if (!hints.empty()) line("hints " + hints);
    for (const Operand& operand : form_.operands) line(operand.name + " : " + operand_text(operand));
    std::string what = level_name(form_.level);
    if (form_.sync_operand >= 0)
      what += (form_.effects.waits ? " until " : " sync ") +
              form_.operands[static_cast<std::size_t>(form_.sync_operand)].name;
    const std::vector<std::string> effects = effect_names(form_.effects);
    line(effects.empty() ? what : fmt::format("{}: {}", what, fmt::join(effects, ", ")));
  }

  std::string address(const Stmt& stmt) {
    std::string out = fmt::format("{}[{}] {}", stmt.type.name(), exprs_.text(stmt.address), stmt.labels.sem);
    return stmt.labels.scope.empty() ? out : out + "." + stmt.labels.scope;
  }

  std::string transfer(const Stmt& stmt) {
    std::vector<std::string> args;
    for (const ExprPtr& arg : stmt.args) args.push_back(exprs_.text(arg));
    const std::string result = stmt.index < 0 ? "" : fmt::format("let {} = ", local_text(form_, stmt.index));
    const std::string change =
        stmt.value ? fmt::format(": {} {}", stmt.type.name(), exprs_.text(stmt.value)) : "";
    return fmt::format("{}{}({}){}", result, stmt.name, fmt::join(args, ", "), change);
  }

  std::string let(const Stmt& stmt) {
    const std::string name = stmt.index < 0 ? ""
                                            : fmt::format("{} {} = ", stmt.scalar ? "scalar" : "let",
                                                          local_text(form_, stmt.index));
    if (stmt.value->op == Op::MemoryRead) return name + "read " + address(stmt);
    if (stmt.value->op == Op::MemoryUpdate) {
      const std::string where = address(stmt);
      return fmt::format("{}update {}: {}", name, where, exprs_.text(stmt.value->args[0]));
    }
    return name + exprs_.text(stmt.value);
  }

  std::string barrier(const Stmt& stmt) {
    std::vector<std::string> args;
    for (const ExprPtr& arg : stmt.args) args.push_back(exprs_.text(arg));
    const std::string result =
        stmt.index < 0 ? "" : form_.operands[static_cast<std::size_t>(stmt.index)].name + " = ";
    return fmt::format("{}barrier.{}({})", result, stmt.name, fmt::join(args, ", "));
  }

  std::string made(const Stmt& stmt) {
    const Matrix& m = form_.matrices[static_cast<std::size_t>(stmt.index)];
    return fmt::format("matrix {} : {} x {} {} = ", matrix_text(form_, stmt.index), m.rows, m.columns,
                       m.type.name());
  }

  std::string fragment(const Stmt& stmt) {
    const std::string operand = form_.operands[static_cast<std::size_t>(stmt.operand)].name;
    const std::string row = exprs_.text(stmt.args[0]);
    const std::string place = fmt::format("({}, {})", row, exprs_.text(stmt.args[1]));
    if (stmt.what == Stmt::What::Gather) return fmt::format("{}gather {} at {}", made(stmt), operand, place);
    return fmt::format("scatter {} = {} at {}", operand, matrix_text(form_, stmt.matrices[0]), place);
  }

  std::string multiply(const Stmt& stmt) {
    std::vector<std::string> sources;
    for (const int source : stmt.matrices)
      if (source >= 0) sources.push_back(matrix_text(form_, source));
    const Multiply& how = stmt.multiply;
    if (!how.aligned) return fmt::format("multiply.exact({})", fmt::join(sources, ", "));
    return fmt::format("multiply.aligned({}; block {}, fraction {}, floor {}, {} bits)",
                       fmt::join(sources, ", "), how.block, how.fraction, how.floor, how.significant);
  }

  std::string statement(const Stmt& stmt) {
    switch (stmt.what) {
      case Stmt::What::Let:
        return let(stmt);
      case Stmt::What::Assign:
        return fmt::format("{}{} = {}", stmt.scalar ? "scalar " : "",
                           place_text(form_.operands[static_cast<std::size_t>(stmt.index)], stmt.part),
                           exprs_.text(stmt.value));
      case Stmt::What::AssignState:
        return fmt::format("{} = {}", stmt.name, exprs_.text(stmt.value));
      case Stmt::What::MemoryWrite: {
        const std::string where = address(stmt);
        return fmt::format("write {} = {}", where, exprs_.text(stmt.value));
      }
      case Stmt::What::Require:
        return fmt::format("require {} else {} \"{}\"", exprs_.text(stmt.value), stmt.name, stmt.text);
      case Stmt::What::Fence:
        return fmt::format("fence {} {}", stmt.labels.sem, stmt.labels.scope);
      case Stmt::What::Barrier:
        return barrier(stmt);
      case Stmt::What::Prefetch:
        return fmt::format("prefetch [{}]", exprs_.text(stmt.address));
      case Stmt::What::Transfer:
        return transfer(stmt);
      case Stmt::What::Gather:
      case Stmt::What::Scatter:
        return fragment(stmt);
      case Stmt::What::Each:
        return made(stmt) + exprs_.text(stmt.value);
      case Stmt::What::ReadTile:
        return made(stmt) + "tile " + address(stmt);
      case Stmt::What::WriteTile:
        return fmt::format("write tile {} = {}", address(stmt), matrix_text(form_, stmt.matrices[0]));
      case Stmt::What::Multiply:
        return made(stmt) + multiply(stmt);
    }
    return {};
  }

  const Form& form_;
  ExprPrinter exprs_;
  std::string out_;
};

}  // namespace

std::string print(const Form& form) { return FormPrinter(form).print(); }

}  // namespace semcc::ir

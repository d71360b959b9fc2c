// A run with tools in a process of its own: however a tool ends it, the command tells and ends with its code.
#pragma once

namespace wedjat::cli {

/// Goes on in a child process. The parent waits for it and never returns from here: it ends with the code
/// that the child told, with the child's signal if that came from outside, or, if the child ended without a
/// word of its own, with tool_died.
void supervise();

/// The command is about to end with this code; gives it back.
int told(int exit_code);

}  // namespace wedjat::cli

#include "cli/library/errors.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <nlohmann/json.hpp>

#include "emulator/device/error.h"
#include "emulator/hooks/report/tool_error.h"
#include "emulator/memory/device_memory.h"
#include "emulator/ptx/text/error.h"
#include "traces/format/error.h"
#include "traces/replay/replay.h"

namespace wedjat::library {
namespace {

struct LastError {
  std::string message, file, kernel, fault;
  WedjatError error{};

  // Throws std::bad_alloc.
  void set(const char* call, WedjatStatus status, std::string text) {
    message = std::move(text);
    file = kernel = fault = "";
    error = {status, call, message.c_str(), "", 0, 0, "", "", 0, 0};
  }
  void place(std::string in, std::uint32_t line, std::uint32_t column) {
    file = std::move(in);
    error.file = file.c_str();
    error.line = line;
    error.column = column;
  }
  void failed(const device::Failed& failure) {
    if (failure.fault) fault = exec::name_of(*failure.fault);
    error.fault = fault.c_str();
    if (!failure.place) return;
    place(failure.place->file, failure.place->line, 0);
    kernel = failure.place->kernel;
    error.kernel = kernel.c_str();
    error.cta = failure.place->cta;
    error.thread = failure.place->thread;
  }
  void no_memory(const char* call) {
    file = kernel = fault = message = "";
    error = {WEDJAT_NO_MEMORY, call, "this machine has not enough memory for it", "", 0, 0, "", "", 0, 0};
  }
};

LastError& last() {
  thread_local LastError error{{}, {}, {}, {}, {WEDJAT_OK, "", "", "", 0, 0, "", "", 0, 0}};
  return error;
}

void remember(const char* call) {
  LastError& to = last();
  try {
    throw;
  } catch (const WrongArgument& error) {
    to.set(call, WEDJAT_WRONG_ARGUMENT, error.what());
    to.place(error.file, error.line, 0);
  } catch (const WrongFile& error) {
    to.set(call, error.status, error.message);
    to.place(error.file, 0, 0);
  } catch (const ptx::Error& error) {
    to.set(call, WEDJAT_BROKEN_INPUT, error.what());
    to.place(error.file(), error.where().line, error.where().column);
  } catch (const traces::FormatError& error) {
    to.set(call, WEDJAT_BROKEN_INPUT, error.what());
  } catch (const traces::ReplayRefused& error) {
    to.set(call, WEDJAT_REFUSED, error.what());
  } catch (const hooks::ToolFileError& error) {
    to.set(call, WEDJAT_BROKEN_INPUT, error.what());
  } catch (const hooks::ToolError& error) {
    to.set(call, WEDJAT_WRONG_ARGUMENT, error.what());
  } catch (const device::Refused& error) {
    to.set(call, WEDJAT_REFUSED, error.what());
    to.place(error.file, error.line, error.column);
  } catch (const device::Interrupted& error) {
    to.set(call, WEDJAT_INTERRUPTED, error.what());
  } catch (const device::Failed& error) {
    to.set(call, WEDJAT_KERNEL_FAILED, error.what());
    to.failed(error);
  } catch (const memory::Error& error) {
    to.set(call, WEDJAT_REFUSED, error.what());
  } catch (const std::bad_alloc&) {
    to.no_memory(call);
  } catch (const std::exception& error) {
    to.set(call, WEDJAT_INTERNAL_ERROR, error.what());
  } catch (...) {
    to.set(call, WEDJAT_INTERNAL_ERROR, "something was thrown that is no error, by a callback perhaps");
  }
}

}  // namespace

WedjatStatus remember_failure(const char* call) noexcept {
  try {
    remember(call);
  } catch (...) {
    last().no_memory(call);
  }
  return last().error.status;
}

void need(const void* pointer, const char* name) {
  if (pointer == nullptr) throw WrongArgument(std::string(name) + " is NULL");
}

char* json_for_caller(const nlohmann::json& json) {
  const std::string text = json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  auto* const copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (copy == nullptr) throw std::bad_alloc();
  std::memcpy(copy, text.c_str(), text.size() + 1);
  return copy;
}

}  // namespace wedjat::library

extern "C" {

const WedjatError* wedjat_last_error(void) { return &wedjat::library::last().error; }

void wedjat_check(WedjatStatus status) {
  if (status == WEDJAT_OK) return;
  std::fprintf(stderr, "%s: %s\n", wedjat_last_error()->call, wedjat_last_error()->message);
  std::exit(status);
}

const char* wedjat_status_name(WedjatStatus status) {
  switch (status) {
    case WEDJAT_OK:
      return "well";
    case WEDJAT_WRONG_ARGUMENT:
      return "wrong argument";
    case WEDJAT_BROKEN_INPUT:
      return "broken input";
    case WEDJAT_REFUSED:
      return "refused";
    case WEDJAT_KERNEL_FAILED:
      return "kernel failed";
    case WEDJAT_NO_MEMORY:
      return "not enough memory";
    case WEDJAT_INTERRUPTED:
      return "interrupted";
    case WEDJAT_INTERNAL_ERROR:
      return "internal error";
  }
  return "no status of Wedjat";
}

const char* wedjat_version(void) { return WEDJAT_VERSION; }

uint32_t wedjat_library_abi(void) { return WEDJAT_LIBRARY_ABI; }

void wedjat_text_free(char* text) { std::free(text); }
}

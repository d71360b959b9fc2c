// Each function returns the text of one generated file; every generated file names its source on line 1.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "interposer/gen/families.h"
#include "interposer/gen/model.h"

namespace wedjat::interposer {

std::string emit_api_table(const Model& model);                // traces/format/api_table.h as data
std::string emit_abi(const std::filesystem::path& directory);  // types of cuda.h, from api_table.json alone
std::string declaration(const nlohmann::ordered_json& type);   // one entry of a table's types, as C has it
std::string emit_entries(const Model& model);                  // entries.h: one number a driver function
std::string emit_entry_table(const Model& model);              // entry_table.cpp: names, versions, wrappers
std::string emit_events(const Model& model);                   // events.h: a struct an event
// A family's LTTng provider, and the C functions that fire its tracepoints. One provider of all functions
// takes half a minute to compile.
std::string emit_provider(const Family& family);
std::string emit_emitters(const Family& family);
std::string emit_wrappers(const Model& model, int part, int parts);  // every parts-th wrapper
std::string emit_header(const Model& model);  // cuda.h for programs that are built without a toolkit
std::string emit_stubs(const Model& model);   // a driver that can do nothing, for tests

}  // namespace wedjat::interposer

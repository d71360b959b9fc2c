// The parts of the manual that do not depend on the semantics.
#pragma once

namespace semcc::emit {

extern const char* const manual_style;         // style.css
extern const char* const manual_times_table;   // times_table.js: sorts and filters times.html
extern const char* const manual_times_method;  // what READMEs say of the times
extern const char* const
    manual_search;  // search.js: filters the index and the forms of forms.js as one types

}  // namespace semcc::emit

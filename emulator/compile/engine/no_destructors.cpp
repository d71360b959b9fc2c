// LLVM makes tables when it first needs them and asks for their destruction at the end of the process. That
// end may come in the middle of a program of somebody else, while a thread here makes code: it would find
// tables that are gone. Nothing here needs an end. This library holds LLVM itself, so all of LLVM's calls
// come here.
extern "C" int __cxa_atexit(void (* /*destructor*/)(void*), void* /*object*/, void* /*library*/) { return 0; }

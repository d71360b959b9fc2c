/* A kernel for graphs: each thread adds a number to its word. */
#ifndef WEDJAT_LIVE_ADD_H
#define WEDJAT_LIVE_ADD_H

static const char* const add_ptx =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".visible .entry add(.param .u64 to, .param .u32 value) {\n"
    "  .reg .b64 %d<3>; .reg .b32 %r<4>;\n"
    "  ld.param.u64 %d0, [to]; ld.param.u32 %r0, [value]; mov.u32 %r1, %tid.x;\n"
    "  mul.wide.u32 %d1, %r1, 4; add.u64 %d2, %d0, %d1;\n"
    "  ld.global.u32 %r2, [%d2]; add.u32 %r3, %r2, %r0; st.global.u32 [%d2], %r3;\n  ret;\n}\n";

#endif

#include "emulator/compile/image/keeping_call.h"

// The frame is found through rbp, whatever was pushed.
#define BEGIN(name)                                                                            \
  ".text\n.p2align 4\n.hidden " #name "\n.globl " #name "\n.type " #name ", @function\n" #name \
  ":\n"                                                                                        \
  ".cfi_startproc\n"                                                                           \
  "pushq %rbp\n.cfi_def_cfa_offset 16\n.cfi_offset %rbp, -16\n"                                \
  "movq %rsp, %rbp\n.cfi_def_cfa_register %rbp\n"                                              \
  ".irp r, rcx, rdx, rsi, rdi, r8, r9, r10, r11\npushq %\\r\n.endr\n"
#define END(name)                                                    \
  "leaq -64(%rbp), %rsp\n"                                           \
  ".irp r, r11, r10, r9, r8, rdi, rsi, rdx, rcx\npopq %\\r\n.endr\n" \
  "popq %rbp\n.cfi_def_cfa %rsp, 8\nretq\n.cfi_endproc\n.size " #name ", . - " #name "\n"
#define EACH_OF_16 ".irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15\n"
#define EACH_OF_32                                                                                         \
  ".irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, " \
  "26, 27, 28, 29, 30, 31\n"
#define EACH_MASK ".irp n, 0, 1, 2, 3, 4, 5, 6, 7\n"

asm(BEGIN(wedjat_keep_zmm)
    "subq $2112, %rsp\nandq $-64, %rsp\n"
    EACH_OF_32 "vmovups %zmm\\n, 64*\\n(%rsp)\n.endr\n"
    EACH_MASK "kmovq %k\\n, 2048+8*\\n(%rsp)\n.endr\n"
    "callq *%rax\n"
    EACH_OF_32 "vmovups 64*\\n(%rsp), %zmm\\n\n.endr\n"
    EACH_MASK "kmovq 2048+8*\\n(%rsp), %k\\n\n.endr\n"
    END(wedjat_keep_zmm)

    BEGIN(wedjat_keep_ymm)
    "subq $512, %rsp\nandq $-64, %rsp\n"
    EACH_OF_16 "vmovups %ymm\\n, 32*\\n(%rsp)\n.endr\n"
    "callq *%rax\n"
    EACH_OF_16 "vmovups 32*\\n(%rsp), %ymm\\n\n.endr\n"
    END(wedjat_keep_ymm)

    BEGIN(wedjat_keep_xmm)
    "subq $256, %rsp\nandq $-64, %rsp\n"
    EACH_OF_16 "movups %xmm\\n, 16*\\n(%rsp)\n.endr\n"
    "callq *%rax\n"
    EACH_OF_16 "movups 16*\\n(%rsp), %xmm\\n\n.endr\n"
    END(wedjat_keep_xmm));

extern "C" {
void wedjat_keep_zmm();
void wedjat_keep_ymm();
void wedjat_keep_xmm();
}

namespace wedjat::compile {

const void* keeping_call(Link::Kind kind) {
  auto* const call = kind == Link::Kind::keep_zmm   ? wedjat_keep_zmm
                     : kind == Link::Kind::keep_ymm ? wedjat_keep_ymm
                                                    : wedjat_keep_xmm;
  return reinterpret_cast<const void*>(call);
}

}  // namespace wedjat::compile

/* Kernels that fail, each in its own way: `k` with the address of 4096 bytes of the device's memory. */
#ifndef WEDJAT_LIVE_FAULTS_KINDS_H
#define WEDJAT_LIVE_FAULTS_KINDS_H

#include <cuda.h>

#define HEAD ".version 8.0\n.target sm_90\n.address_size 64\n"
#define ENTRY                                                                                      \
  ".visible .entry k(.param .u64 to) {\n  .reg .pred %p<4>; .reg .b64 %d<12>; .reg .b32 %r<12>;\n" \
  "  ld.param.u64 %d0, [to]; mov.u32 %r0, %tid.x; setp.ne.u32 %p0, %r0, 0;\n"
#define TAIL "  ret;\n}\n"
/* Room in shared memory, and a barrier %d1 there that one arrival and a copy of `bytes` complete. */
#define BULK(bytes)                                                      \
  "  .shared .align 128 .b8 room[2048]; .shared .align 8 .b64 bar[2];\n" \
  "  @%p0 bra end; mov.u64 %d1, bar; mov.u64 %d2, room;\n"               \
  "  mbarrier.init.shared.b64 [%d1], 1;\n  fence.proxy.async;\n"         \
  "  mbarrier.arrive.expect_tx.shared.b64 %d3, [%d1], " bytes ";\n"
#define BULK_END "wait: mbarrier.try_wait.parity.shared.b64 %p1, [%d1], 0; @!%p1 bra wait;\nend:\n"
#define TO_SHARED "  cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
#define TO_GLOBAL "  cp.async.bulk.global.shared::cta.bulk_group "
#define ADD "  cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 "
#define GROUP_END "  cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;\nend:\n"

struct Kind {
  const char *name, *ptx;
};

static const struct Kind kinds[] = {
    {"store beyond memory", HEAD ENTRY "  mov.u64 %d1, 16; st.global.u32 [%d1], 7;\n" TAIL},
    {"load beyond memory",
     HEAD ENTRY "  mov.u64 %d1, 0x7000; ld.global.u32 %r1, [%d1]; st.global.u32 [%d0], %r1;\n" TAIL},
    {"store at an odd address", HEAD ENTRY "  st.global.u32 [%d0+1], 7;\n" TAIL},
    {"load of a pair at four", HEAD ENTRY
     "  ld.global.v2.u32 {%r1, %r2}, [%d0+4]; add.u32 %r1, %r1, %r2; st.global.u32 [%d0], %r1;\n" TAIL},
    {"atomic at an odd address", HEAD ENTRY "  atom.global.add.u32 %r1, [%d0+2], 7;\n" TAIL},
    {"trap", HEAD ENTRY "  trap;\n" TAIL},
    {"brkpt", HEAD ENTRY "  brkpt;\n" TAIL},
    {"assertion",
     HEAD ".extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param "
          ".b64 e);\n"
          ".global .align 1 .b8 text[2] = {97, 0};\n" ENTRY "  @%p0 bra end; mov.u64 %d1, text;\n"
          "  { .param .b64 a; .param .b64 b; .param .b32 c; .param .b64 d; .param .b64 e;\n"
          "    st.param.b64 [a], %d1; st.param.b64 [b], %d1; st.param.b32 [c], 5; st.param.b64 [d], %d1;\n"
          "    st.param.b64 [e], 1; call __assertfail, (a, b, c, d, e); }\nend:\n" TAIL},
    {"store beyond shared memory", HEAD ENTRY
     "  .shared .align 4 .b8 room[64]; mov.u32 %r1, room; st.shared.u32 [%r1+0x100000], 7;\n" TAIL},
    {"load beyond shared memory",
     HEAD ENTRY "  .shared .align 4 .b8 room[64]; mov.u32 %r1, room; ld.shared.u32 %r2, [%r1+0x100000];\n"
                "  st.global.u32 [%d0], %r2;\n" TAIL},
    {"store at an odd address of shared memory",
     HEAD ENTRY "  .shared .align 4 .b8 room[64]; mov.u32 %r1, room; st.shared.u32 [%r1+1], 7;\n" TAIL},
    {"store beyond local memory",
     HEAD ENTRY "  .local .align 4 .b8 room[64]; mov.u32 %r1, room; st.local.u32 [%r1+0x1000000], 7;\n" TAIL},
    {"store at an odd address of local memory",
     HEAD ENTRY "  .local .align 4 .b8 room[64]; mov.u32 %r1, room; st.local.u32 [%r1+1], 7;\n" TAIL},
    {"generic store beyond shared memory",
     HEAD ENTRY "  .shared .align 4 .b8 room[64]; mov.u64 %d1, room; cvta.shared.u64 %d1, %d1;\n"
                "  st.u32 [%d1+0x200000], 7;\n" TAIL},
    {"atomic on local memory",
     HEAD ENTRY "  .local .align 4 .b8 room[64]; mov.u64 %d1, room; cvta.local.u64 %d1, %d1;\n"
                "  atom.add.u32 %r1, [%d1], 7; st.global.u32 [%d0], %r1;\n" TAIL},
    {"call of no function", HEAD ENTRY "  ld.global.u64 %d1, [%d0]; add.u64 %d1, %d1, 0x12345;\n"
                                       "  { proto: .callprototype _ (); call %d1, (), proto; }\n" TAIL},
    {"recursion without end", HEAD
     ".func (.param .u32 r) f(.param .u32 n) {\n  .reg .b32 %r<4>; .local .align 8 .b8 room[1024]; .reg .b64 "
     "%d<4>;\n"
     "  ld.param.u32 %r0, [n]; mov.u64 %d0, room; st.local.u32 [%d0], %r0; add.u32 %r1, %r0, 1;\n"
     "  { .param .u32 a; .param .u32 b; st.param.u32 [a], %r1; call (b), f, (a); ld.param.u32 %r2, [b]; }\n"
     "  ld.local.u32 %r3, [%d0]; add.u32 %r2, %r2, %r3; st.param.u32 [r], %r2; ret;\n}\n" ENTRY
     "  { .param .u32 a; .param .u32 b; st.param.u32 [a], %r0; call (b), f, (a); ld.param.u32 %r2, [b]; }\n"
     "  st.global.u32 [%d0], %r2;\n" TAIL},
    {"barrier of 33 threads",
     HEAD ENTRY "  mov.u32 %r1, %ntid.x; add.u32 %r1, %r1, 1; barrier.sync 1, %r1;\n" TAIL},
    {"barrier 16", HEAD ENTRY "  mov.u32 %r1, %ntid.x; shr.u32 %r1, %r1, 1; barrier.sync %r1;\n" TAIL},
    {"shared memory of a CTA that is not there",
     HEAD ENTRY "  .shared .align 4 .b8 room[64]; mov.u32 %r1, room; mapa.shared::cluster.u32 %r2, %r1, 3;\n"
                "  st.shared::cluster.u32 [%r2], 7;\n" TAIL},
    {"ldmatrix at 8", HEAD ENTRY
     "  .shared .align 16 .b8 room[1024]; mov.u32 %r1, room;\n"
     "  ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r2}, [%r1+8]; st.global.u32 [%d0], %r2;\n" TAIL},
    {"cp.async from 8",
     HEAD ENTRY "  .shared .align 16 .b8 room[64]; mov.u32 %r1, room;\n"
                "  cp.async.cg.shared.global [%r1], [%d0+8], 16; cp.async.wait_all;\n" TAIL},
    {"cp.async to 8", HEAD ENTRY "  .shared .align 16 .b8 room[64]; mov.u32 %r1, room;\n"
                                 "  cp.async.cg.shared.global [%r1+8], [%d0], 16; cp.async.wait_all;\n" TAIL},
    {"cp.async.bulk from 8",
     HEAD ENTRY BULK("16") "  add.u64 %d0, %d0, 8;\n" TO_SHARED "[%d2], [%d0], 16, [%d1];\n" BULK_END TAIL},
    {"cp.async.bulk to 8",
     HEAD ENTRY BULK("16") "  add.u64 %d2, %d2, 8;\n" TO_SHARED "[%d2], [%d0], 16, [%d1];\n" BULK_END TAIL},
    {"cp.async.bulk of 24 bytes",
     HEAD ENTRY BULK("24") "  mov.u32 %r1, %ntid.x; sub.u32 %r1, %r1, 8;\n" TO_SHARED
                           "[%d2], [%d0], %r1, [%d1];\n" BULK_END TAIL},
    {"cp.async.bulk of no bytes",
     HEAD ENTRY BULK("0") "  mov.u32 %r1, %tid.x;\n" TO_SHARED "[%d2], [%d0], %r1, [%d1];\n" BULK_END TAIL},
    {"cp.async.bulk with a barrier at 4",
     HEAD ENTRY BULK("16") "  add.u64 %d5, %d1, 4;\n" TO_SHARED "[%d2], [%d0], 16, [%d5];\n" BULK_END TAIL},
    {"cp.async.bulk from beyond memory",
     HEAD ENTRY BULK("16") "  mov.u64 %d0, 0x7000;\n" TO_SHARED "[%d2], [%d0], 16, [%d1];\n" BULK_END TAIL},
    {"cp.async.bulk to beyond shared memory",
     HEAD ENTRY BULK("16") "  add.u64 %d2, %d2, 0x100000;\n" TO_SHARED
                           "[%d2], [%d0], 16, [%d1];\n" BULK_END TAIL},
    {"cp.async.bulk back from 8",
     HEAD ENTRY BULK("16") "  add.u64 %d2, %d2, 8;\n" TO_GLOBAL "[%d0], [%d2], 16;\n" GROUP_END TAIL},
    {"cp.async.bulk back to 8",
     HEAD ENTRY BULK("16") "  add.u64 %d0, %d0, 8;\n" TO_GLOBAL "[%d0], [%d2], 16;\n" GROUP_END TAIL},
    {"cp.async.bulk back of 24 bytes",
     HEAD ENTRY BULK("16") "  mov.u32 %r1, %ntid.x; sub.u32 %r1, %r1, 8;\n" TO_GLOBAL
                           "[%d0], [%d2], %r1;\n" GROUP_END TAIL},
    {"cp.async.bulk back to beyond memory",
     HEAD ENTRY BULK("16") "  mov.u64 %d0, 0x7000;\n" TO_GLOBAL "[%d0], [%d2], 16;\n" GROUP_END TAIL},
    {"cp.reduce.async.bulk from 8",
     HEAD ENTRY BULK("16") "  add.u64 %d2, %d2, 8;\n" ADD "[%d0], [%d2], 16;\n" GROUP_END TAIL},
    {"cp.reduce.async.bulk to 8",
     HEAD ENTRY BULK("16") "  add.u64 %d0, %d0, 8;\n" ADD "[%d0], [%d2], 16;\n" GROUP_END TAIL},
    {"cp.async.bulk.prefetch from 8", HEAD ENTRY
     "  @%p0 bra end; add.u64 %d0, %d0, 8; cp.async.bulk.prefetch.L2.global [%d0], 16;\nend:\n" TAIL},
    {"cp.async.bulk.prefetch of 24 bytes",
     HEAD ENTRY "  @%p0 bra end; mov.u32 %r1, %ntid.x; sub.u32 %r1, %r1, 8; cp.async.bulk.prefetch.L2.global "
                "[%d0], %r1;\nend:\n" TAIL},
    {"cp.async.bulk.prefetch from beyond memory", HEAD ENTRY
     "  @%p0 bra end; mov.u64 %d0, 0x7000; cp.async.bulk.prefetch.L2.global [%d0], 16;\nend:\n" TAIL},
    {"mbarrier at 4", HEAD ENTRY "  .shared .align 8 .b64 bar[2]; mov.u64 %d1, bar; add.u64 %d1, %d1, 4;\n"
                                 "  mbarrier.init.shared.b64 [%d1], 1;\n" TAIL},
    {"mbarrier that was not made",
     HEAD ENTRY "  .shared .align 8 .b64 bar[2]; mov.u64 %d1, bar; st.shared.u64 [%d1], 0;\n"
                "  mbarrier.arrive.shared.b64 %d2, [%d1]; st.global.u64 [%d0], %d2;\n" TAIL},
};
enum { kinds_count = sizeof kinds / sizeof *kinds };

/* The kernel is launched; what it does shows later. Any other code than CUDA_SUCCESS: it could not be. */
static CUresult launch_kind(int which, CUdeviceptr to, CUstream on) {
  CUmodule of_kind;
  CUfunction kernel;
  void* arguments[] = {&to};
  CUresult result = cuModuleLoadData(&of_kind, kinds[which].ptx);
  if (result == CUDA_SUCCESS) result = cuModuleGetFunction(&kernel, of_kind, "k");
  if (result == CUDA_SUCCESS) result = cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, on, arguments, NULL);
  return result;
}

#endif

/* A tool in C, against the header alone: how many 32-bit results are zero. */
#include <stdlib.h>
#include <wedjat/tool.h>

struct zeros {
  const wedjat_host* host;
  wedjat_session* session;
  uint64_t results, zeros;
};

static void* create(const wedjat_host* host, wedjat_session* session) {
  struct zeros* self = calloc(1, sizeof *self);
  self->host = host;
  self->session = session;
  return self;
}

static void result(void* tool, const wedjat_event* event) {
  struct zeros* self = tool;
  const uint32_t* row = event->rows[event->instruction->operands[0].first];
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (!(event->executed >> lane & 1)) continue;
    ++self->results;
    self->zeros += row[lane] == 0;
  }
}

static void kernel(void* tool, const wedjat_kernel* k) {
  struct zeros* self = tool;
  for (uint32_t i = 0; i < k->instruction_count; ++i) {
    const wedjat_instruction* at = &k->instructions[i];
    if (at->operand_count == 0 || !at->operands[0].out || at->operands[0].bits != 32) continue;
    const wedjat_probe probe = {.size = sizeof probe,
                                .instruction = i,
                                .when = WEDJAT_AFTER,
                                .needs = WEDJAT_ROWS,
                                .handler = result};
    self->host->probe(self->session,
                      &probe); /* -1 where the instruction has no rows: then it is not counted */
  }
}

static void finish(void* tool) {
  struct zeros* self = tool;
  wedjat_table* table = self->host->table(self->session, "results", "results zeros");
  self->host->cell_integer(table, self->results);
  self->host->cell_integer(table, self->zeros);
}

const wedjat_tool* wedjat_tool_entry(void) {
  static const wedjat_tool tool = {.size = sizeof tool,
                                   .abi = WEDJAT_ABI,
                                   .name = "my_zeros",
                                   .summary = "zeros among 32-bit results",
                                   .options = "",
                                   .create = create,
                                   .destroy = free,
                                   .kernel = kernel,
                                   .finish = finish};
  return &tool;
}

/* The header is C, and lives beside that of tools. */
#include <stdio.h>
#include <string.h>

#include "cli/library/wedjat.h"
#include "utilities/include/wedjat/tool.h"

int main(void) {
  WedjatRunOptions options = {sizeof options};
  WedjatDevice* device = NULL;
  struct wedjat_tool tool;
  (void)tool;
  if (wedjat_library_abi() != WEDJAT_LIBRARY_ABI) return 1;
  if (wedjat_last_error()->status != WEDJAT_OK) return 2;
  if (wedjat_device_create(&options, &device) != WEDJAT_OK) return 3;
  if (wedjat_device_free(device) != WEDJAT_OK) return 4;
  if (wedjat_device_free(device) != WEDJAT_WRONG_ARGUMENT) return 5;
  printf("%s: %s\n", wedjat_status_name(wedjat_last_error()->status), wedjat_last_error()->message);
  return strcmp(wedjat_last_error()->call, "wedjat_device_free") == 0 ? 0 : 6;
}

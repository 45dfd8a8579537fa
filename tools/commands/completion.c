/* vkmeter completion. In: the name of a shell. Out: a script for it on stdout. */
#include <string.h>

#include "args.h"
#include "commands/commands.h"
#include "count.h"
#include "help/completion.h"
#include "message.h"

static const struct {
  const char *name;
  void (*print)(FILE *to);
} shells[] = {
    {"bash", vkm_completion_bash}, {"zsh", vkm_completion_zsh}, {"fish", vkm_completion_fish}};

struct vkm_outcome vkm_command_completion(const struct vkm_args *args) {
  for (size_t i = 0; i < VKM_COUNT(shells) && args->operand_count == 1; i++) {
    if (strcmp(shells[i].name, args->operands[0]) == 0) {
      shells[i].print(stdout);
      return (struct vkm_outcome){VKM_OUTCOME_DONE, 0};
    }
  }
  vkm_error("completion knows no '%s'; give one of bash, zsh, fish",
            args->operands[args->operand_count - 1]);
  return (struct vkm_outcome){VKM_OUTCOME_TROUBLE, 0};
}

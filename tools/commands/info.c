/* vkmeter info. In: profiles. Out: where and how each was measured, and how good its data are. */
#include "args.h"
#include "commands/commands.h"
#include "deliver.h"
#include "model/load.h"
#include "views/term.h"

#include <unistd.h>

struct vkm_outcome vkm_command_info(const struct vkm_args *args) {
  struct vkm_outcome outcome = {VKM_OUTCOME_TROUBLE, 0};
  struct vkm_profiles profiles;
  if (!vkm_profiles_load(&profiles, args->operands, args->operand_count)) {
    return outcome;
  }
  struct vkm_view_settings settings = args->view;
  vkm_term_resolve(&settings, STDOUT_FILENO);
  struct vkm_text text;
  vkm_text_init(&text, SIZE_MAX);
  for (size_t i = 0; i < profiles.count; i++) {
    vkm_text_string(&text, i > 0 ? "\n" : "");
    vkm_view_info(&profiles.items[i], args->operands[i], &settings, &text);
  }
  if (vkm_deliver(NULL, &text)) {
    outcome.kind = VKM_OUTCOME_DONE;
  }
  vkm_text_finish(&text);
  vkm_profiles_finish(&profiles);
  return outcome;
}

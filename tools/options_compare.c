/* Options that judging takes. In: a word of the command line. Out: a field of struct vkm_args.
 * Next: commands/compare, baseline, noise. */
#include "options_compare.h"

#include <string.h>

#include "count.h"
#include "message.h"
#include "model/suite_results.h"
#include "numbers.h"
#include "options.h"

bool vkm_set_threshold(struct vkm_args *args, const char *value) {
  if (!vkm_parse_percent(value, &args->compare.threshold) || args->compare.threshold > 10) {
    vkm_error("--threshold=%s is no percentage from 0%% to 1000%%; write for example 2%%", value);
    return false;
  }
  args->threshold_given = true;
  return true;
}

bool vkm_set_floor(struct vkm_args *args, const char *value) {
  if (!vkm_parse_duration(value, &args->compare.floor_ns)) {
    vkm_error("--floor=%s is no time with its unit; write for example 1us, 0.5ms or 0ns", value);
    return false;
  }
  return true;
}

bool vkm_set_confidence(struct vkm_args *args, const char *value) {
  double confidence = 0;
  if (!vkm_parse_fraction(value, &confidence) || confidence < 0.5 || confidence > 0.9999) {
    vkm_error("--confidence=%s does not lie between 0.5 and 0.9999; write for example 0.95 or 95%%",
              value);
    return false;
  }
  args->compare.confidence = confidence;
  return true;
}

bool vkm_set_stat(struct vkm_args *args, const char *value) {
  static const char *const words[] = {"median", "min", "p99", NULL};
  int index = vkm_option_choose("stat", value, words);
  args->compare.stat = (enum vkm_stat)(index < 0 ? 0 : index);
  return index >= 0;
}

bool vkm_set_match(struct vkm_args *args, const char *value) {
  static const char *const words[] = {"auto", "name", "code", "name+code", "order", NULL};
  int index = vkm_option_choose("match", value, words);
  args->compare.match = (enum vkm_match)(index < 0 ? 0 : index);
  return index >= 0;
}

bool vkm_set_rule(struct vkm_args *args, const char *value) {
  static const char *const words[] = {"runs", "samples", NULL};
  int index = vkm_option_choose("rule", value, words);
  args->compare.rule = (enum vkm_rule)(index < 0 ? 0 : index);
  return index >= 0;
}

/* The value is cut in two where it stands: the words of argv are ours. */
bool vkm_set_rename(struct vkm_args *args, const char *value) {
  char *equals = strchr(value, '=');
  if (equals == NULL || equals == value || !equals[1]) {
    vkm_error("--rename %s is not OLD=NEW; write for example --rename softmax=softmax_rows", value);
    return false;
  }
  if (args->compare.rename_count == VKM_RENAMES_MAX) {
    vkm_error("more than %d renames; give fewer --rename options, or --match=code",
              VKM_RENAMES_MAX);
    return false;
  }
  *equals = 0;
  args->renames[args->compare.rename_count++] = (struct vkm_rename){value, equals + 1};
  args->compare.renames = args->renames;
  return true;
}

static bool set_path(const char *option, const char *value, const char **out) {
  if (!*value) {
    vkm_error("--%s is empty; give a path", option);
    return false;
  }
  *out = value;
  return true;
}

bool vkm_set_noise(struct vkm_args *args, const char *value) {
  return set_path("noise", value, &args->noise);
}

bool vkm_set_baseline_dir(struct vkm_args *args, const char *value) {
  return set_path("baseline-dir", value, &args->baseline_dir);
}

bool vkm_set_file(struct vkm_args *args, const char *value) {
  return set_path("output", value, &args->file);
}

bool vkm_set_adjust_drift(struct vkm_args *args, const char *value) {
  (void)value;
  args->compare.adjust_drift = true;
  return true;
}

bool vkm_set_explain(struct vkm_args *args, const char *value) {
  args->view.explain = true;
  args->view.explain_row = value;
  return true;
}

bool vkm_set_verbose(struct vkm_args *args, const char *value) {
  (void)value;
  args->view.verbose = true;
  return true;
}

/* One of the words that `name_at` gives, for the list of an option. */
struct words {
  const char *option;
  const char *(*name_at)(size_t index);
  size_t count;
};

static bool add_word(const struct words *words, const char *word, size_t length, unsigned *bits) {
  char known[256] = "";
  for (size_t i = 0; i < words->count; i++) {
    const char *name = words->name_at(i);
    if (strlen(name) == length && strncmp(name, word, length) == 0) {
      *bits |= 1U << i;
      return true;
    }
    size_t used = strlen(known);
    snprintf(known + used, sizeof known - used, "%s%s", i > 0 ? ", " : "", name);
  }
  vkm_error("--%s=%.*s is not known; give one or more of %s", words->option, (int)length, word,
            known);
  return false;
}

static bool add_words(const struct words *words, const char *value, unsigned *bits) {
  for (;;) {
    size_t length = strcspn(value, ",");
    if (!add_word(words, value, length, bits)) {
      return false;
    }
    if (!value[length]) {
      return true;
    }
    value += length + 1;
  }
}

static const char *gate_name_at(size_t index) {
  return vkm_gate_name((enum vkm_gate_kind)index);
}

bool vkm_set_fail_on(struct vkm_args *args, const char *value) {
  static const struct words words = {"fail-on", gate_name_at, VKM_GATE_COUNT};
  return add_words(&words, value, &args->fail_on);
}

bool vkm_set_suite_fail_on(struct vkm_args *args, const char *value) {
  static const struct words words = {"fail-on", vkm_suite_gate_name, VKM_SUITE_GATE_COUNT};
  return add_words(&words, value, &args->fail_on);
}

/* In the order of the bits VKM_ALLOW_*. */
static const char *const differences[] = {"device", "driver", "layer", "environment"};
_Static_assert(VKM_ALLOW_DEVICE == 1 && VKM_ALLOW_DRIVER == 2 && VKM_ALLOW_LAYER == 4 &&
                   VKM_ALLOW_ENVIRONMENT == 8,
               "bits in order");

static const char *difference_at(size_t index) {
  return differences[index];
}

bool vkm_set_allow_different(struct vkm_args *args, const char *value) {
  static const struct words words = {"allow-different", difference_at, VKM_COUNT(differences)};
  return add_words(&words, value, &args->compare.allow_different);
}

/* What follows belongs to `list`, up to the other one. */
static bool begin_list(struct vkm_args *args, enum vkm_list list, const char *value) {
  struct vkm_list_span *span = &args->lists[list];
  if (args->list == VKM_NO_LIST && args->operand_count > 0) {
    vkm_error("'%s' stands before --base and --new; with them each file belongs to one of the two",
              args->operands[0]);
    return false;
  }
  if (span->given && args->list != list) {
    vkm_error("--%s is given twice; name all its files behind one of them",
              list == VKM_BASE_LIST ? "base" : "new");
    return false;
  }
  if (!span->given) {
    *span = (struct vkm_list_span){true, args->operand_count, 0};
  }
  args->list = list;
  args->operands[args->operand_count++] = (char *)value;
  span->count++;
  return true;
}

bool vkm_set_base(struct vkm_args *args, const char *value) {
  return begin_list(args, VKM_BASE_LIST, value);
}

bool vkm_set_new(struct vkm_args *args, const char *value) {
  return begin_list(args, VKM_NEW_LIST, value);
}

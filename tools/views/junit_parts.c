/* Parts of JUnit's XML. In: names, outcomes, messages. Out: tags. Next: junit, suite_junit. */
#include "views/junit_parts.h"

#include "views/sheet.h"
#include "views/term.h"
#include "views/units.h"

/* Escaped; U+FFFE and U+FFFF, which XML does not know, are left out. Control characters are gone
 * already. */
static void append_escaped(const struct vkm_text *part, struct vkm_text *text) {
  for (size_t at = 0; at < part->length_bytes;) {
    const unsigned char *bytes = (const unsigned char *)part->data + at;
    if (bytes[0] == 0xef && bytes[1] == 0xbf && bytes[2] >= 0xbe) {
      at += 3;
    } else {
      vkm_html_escaped(text, part->data + at, 1);
      at++;
    }
  }
  text->failed = text->failed || part->failed;
}

static void attribute(struct vkm_text *text, const char *name, const struct vkm_text *value) {
  vkm_text_string(text, " ");
  vkm_text_string(text, name);
  vkm_text_string(text, "=\"");
  append_escaped(value, text);
  vkm_text_string(text, "\"");
}

static void attribute_name(struct vkm_text *text, const char *name, const char *value) {
  struct vkm_text part;
  vkm_text_init(&part, SIZE_MAX);
  vkm_term_name(&part, value, 0, false);
  attribute(text, name, &part);
  vkm_text_finish(&part);
}

static void attribute_count(struct vkm_text *text, const char *name, size_t value) {
  vkm_text_string(text, " ");
  vkm_text_string(text, name);
  vkm_text_string(text, "=\"");
  vkm_text_u64(text, value);
  vkm_text_string(text, "\"");
}

void vkm_junit_begin_suite(const char *tag, const char *name, const size_t *of,
                           struct vkm_text *text) {
  vkm_text_string(text, tag);
  attribute_name(text, "name", name);
  attribute_count(text, "tests",
                  of[VKM_JUNIT_PASSED] + of[VKM_JUNIT_FAILED] + of[VKM_JUNIT_ERROR] +
                      of[VKM_JUNIT_SKIPPED]);
  attribute_count(text, "failures", of[VKM_JUNIT_FAILED]);
  attribute_count(text, "errors", of[VKM_JUNIT_ERROR]);
  attribute_count(text, "skipped", of[VKM_JUNIT_SKIPPED]);
  vkm_text_string(text, ">\n");
}

void vkm_junit_begin_case(const char *class_name, const struct vkm_text *name, double ns,
                          struct vkm_text *text) {
  vkm_text_string(text, "    <testcase");
  attribute_name(text, "classname", class_name != NULL ? class_name : "vkmeter");
  attribute(text, "name", name);
  vkm_text_string(text, " time=\"");
  vkm_format_seconds(text, ns);
  vkm_text_string(text, "\"");
}

void vkm_junit_begin_properties(struct vkm_text *text) {
  vkm_text_string(text, ">\n      <properties>\n");
}

void vkm_junit_property(const char *name, const char *value, struct vkm_text *text) {
  if (value != NULL) {
    vkm_text_string(text, "        <property");
    attribute_name(text, "name", name);
    attribute_name(text, "value", value);
    vkm_text_string(text, "/>\n");
  }
}

/* Inside of the case. */
static void append_outcome(enum vkm_junit outcome, const char *type, const struct vkm_text *message,
                           struct vkm_text *text) {
  static const char *const tags[VKM_JUNIT_OUTCOMES] = {"system-out", "failure", "error", "skipped"};
  vkm_text_string(text, "      <");
  vkm_text_string(text, tags[outcome]);
  if (outcome != VKM_JUNIT_PASSED) {
    attribute(text, "message", message);
  }
  if (outcome == VKM_JUNIT_FAILED || outcome == VKM_JUNIT_ERROR) {
    attribute_name(text, "type", type);
  }
  if (outcome == VKM_JUNIT_PASSED) {
    vkm_text_string(text, ">");
    append_escaped(message, text);
    vkm_text_string(text, "</system-out>\n");
  } else {
    vkm_text_string(text, "/>\n");
  }
}

void vkm_junit_end_case(enum vkm_junit outcome, const char *type, const struct vkm_text *message,
                        struct vkm_text *text) {
  if (outcome == VKM_JUNIT_PASSED && message->length_bytes == 0) {
    vkm_text_string(text, "/>\n");
    return;
  }
  vkm_text_string(text, ">\n");
  append_outcome(outcome, type, message, text);
  vkm_text_string(text, "    </testcase>\n");
}

void vkm_junit_end_case_open(enum vkm_junit outcome, const char *type,
                             const struct vkm_text *message, struct vkm_text *text) {
  vkm_text_string(text, "      </properties>\n");
  if (outcome != VKM_JUNIT_PASSED || message->length_bytes > 0) {
    append_outcome(outcome, type, message, text);
  }
  vkm_text_string(text, "    </testcase>\n");
}

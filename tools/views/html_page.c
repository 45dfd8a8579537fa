/* The frame of a page. In: sentences and sheets. Out: markup. Next: html. */
#include "views/html_page.h"

#include <string.h>

#include "views/html/assets.h"
#include "views/units.h"

void vkm_html_begin(struct vkm_text *text, const char *title, bool timeline) {
  vkm_text_string(text, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                        "<meta http-equiv=\"Content-Security-Policy\" content=\"");
  vkm_text_string(text, vkm_html_policy);
  vkm_text_string(text, "\">\n<meta name=\"viewport\" content=\"width=device-width\">\n"
                        "<meta name=\"generator\" content=\"vkmeter " VKM_VERSION "\">\n<title>");
  vkm_html_escaped(text, title, strlen(title));
  vkm_text_string(text, "</title>\n<style>");
  vkm_text_string(text, vkm_html_page_css);
  if (timeline) {
    vkm_text_string(text, "</style>\n<style>");
    vkm_text_string(text, vkm_html_timeline_css);
  }
  vkm_text_string(text, "</style>\n</head>\n<body>\n<main>\n");
}

static void append_script(struct vkm_text *text, const char *script) {
  vkm_text_string(text, "<script>");
  vkm_text_string(text, script);
  vkm_text_string(text, "</script>\n");
}

void vkm_html_end(struct vkm_text *text, bool timeline) {
  vkm_text_string(text, "</main>\n");
  append_script(text, vkm_html_page_js);
  if (timeline) {
    append_script(text, vkm_html_timeline_data_js);
    append_script(text, vkm_html_timeline_draw_js);
    append_script(text, vkm_html_timeline_view_js);
  }
  vkm_text_string(text, "</body>\n</html>\n");
}

void vkm_html_sentence(struct vkm_text *text, const char *tag, const char *class_name,
                       struct vkm_text *sentence) {
  if (sentence->length_bytes > 0) {
    vkm_text_string(text, "<");
    vkm_text_string(text, tag);
    if (class_name != NULL) {
      vkm_text_string(text, " class=\"");
      vkm_text_string(text, class_name);
      vkm_text_string(text, "\"");
    }
    vkm_text_string(text, ">");
    vkm_html_escaped(text, sentence->data, sentence->length_bytes);
    vkm_text_string(text, "</");
    vkm_text_string(text, tag);
    vkm_text_string(text, ">\n");
  }
  text->failed = text->failed || sentence->failed;
  vkm_text_clear(sentence);
}

static bool draws(const struct vkm_sheet *sheet) {
  for (size_t i = 0; i < sheet->column_count; i++) {
    if (sheet->columns[i]->draw != NULL && vkm_sheet_has(sheet, sheet->columns[i])) {
      return true;
    }
  }
  return false;
}

void vkm_html_sheet(struct vkm_text *text, const struct vkm_sheet *sheet, const char *label,
                    const struct vkm_view_settings *settings) {
  vkm_text_string(text, "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"");
  vkm_html_escaped(text, label, strlen(label));
  vkm_text_string(text, "\">\n<table class=\"sheet\">\n");
  vkm_sheet_html(sheet, settings, text);
  vkm_text_string(text, "</table>\n</div>\n");
  if (sheet->shown > VKM_HTML_DRAWN && draws(sheet)) {
    vkm_text_string(text, "<p class=\"faint\">Drawings stand in the first ");
    vkm_format_count(text, VKM_HTML_DRAWN);
    vkm_text_string(text, " rows only, so that the page stays light.</p>\n");
  }
}

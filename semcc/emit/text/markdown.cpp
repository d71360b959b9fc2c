#include "semcc/emit/text/markdown.h"

#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm.h>

#include <cstdlib>
#include <memory>
#include <vector>

namespace semcc::emit {
namespace {

template <auto release>
struct Release {
  template <typename T>
  void operator()(T* owned) const {
    release(owned);
  }
};
using Parser = std::unique_ptr<cmark_parser, Release<cmark_parser_free>>;
using Document = std::unique_ptr<cmark_node, Release<cmark_node_free>>;

bool leaves_page(cmark_node* link) { return cmark_node_get_url(link)[0] != '#'; }

// A page has a title above all headings, and no other file beside it that a README could mean.
void fit_into_page(cmark_node* document) {
  std::vector<cmark_node*> links;
  const std::unique_ptr<cmark_iter, Release<cmark_iter_free>> all(cmark_iter_new(document));
  while (cmark_iter_next(all.get()) != CMARK_EVENT_DONE) {
    cmark_node* const node = cmark_iter_get_node(all.get());
    if (cmark_iter_get_event_type(all.get()) != CMARK_EVENT_ENTER) continue;
    if (cmark_node_get_type(node) == CMARK_NODE_HEADING)
      cmark_node_set_heading_level(node, cmark_node_get_heading_level(node) + 1);
    if (cmark_node_get_type(node) == CMARK_NODE_LINK && leaves_page(node)) links.push_back(node);
  }
  for (cmark_node* const link : links) {
    while (cmark_node* const text = cmark_node_first_child(link)) cmark_node_insert_before(link, text);
    cmark_node_free(link);
  }
}

}  // namespace

std::string markdown_html(std::string_view text) {
  cmark_gfm_core_extensions_ensure_registered();
  const Parser parser(cmark_parser_new(CMARK_OPT_DEFAULT));
  cmark_parser_attach_syntax_extension(parser.get(), cmark_find_syntax_extension("table"));
  cmark_parser_feed(parser.get(), text.data(), text.size());
  const Document document(cmark_parser_finish(parser.get()));
  fit_into_page(document.get());
  const std::unique_ptr<char, Release<std::free>> html(
      cmark_render_html(document.get(), CMARK_OPT_DEFAULT, cmark_parser_get_syntax_extensions(parser.get())));
  return html.get();
}

}  // namespace semcc::emit

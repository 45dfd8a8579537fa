"""Is a page of vkmeter one file that needs nothing else? Its own reading of HTML, no browser."""

import base64
import hashlib
import html.parser
import pathlib
import re

HTML = pathlib.Path(__file__).resolve().parent.parent.parent / "tools" / "views" / "html"
VOID = {"meta", "br", "link", "img", "input", "hr"}
KNOWN = {"html", "head", "meta", "title", "style", "body", "main", "h1", "h2", "h3", "p", "div",
         "table", "thead", "tbody", "tr", "th", "td", "span", "svg", "path", "rect", "footer",
         "script"}
ATTRIBUTES = {"lang", "charset", "http-equiv", "content", "name", "class", "role", "tabindex",
              "aria-label", "aria-hidden", "scope", "data-id", "data-sorts", "data-value",
              "preserveaspectratio", "viewbox", "d", "width", "height"}


class Page(html.parser.HTMLParser):
    """Tags in balance; cells of each table; what script and style hold."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.faults, self.tables, self.policy = [], [], [], ""
        self.within = {"script": [], "style": []}
        self.feed(text)
        self.close()
        if self.open:
            self.faults.append(f"never closed: {self.open}")

    def handle_starttag(self, tag, attrs):
        if tag not in KNOWN:
            self.faults.append(f"a <{tag}> that no view writes")
        for name, value in attrs:
            if name not in ATTRIBUTES:
                self.faults.append(f"<{tag}> has an attribute {name}={value}")
        attributes = dict(attrs)
        if attributes.get("http-equiv") == "Content-Security-Policy":
            self.policy = attributes["content"]
        if tag not in VOID:
            self.open.append(tag)
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("th", "td"):
            self.tables[-1][-1].append("")
        elif tag in self.within:
            self.within[tag].append("")

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if self.open and self.open[-1] == tag:
            self.open.pop()

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> closes what is not open")

    def handle_data(self, data):
        inside = self.open[-1] if self.open else ""
        if inside in self.within:
            self.within[inside][-1] += data
        elif "svg" not in self.open and self.open[-1:] and {"th", "td"} & set(self.open):
            self.tables[-1][-1][-1] += data


def faults(text):
    """Whatever is wrong with a page; the page as it was read."""
    page = Page(text)
    found = list(page.faults)
    for tag, file in (("style", "page.css"), ("script", "page.js")):
        expected = (HTML / file).read_text(encoding="utf-8")
        if page.within[tag] != [expected]:
            found.append(f"{tag} is not {file}, once")
        digest = base64.b64encode(hashlib.sha256(expected.encode()).digest()).decode()
        if f"{tag}-src 'sha256-{digest}'" not in page.policy:
            found.append(f"the policy does not name {file}: {page.policy}")
    if not page.policy.startswith("default-src 'none'; "):
        found.append(f"the policy lets things in: {page.policy}")
    if re.search(r"url\(|@import|https?:", text):
        found.append("the page refers to something outside of it")
    for table in page.tables:
        if len({len(row) for row in table}) != 1:
            found.append(f"rows of different lengths: {table[:2]}")
    return found, page

# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""An HTML page as tests look at it: tags, identifiers, text, and that tags close."""

from html.parser import HTMLParser

VOID = {"meta", "link", "br", "hr", "img", "input", "rect", "path", "circle"}


class Page(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.pieces: list[tuple[str, str]] = []
        self.open: list[str] = []
        self.feed(html)
        self.close()
        assert not self.open, f"left open: {self.open}"

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, f"</{tag}> in {self.open}"
        self.open.pop()

    def handle_data(self, data):
        if data.strip():
            self.pieces.append((self.open[-1] if self.open else "", " ".join(data.split())))

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]

    def texts(self, tag: str) -> list[str]:
        return [text for name, text in self.pieces if name == tag]

    @property
    def text(self) -> str:
        return " ".join(text for name, text in self.pieces if name not in ("style", "title"))

    @property
    def ids(self) -> list[str]:
        return [str(a["id"]) for _, a in self.tags if "id" in a]

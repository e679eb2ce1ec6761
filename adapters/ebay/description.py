"""The description, which is a document of its own: where an item page links it, and its text."""

import re

from adapters.ebay.document import Document, host_of, shown_text
from adapters.ebay.sites import DESCRIPTION_HOSTS
from adapters.html import Source, clean


def frames(document: Document) -> list[str]:
    """The addresses of the frames that show a description on an item page."""
    return [clean(n.get("src")) for n in document.tags["iframe"] if n.get("id") == "desc_ifr" or "ebaydesc.com" in (n.get("src") or "")]


def _framed(document: Document) -> str | None:
    """As https, if its host is one of eBay's two."""
    for source in frames(document):
        url = "https:" + source if source.startswith("//") else re.sub(r"^http:", "https:", source)
        if url.startswith("https://") and host_of(url) in DESCRIPTION_HOSTS:
            return url
    return None


DESCRIPTION_URL: tuple[Source[Document, str], ...] = (Source("iframe#desc_ifr, iframe[src*=ebaydesc.com]", _framed),)

TEXT: tuple[Source[Document, str], ...] = (
    Source("#ds_div", lambda d: next(map(shown_text, d.by_id("ds_div")), None)),
    Source("the whole document, from a description's host", lambda d: shown_text(d.tree) if host_of(d.url) in DESCRIPTION_HOSTS else None),
)

"""What is not a page of the store: blocks, sign-in, server errors, missing pages.

A block is told by its form or its whole build, never by a word: ``splashui`` and ``px-captcha`` stand on good pages
too, and a good page may quote a block. So a mark counts only where the title agrees or the page has nothing else.
"""

import re
from typing import Any

from adapters.ebay.document import Document, text_of
from adapters.html import Source, first, xpath
from bridge.pages import BlockReason

_title = xpath("//title[not(ancestor::svg)]")
_captcha = xpath("//form[@id='captcha_form' or contains(@action, 'captcha_submit') or contains(@action, 'splashui/captcha')]")
_challenge = xpath("//form[@id='destForm'] | //input[@id='_chlghost'] | //script[contains(@src, '/challenge-')]")
_sign_in = xpath("//form[@id='signin-form' or @id='SignInForm' or @name='SignInForm' or contains(@action, 'signin.ebay.')][.//input[@type='password' or @name='userid']]")
_error = xpath("//*[@id='error-info'] | //*[contains(@class, 'error-header__headline')] | //*[contains(@class, 'page-notice--error')]")
_reference = xpath("//*[contains(@class, 'reference-id')]")
_content = xpath(
    "(//*[@id='srp-river-results' or @id='ListViewInner' or @id='itemTitle' or @id='prcIsum' or @id='desc_ifr']"
    " | //*[contains(@class, 'x-item-title') or contains(@class, 'x-price-primary') or contains(@class, 'srp-river-main')]"
    " | //li[contains(@class, 's-item') or contains(@class, 's-card')])[1]"
)
_body_text = xpath("//body")

_CAPTCHA_TITLE = re.compile(r"security measure|verify yourself|captcha|sicherheitsma|mesure de s|misura di sicurezza|medida de seguridad", re.I)
_CHALLENGE_TITLE = re.compile(r"pardon our interruption|checking your browser|just a moment|bitte entschuldigen|pardonnez|perdona", re.I)
_ERROR_TITLE = re.compile(r"^error page|^access denied|service unavailable|^fehlerseite|page d.erreur|pagina di errore|p.gina de error", re.I)
_SIGN_IN_TITLE = re.compile(r"^sign in|^einloggen|^anmelden|^connexion|^identif|^accedi|^zaloguj", re.I)
_MISSING = re.compile(
    r"page is missing|looked everywhere|no longer available|page not found|nicht gefunden|nicht mehr verf|page introuvable|introuvable"
    r"|pagina non|no encontramos|no se ha encontrado|nie mo.na znale|niet gevonden",
    re.I,
)


def title_of(document: Document) -> str:
    """The title of the page, blanks collapsed; empty if it has none."""
    titles = _title(document.tree)
    return text_of(titles[0]) if titles else ""


def _marked(document: Document, marks: Any, title: re.Pattern[str]) -> bool | None:
    """Whether one of the marks is there, and the title agrees or there is nothing else on the page."""
    if not marks(document.tree):
        return None
    return bool(title.search(title_of(document)) or not _content(document.tree)) or None


def _server_error(document: Document) -> BlockReason | None:
    if not _ERROR_TITLE.search(title_of(document)) or _content(document.tree) or is_missing(document):
        return None
    return "server_error"


BLOCKS: tuple[Source[Document, BlockReason], ...] = (
    Source("form#captcha_form (2019-)", lambda d: _marked(d, _captcha, _CAPTCHA_TITLE) and "captcha"),
    Source("form#destForm and its challenge script (2021-)", lambda d: _marked(d, _challenge, _CHALLENGE_TITLE) and "challenge"),
    Source("sign-in form with a password", lambda d: _marked(d, _sign_in, _SIGN_IN_TITLE) and "sign_in"),
    Source("error page with a reference, 'Access Denied'", _server_error),
)


def block_of(document: Document, trace: dict[str, str] | None = None) -> BlockReason | None:
    """Why the store refuses to serve, if it does."""
    return first(document, "reason", BLOCKS, trace)


def is_missing(document: Document) -> bool:
    """Whether the page says that there is no such page or listing: a short page with an error head and no reference number."""
    if _content(document.tree) or _reference(document.tree):
        return False
    if not (_error(document.tree) or _ERROR_TITLE.search(title_of(document))):
        return False
    body = _body_text(document.tree)
    return bool(body) and bool(_MISSING.search(text_of(body[0])[:4000]))

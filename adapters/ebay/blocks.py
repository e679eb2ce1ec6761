"""What is not a page of the store: blocks, sign-in, server errors, missing pages.

A block is told by its form and script together with its title, never by a word: ``splashui`` and ``px-captcha`` stand
on good pages too, and a good page may quote a block, a block a good page. So a form or a title alone counts only on a
page that shows no listing and no list.
"""

import re
from collections.abc import Callable
from typing import Any

from adapters.ebay.document import Document, text_of
from adapters.html import Source, first
from bridge.pages import BlockReason

_CAPTCHA_TITLE = re.compile(
    r"security measure|(?:please )?verify yourself|captcha$|sicherheitsma|mesures? de s|misur[ae] di sicurezza|medidas? de seguridad", re.I
)
_CHALLENGE_SCRIPT = re.compile(r"/challenge-[\w-]+\.js")
_CHALLENGE_TITLE = re.compile(r"pardon our interruption|checking your browser|just a moment", re.I)
_ERROR_TITLE = re.compile(
    r"error page|access denied|service unavailable|bad gateway|gateway time-?out|internal server error|50[0234]\b"
    r"|fehlerseite|page d.erreur|pagina di errore|p.{1,2}gina de error",
    re.I,
)
_SIGN_IN_TITLE = re.compile(r"(?:sign in|einloggen|anmelden|connexion|identif|accedi|iniciar sesi|zaloguj|inloggen)", re.I)
_MISSING = re.compile(
    r"page is missing|looked everywhere|(?:no longer|not) available|page not found|nicht (?:mehr )?(?:gefunden|verf|vorhanden)|introuvable"
    r"|n.est plus disponible|non . (?:pi. )?disponibile|pagina non|no encontramos|no se ha encontrado|no est. disponible"
    r"|nie mo.{1,2}na znale|niet (?:meer )?(?:gevonden|beschikbaar)",
    re.I,
)
_REFERENCE = re.compile(r"\b\d{1,2}\.[0-9a-f]{6,8}\.\d{10}\.[0-9a-f]{5,8}\b")
"""Number of a refused request, as the content network prints it."""
_HEADS = ("error-header", "error-header__headline", "error-header-v2", "page-notice--attention")
_LARGE = 400_000
"""Bytes above which a page is none of error."""
_LISTS = re.compile(r"\b(?:s-card|s-item|sresult|su-item-card)\b")


def has_content(document: Document) -> bool:
    """Whether the page shows a listing or a list of them."""
    if document.has("srp-river-results", "ListViewInner", "itemTitle", "prcIsum"):
        return True
    if any("x-item-title" in (n.get("class") or "") for n in document.tags["h1"]):
        return True
    return any(_LISTS.search(n.get("class") or "") for n in document.tree.iter("li"))


def _marked(document: Document, mark: bool, title: re.Pattern[str]) -> bool:
    """Both mark and title; or one of them on a page that shows nothing else."""
    titled = title.match(document.title) is not None
    return (mark and titled) or ((mark or titled) and not has_content(document))


def _captcha(document: Document) -> bool:
    forms = any("captcha" in (n.get("action") or "").lower() for n in document.tags["form"])
    return _marked(document, forms or document.has("captcha_form"), _CAPTCHA_TITLE)


def _challenge(document: Document) -> bool:
    scripts = any(_CHALLENGE_SCRIPT.search(address) for n in document.tags["script"] if (address := n.get("src")))
    return _marked(document, scripts or document.has("destForm", "_chlghost"), _CHALLENGE_TITLE)


def _sign_in(document: Document) -> bool:
    forms = any(n.get("id") in ("signin-form", "SignInForm") or n.get("name") == "SignInForm" for n in document.tags["form"])
    return _marked(document, forms and any(map(_is_credential, document.tags["input"])), _SIGN_IN_TITLE)


def _is_credential(field: Any) -> bool:
    return not {(field.get("name") or "").lower(), field.get("type")}.isdisjoint(("userid", "pass", "password"))


def _server_error(document: Document) -> bool:
    titled = _ERROR_TITLE.match(document.title) is not None
    return titled and (_has_error_head(document) or not has_content(document)) and not is_missing(document)


def _has_error_head(document: Document) -> bool:
    return document.has("error-info", blocks=_HEADS)


def _when(test: Callable[[Document], bool], reason: BlockReason) -> Callable[[Document], BlockReason | None]:
    return lambda document: reason if test(document) else None


BLOCKS: tuple[Source[Document, BlockReason], ...] = (
    Source("form#captcha_form (2019-)", _when(_captcha, "captcha")),
    Source("form#destForm and its challenge script (2021-)", _when(_challenge, "challenge")),
    Source("sign-in form with its fields", _when(_sign_in, "sign_in")),
    Source("error page that does not speak of a missing page", _when(_server_error, "server_error")),
)


def block_of(document: Document, trace: dict[str, str] | None = None) -> BlockReason | None:
    """Why the store refuses to serve, if it does."""
    return first(document, "reason", BLOCKS, trace)


def is_missing(document: Document) -> bool:
    """Whether an error page says that there is no such page or listing. Server errors carry a reference number instead."""
    headed = len(document.source) < _LARGE and _has_error_head(document)
    if not (headed or _ERROR_TITLE.match(document.title)) or has_content(document):
        return False
    text = text_of(document.tree)[:20_000]
    return bool(_MISSING.search(text)) and not _REFERENCE.search(text)

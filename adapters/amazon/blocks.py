"""Pages that refuse: told by form, script, links and size, never by a word that good pages carry too."""

import re
from collections.abc import Callable
from typing import Any

from adapters.amazon.document import Document
from adapters.html import Source, first, text_of, xpath
from bridge.pages import BlockReason

SMALL = 40_000
"""Bytes; error pages have 2,000 to 5,000, the smallest good page of the captures 200,000."""

TINY = 3_000
"""Bytes of a page that holds one sentence."""

_captcha_parts = xpath("descendant::img[contains(@src, '/captcha/')] | descendant::input[@id='captchacharacters']")
_captcha_image = xpath("descendant::img[contains(@src, 'captcha')]")
_account_fields = xpath("descendant::input[@name='email' or @type='password' or @id='ap_email']")
_waf_script = xpath("descendant::script[contains(@src, '.awswaf.com/') or contains(., 'gokuProps') or contains(., 'AwsWafIntegration')]")
_error_links = xpath("descendant::a[contains(@href, 'ref=cs_50')]/@href | descendant::img[contains(@src, '/error/500_503')]/@src")
_missing_links = xpath("descendant::a[contains(@href, 'ref=cs_404')]/@href | descendant::a[contains(@href, '/dogsofamazon')]/@href")
_bare_title = re.compile(r"(?:(?:www\.)?amazon\.[a-z.]{2,6})?", re.I)
_refusing_title = re.compile(
    r"robot check|bot check|human verification|authentication required|sorry! something went wrong!?|tut uns leid!?|page not found|"
    r"amazon sign[ -]?in|amazon anmelden|se connecter à amazon|accedi a amazon|iniciar sesión en amazon|fazer login na amazon",
    re.I,
)
_error_title = re.compile(
    r"sorry! something went wrong|tut uns leid|toutes nos excuses|désolés?\b|lo sentimos|ci dispiace|desculpe|"
    r"\b50[0234]\b|service (?:temporarily )?unavailable|bad gateway|gateway time-?out|request could not be satisfied|"
    r"access denied|throttled|申し訳",
    re.I,
)
_missing_title = re.compile(
    r"\b404\b|page not found|document not found|nicht gefunden|page introuvable|"
    r"no encontrad|não encontrad|non trovat|"
    r"niet gevonden|nie znaleziono|hittades inte|bulunamadı|見つかりません|找不到",
    re.I,
)


def _forms(page: Document, action: str) -> list[Any]:
    return [form for form in page.forms if action in (form.get("action") or "") and not _is_hidden(form)]


def _is_hidden(node: Any) -> bool:
    """Whether a shopper would not see it: a good page may carry a block page in a part that is not shown."""
    for part in (node, *node.iterancestors()):
        style, classes = (part.get("style") or "").replace(" ", ""), (part.get("class") or "").split()
        if part.tag in ("template", "noscript") or "display:none" in style or part.get("hidden") is not None:
            return True
        if "aok-hidden" in classes or "a-hidden" in classes:
            return True
    return False


def _captcha(page: Document) -> BlockReason | None:
    return "captcha" if any(_captcha_parts(form) for form in _forms(page, "validateCaptcha")) else None


def _continue_button(page: Document) -> BlockReason | None:
    return "interstitial" if _forms(page, "validateCaptcha") else None


def _captcha_of_account(page: Document) -> BlockReason | None:
    marked = any("cvf-widget-form-captcha" in (form.get("class") or "") for form in page.forms)
    return "captcha" if marked or any(_captcha_image(form) for form in _forms(page, "/ap/cvf/")) else None


def _sign_in(page: Document) -> BlockReason | None:
    forms = [form for form in page.forms if form.get("name") == "signIn" or re.search(r"/(?:ap|ax)/", form.get("action") or "")]
    return "sign_in" if any(_account_fields(form) and not _is_hidden(form) for form in forms) else None


def _captcha_host(page: Document) -> BlockReason | None:
    return "captcha" if len(page.source) <= SMALL and b"opfcaptcha" in page.source else None


def _challenge(page: Document) -> BlockReason | None:
    if (len(page.source) > SMALL and "challenge-container" not in page.ids) or not _waf_script(page.tree):
        return None
    return "captcha" if "captcha-container" in page.ids or b"AwsWafCaptcha" in page.source else "challenge"


def _server_error(page: Document) -> BlockReason | None:
    if len(page.source) > SMALL:
        return "server_error" if _error_title.match(page.title) and _refusing_title.fullmatch(page.title) else None
    return "server_error" if _error_links(page.tree) else None


BLOCKS: tuple[Source[Document, BlockReason], ...] = (
    Source("form[action*=validateCaptcha] with a captcha image (2013 on)", _captcha),
    Source("form[action*=validateCaptcha] with a button only (2025 on)", _continue_button),
    Source("form.cvf-widget-form-captcha (captcha before sign-in)", _captcha_of_account),
    Source("form[name=signIn]", _sign_in),
    Source("AWS WAF script on a small page", _challenge),
    Source("opfcaptcha script on a small page without its form", _captcha_host),
    Source("cs_50x links, 500_503 image of a small page", _server_error),
)


def block_of(page: Document, status: int, readable: Callable[[], bool], trace: dict[str, str] | None = None) -> BlockReason | None:
    """Why the store refused, or ``None``.

    ``readable`` tells whether the page carries an item or results of its own. It is asked only where a sign of a block
    stands on a large page under a title that no block page has: a good page that quotes a block page stays good.
    """
    reason: BlockReason | None = first(page, "reason", BLOCKS, trace)
    if reason is not None:
        if len(page.source) <= SMALL or _refusing_title.fullmatch(page.title) or not readable():
            return reason
        return reason if _bare_title.fullmatch(page.title) and _stands_first(page) else None
    refused = status >= 500 or status in (403, 429)
    words = page.title if len(page.source) > TINY else text_of(page.tree)
    if (refused or (len(page.source) <= SMALL and _error_title.search(words))) and not readable():
        if trace is not None:
            trace["reason"] = f"status {status}" if refused else "words of a small page"
        return "server_error"
    return None


def _stands_first(page: Document) -> bool:
    """Whether the sign of the block stands before anything of an item or of results."""

    def place(*literals: bytes) -> int:
        return min((at for at in map(page.source.find, literals) if at >= 0), default=len(page.source))

    return place(b"validateCaptcha", b"gokuProps") < place(b"productTitle", b"s-search-result", b"result_0", b"navbar")


def is_missing(page: Document, status: int, readable: Callable[[], bool]) -> bool:
    """Whether the store says that there is no such page."""
    if status in (404, 410):
        return True
    if len(page.source) <= SMALL and _missing_links(page.tree):
        return True
    return bool(_missing_title.search(page.title)) and (bool(_refusing_title.fullmatch(page.title)) or not readable())

"""Pages that refuse: told by form, script, links and size, never by a word that good pages carry too."""

import re
from collections.abc import Callable
from typing import Any

from adapters.amazon.document import Document
from adapters.html import Source, first, xpath
from bridge.pages import BlockReason

SMALL = 40_000
"""Bytes; error pages have 2,000 to 5,000, the smallest good page of the captures 200,000."""

_captcha_parts = xpath(".//img[contains(@src, '/captcha/')] | .//input[@id='captchacharacters']")
_captcha_image = xpath(".//img[contains(@src, 'captcha')]")
_account_fields = xpath(".//input[@name='email' or @type='password' or @id='ap_email']")
_waf_script = xpath("//script[contains(@src, '.awswaf.com/') or contains(., 'gokuProps') or contains(., 'AwsWafIntegration')]")
_error_links = xpath("//a[contains(@href, 'ref=cs_50')]/@href | //img[contains(@src, '/error/500_503')]/@src")
_missing_links = xpath("//a[contains(@href, 'ref=cs_404')]/@href | //a[contains(@href, '/dogsofamazon')]/@href")
_refusing_title = re.compile(r"(?:(?:www\.)?amazon\.[a-z.]{2,6}|robot check|bot check|human verification|authentication required)?", re.I)
_error_title = re.compile(
    r"sorry! something went wrong|tut uns leid|toutes nos excuses|désolés?\b|lo sentimos|ci dispiace|desculpe|"
    r"\b50[0234]\b|service (?:temporarily )?unavailable|bad gateway|gateway time-?out|request could not be satisfied|access denied|申し訳",
    re.I,
)
_missing_title = re.compile(
    r"\b404\b|page not found|document not found|(?:seite|dokument) nicht gefunden|page introuvable|"
    r"no encontrad|não encontrad|pagina non trovata|"
    r"niet gevonden|nie znaleziono|hittades inte|bulunamadı|見つかりません|找不到",
    re.I,
)


def _forms(page: Document, action: str) -> list[Any]:
    return [form for form in page.forms if action in (form.get("action") or "")]


def _captcha(page: Document) -> BlockReason | None:
    return "captcha" if any(_captcha_parts(form) for form in _forms(page, "validateCaptcha")) else None


def _continue_button(page: Document) -> BlockReason | None:
    return "interstitial" if _forms(page, "validateCaptcha") else None


def _captcha_of_account(page: Document) -> BlockReason | None:
    marked = any("cvf-widget-form-captcha" in (form.get("class") or "") for form in page.forms)
    return "captcha" if marked or any(_captcha_image(form) for form in _forms(page, "/ap/cvf/")) else None


def _sign_in(page: Document) -> BlockReason | None:
    forms = [form for form in page.forms if form.get("name") == "signIn" or re.search(r"/(?:ap|ax)/", form.get("action") or "")]
    return "sign_in" if any(_account_fields(form) for form in forms) else None


def _captcha_host(page: Document) -> BlockReason | None:
    return "captcha" if len(page.source) <= SMALL and b"opfcaptcha" in page.source else None


def _challenge(page: Document) -> BlockReason | None:
    if len(page.source) > SMALL or not _waf_script(page.tree):
        return None
    return "captcha" if "captcha-container" in page.ids or b"AwsWafCaptcha" in page.source else "challenge"


def _server_error(page: Document) -> BlockReason | None:
    if len(page.source) > SMALL:
        return None
    return "server_error" if _error_links(page.tree) or _error_title.search(page.title) else None


BLOCKS: tuple[Source[Document, BlockReason], ...] = (
    Source("form[action*=validateCaptcha] with a captcha image (2013 on)", _captcha),
    Source("form[action*=validateCaptcha] with a button only (2025 on)", _continue_button),
    Source("form.cvf-widget-form-captcha (captcha before sign-in)", _captcha_of_account),
    Source("form[name=signIn]", _sign_in),
    Source("AWS WAF script on a small page", _challenge),
    Source("opfcaptcha script on a small page without its form", _captcha_host),
    Source("cs_50x links, 500_503 image or title of a small page", _server_error),
)


def block_of(page: Document, status: int, readable: Callable[[], bool], trace: dict[str, str] | None = None) -> BlockReason | None:
    """Why the store refused, or ``None``.

    ``readable`` tells whether the page carries an item or results of its own. It is asked only where a sign of a block
    stands on a large page under a title that block pages do not have: a good page that quotes a block page stays good.
    """
    reason: BlockReason | None = first(page, "reason", BLOCKS, trace)
    if reason is not None:
        if len(page.source) <= SMALL or _refusing_title.fullmatch(page.title) or not readable():
            return reason
        return None
    if (status >= 500 or status in (403, 429)) and not readable():
        if trace is not None:
            trace["reason"] = f"status {status}"
        return "server_error"
    return None


def is_missing(page: Document, status: int, readable: Callable[[], bool]) -> bool:
    """Whether the store says that there is no such page."""
    if status in (404, 410):
        return True
    if len(page.source) <= SMALL:
        return bool(_missing_links(page.tree) or _missing_title.search(page.title))
    return bool(_missing_title.search(page.title)) and not readable()

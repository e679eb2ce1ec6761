"""Secrets and personal data out of responses, URLs and texts, before anything reads or keeps them.

What is taken out, whatever the site: every header that no reader needs (so cookies and authorization, too), the values of
names such as ``csrf``, ``session``, ``token``, ``api-key``, ``password``, ``postal-code`` in attributes, JSON, scripts and
queries and calls, the values of the site's cookies, e-mail addresses, JSON web tokens. What only one site has is in its adapter's
``secrets``.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from bridge.errors import ConfigurationError
from bridge.recording.find import Finder
from bridge.responses import Response

REDACTED = b"REDACTED"
"""What stands in place of a secret."""

HEADERS = frozenset(
    {
        "age",
        "cache-control",
        "cf-mitigated",
        "content-language",
        "content-type",
        "date",
        "expires",
        "last-modified",
        "location",
        "retry-after",
        "server",
        "vary",
        "x-amzn-waf-action",
    }
)
"""Response headers that are kept: a list of what may stay, because nobody can list every header that holds a secret."""

_quote = rb"(?:\\*[\"'`]|&quot;|&#3[49];|\\u0022)"
_colon = _quote + rb"?\s{0,3}:\s{0,3}"
_value = rb"((?:(?!%26)[^\s\"'`<>\\&;,(){}\[\]]|\\u00[0-9a-f]{2}|\\/){6,})"
_attributes = rb"(?:[a-z_:\-]{1,40}(?:\s{0,3}=\s{0,3}(?:\"[^\"<>]{0,200}\"|'[^'<>]{0,200}'|[^\s\"'<>=]{1,200}))?\s{1,40}){0,9}?"
_to_value = b"|".join(
    (
        _quote + rb"?\s{0,3}[:=]\s{0,3}\[?\s{0,3}" + _quote,  # "csrfToken":"…", data-session-id="…", session = '…', "token":["…"]
        rb"=|%3d",  # session-id=…&
        _colon + rb"\{\s{0,3}" + _quote + rb"?(?:id|value)" + _colon + _quote,  # session: {id: "…"
        _quote + rb"?\s{1,40}" + _attributes + rb"(?:content|value)\s*=\s*" + _quote + rb"?",  # name="csrf" type="hidden" value="…"
        _quote + rb"\s*,\s*" + _quote + rb"val(?:ue)?" + _colon + _quote,  # "name":"csrf","value":"…"
    )
)
_secret = re.compile(rb"[\w.\-]{0,40}(?:" + _to_value + rb")(?:bearer |basic )?" + _value)
_place = re.compile(rb"[\w.\-]{0,40}" + _quote + rb"?\s{0,3}[:=]\s{0,3}" + _quote + rb"?((?=[a-z \-]{0,9}\d)\w[\w \-]{2,9})(?!\w)")
_after = {
    **dict.fromkeys((b"csrf", b"xsrf", b"session", b"token", b"secret", b"password", b"authorization"), _secret),
    **dict.fromkeys((b"apikey", b"api_key", b"api-key", b"accesskey", b"access_key", b"access-key"), _secret),
    **dict.fromkeys((b"postalcode", b"postal_code", b"postal-code", b"zipcode", b"zip_code", b"zip-code"), _place),
    **dict.fromkeys((b'"auth"', b'"customerid"', b'"customer_id"', b'name="sid"'), _secret),
    b"sid=": re.compile(rb"(?<=[?&;]sid=)" + _value),
    b"bearer": re.compile(rb"\s+((?=[\w.\-]*\d)[\w.\-]{12,})"),
    b"aiza": re.compile(rb"([\w\-]{30,})"),
    b"akia": re.compile(rb"([0-9a-z]{16})(?!\w)"),
}
"""Word, in lower case, and what stands behind it up to the secret."""
_web_token = re.compile(rb"eyj(?:([\w\-]{8,}\.[\w\-]{8,}\.[\w\-]*)|[\w\-]*)")  # what is none is passed over as a whole
_before = re.compile(rb"(?:content|value)\s*=\s*[\"']([^\"'<>]{6,})[\"']\s+" + _attributes + rb"(?:name|id)\s*=\s*[\"']?[\w.\-]*$")
"""``value="…" name="csrf"``: what stands in front of a word whose value is in front of it."""
_argument = re.compile(rb"\(\s*" + _quote + rb"[\w.\-]*$")
_next_argument = re.compile(rb"[\w.\-]{0,40}" + _quote + rb"\s*,\s*" + _quote + _value)
"""``setItem("token", "…")``: what stands in front of a word that is a function's argument, and its value behind it."""
_literal = re.compile(rb"[\w/%\-]{4,}(?![*?{])")
_mailbox = re.compile(
    rb"(?<![\w.%+\-])[\w.%+\-]{1,64}@[a-z][a-z0-9\-]*(?:\.[a-z0-9\-]+)*\.(?!png|jpe?g|gif|svg|webp|css|js\b)[a-z]{2,12}(?!\w)"
)
_keys = re.compile(rb"\b(?:sk-[\w\-]{16,}|AIza[\w\-]{30,}|AKIA[0-9A-Z]{16}|hf_\w{20,}|gh[pousr]_\w{20,}|[Bb]earer\s+[\w.\-]{8,})")
_userinfo = re.compile(rb"://[^/?#@\s]{1,200}@")
_parameter = re.compile(rb"[?&;](?:access_key|auth|key|pass|passwd|pwd|sid|sig|signature|email|phone|zip|address)=([^&;#\s]+)", re.I)

_digits = re.compile(rb"\d[^\d]*\d[^\d]*\d")  # a value, not a piece of a script
_ECHOED = 12
"""Characters of a session's or a cookie's value from which on it is taken out wherever else it stands (in paths, in scripts)."""
_MOST_ECHOED = 32
"""Values that are looked for so; a page has one or two sessions, a store sets some ten cookies."""

Span = tuple[int, int]


def redact(response: Response, secrets: Sequence[re.Pattern[bytes]] = ()) -> Response:
    """The response without secrets, in its body, headers and URL. Nothing else of it changes.

    ``secrets`` are the adapter's own patterns: group 1 of each match is a secret, the whole match if there is no group.
    """
    known = [value.strip('"').encode("utf-8", "surrogatepass") for value in response.cookies]
    headers = {name: redact_text(value, secrets, known) for name, value in response.headers.items() if name in HEADERS}
    url = redact_text(response.url, secrets, known) if response.url else response.url
    return replace(response, url=url, headers=headers, body=_without(response.body, _spans(response.body, secrets, known)), cookies=())


def redact_text(text: str, secrets: Sequence[re.Pattern[bytes]] = (), known: Iterable[bytes] = ()) -> str:
    """A URL, an error or a note without secrets; also without keys of APIs and parameters such as ``sid`` and ``key``.

    ``known`` are values of cookies.
    """
    data = text.encode("utf-8", "surrogatepass")
    spans = [*_spans(data, secrets, known), *_groups(_keys, data), *_groups(_parameter, data)]
    spans += [(start + 3, end - 1) for start, end in _groups(_userinfo, data)]
    return _without(data, spans).decode("utf-8", "surrogatepass") if spans else text


def _spans(data: bytes, secrets: Sequence[re.Pattern[bytes]], known: Iterable[bytes]) -> list[Span]:
    """Where the secrets are."""
    lower = data.lower()
    finder, own = _finder(tuple(secrets))
    spans = [*_groups(_web_token, lower), *_mailboxes(lower)]
    sessions: list[Span] = []
    ended = 0
    for at, word in sorted(finder.places(lower)):
        if at < ended:
            continue  # within a secret: a page of nothing but names takes no quadratic time
        matches = (pattern.match(data, at) for pattern in own.get(word, ()))
        sessions += [match.span(1 if match.re.groups else 0) for match in matches if match]
        after = _after.get(word)
        if after and (found := _value_of(after, lower, at, at + len(word))):
            (sessions if word == b"session" else spans).append(found.span(1))
            ended = found.end(1)
    echoed = {value for value in (*known, *(data[start:end] for start, end in sessions)) if len(value) >= _ECHOED and _digits.search(value)}
    for value in sorted(echoed, key=len)[:_MOST_ECHOED]:
        spans += _everywhere(value, data)
    return spans + sessions


@lru_cache(maxsize=16)
def _finder(secrets: tuple[re.Pattern[bytes], ...]) -> tuple[Finder, dict[bytes, list[re.Pattern[bytes]]]]:
    """The finder of all words, and an adapter's patterns by the literal that each begins with."""
    own: dict[bytes, list[re.Pattern[bytes]]] = {}
    for pattern in secrets:
        found = _literal.match(pattern.pattern)
        if found is None:
            raise ConfigurationError(f"a secret's pattern begins with a literal of four characters at least: {pattern.pattern!r}")
        own.setdefault(found[0].lower(), []).append(pattern)
    return Finder({**_after, **own}), own


def _value_of(after: re.Pattern[bytes], lower: bytes, start: int, end: int) -> re.Match[bytes] | None:
    """The value that belongs to the name which the word stands in: behind it, or in an attribute before it."""
    found = after.match(lower, end)
    if found or after is not _secret:
        return found
    found = _next_argument.match(lower, end)
    if found and _argument.search(lower, max(0, start - 60), start):
        return found
    return _before.search(lower, max(0, start - 400), start)


def _groups(pattern: re.Pattern[bytes], data: bytes) -> Iterator[Span]:
    return (match.span(1 if pattern.groups else 0) for match in pattern.finditer(data) if not pattern.groups or match[1] is not None)


def _everywhere(value: bytes, data: bytes) -> Iterator[Span]:
    at = data.find(value)
    while at >= 0:
        yield at, at + len(value)
        at = data.find(value, at + len(value))


def _mailboxes(lower: bytes) -> Iterator[Span]:
    at = lower.find(b"@")
    while at >= 0:
        if lower[at - 1 : at].isalnum() and lower[at + 1 : at + 2].isalpha():  # most are CSS rules and file names
            found = _mailbox.search(lower, max(0, at - 65), at + 120)
            if found and found.start() < at < found.end():
                yield found.span()
        at = lower.find(b"@", at + 1)


def _without(data: bytes, spans: Iterable[Span]) -> bytes:
    """The data with each span replaced; spans may overlap."""
    parts: list[bytes] = []
    position = 0
    for start, end in sorted(spans):
        if start >= position:
            parts += [data[position:start], REDACTED]
        position = max(position, end)
    return b"".join([*parts, data[position:]]) if parts else data

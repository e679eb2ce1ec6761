"""The guard inside a browser: every request of every frame, worker and pop-up is held until it has been checked.

One DevTools connection to the browser as a whole has ``Fetch`` enabled, so that requests of targets that do not exist yet
are held as well. What never comes by there is closed otherwise: WebSockets by a policy on each document, speculative loads
by a preference, and whatever is left by the name resolver, which knows the site's hosts only (both in ``chromium.py``).
"""

import base64
import binascii
import json
import threading
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from dataclasses import replace
from http.client import HTTPConnection, HTTPException
from itertools import count
from typing import Any

import websocket

from bridge.errors import BridgeError, FetchError, FetchTimeout, GuardRefused, Unreachable
from bridge.fetchers.base import MAX_REDIRECTS, UNRECORDED, Clock
from bridge.fetchers.body import LIMIT, Dropped, read_body
from bridge.guard import Guard
from bridge.responses import Response, Try

POLICY = "connect-src http: https: data: blob:; sandbox allow-scripts allow-same-origin allow-forms"
"""Sent with each document. It closes what is no ``Fetch`` event: WebSockets, and by the sandbox pop-ups, dialogs and downloads.
Other connections and forms stay open here, for the guard to refuse and record."""
BLANK_IMAGE = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
"""One transparent pixel (GIF, base64)."""
MOST_REFUSALS = 100
"""Refusals that are kept for one page; a page may try without end."""
ANSWER_SECONDS = 10.0
_DROPS = ("ConnectionReset", "ConnectionClosed", "ConnectionAborted")

Event = dict[str, Any]


class Interception:
    """Holds, checks and answers every request of one browser.

    A document passes only if :meth:`allow` has just named it, or a redirect of the store's server leads there inside the
    grammar; assets pass from the asset hosts by GET. If the connection ends, ``on_lost`` is called: it has to end the browser.
    """

    def __init__(
        self,
        address: str,
        guard: Guard,
        clock: Clock,
        on_lost: Callable[[], None],
        *,
        offline: bool,
        credentials: tuple[str, str] | None = None,
        limit: int = LIMIT,
    ) -> None:
        """Connect to the browser at ``address`` (``127.0.0.1:PORT``) and put the guard in force.

        ``offline``: documents are handed in and nothing else is loaded. ``credentials`` are for the proxy.
        Raises ``Unreachable`` if the browser does not play along.
        """
        self._guard, self._clock, self._on_lost = guard, clock, on_lost
        self._offline, self._credentials, self._limit = offline, credentials, limit
        self._lock = threading.Lock()
        self._numbers = count(1)
        self._replies: dict[int, Future[Event]] = {}
        self._closing = self.lost = False
        self._allowed: tuple[str, Response | None] | None = None
        self._navigation: str | None = None
        self._hops = self._refused = 0
        self._authenticated: set[str] = set()
        self._events: list[Try] = []
        self.failure: BridgeError | None = None
        """Why the document that was allowed last did not come."""
        self.document: Response | None = None
        """The document that was loaded last, as the store sent it."""
        try:
            self._socket = websocket.create_connection(
                _endpoint(address), timeout=ANSWER_SECONDS, suppress_origin=True, http_no_proxy=["127.0.0.1"]
            )
            self._socket.settimeout(None)
        except (OSError, HTTPException, ValueError, websocket.WebSocketException) as error:
            raise Unreachable(f"cannot put the guard into the browser: {error}") from None
        threading.Thread(target=self._listen, daemon=True).start()
        every = {"urlPattern": "*", "requestStage": "Request"}
        documents = {"urlPattern": "*", "resourceType": "Document", "requestStage": "Response"}
        self.command("Fetch.enable", patterns=[every, documents], handleAuthRequests=True)
        self.command("Browser.setDownloadBehavior", behavior="deny")

    def allow(self, url: str, document: Response | None) -> None:
        """Let the next navigation to this URL pass; it gets ``document``, or else goes to the store. Raises if out of force."""
        self.command("Browser.getVersion")  # the connection answers
        with self._lock:
            self._allowed, self._navigation, self._hops = (url, document), None, 0
            self.failure = self.document = None

    def events(self) -> list[Try]:
        """Redirects and refusals since the last call, in order."""
        with self._lock:
            found, self._events = self._events, []
            if self._refused > MOST_REFUSALS:
                last = found.pop()
                found.append(replace(last, error=f"{self._refused} requests refused; the last: {last.error}"))
            self._refused = 0
            return found

    def command(self, method: str, **parameters: Any) -> Event:
        """The result of one DevTools command. Raises ``GuardRefused`` (rule ``in_force``) if the browser does not answer."""
        reply: Future[Event] = Future()
        number = next(self._numbers)
        with self._lock:
            self._replies[number] = reply
        self._send(number, method, parameters)
        try:
            return reply.result(ANSWER_SECONDS)
        except FutureTimeout:
            raise GuardRefused("in_force", method) from None

    def close(self) -> None:
        """End the connection; the browser has to be at its end already."""
        self._closing = True
        self._socket.close()

    def _send(self, number: int, method: str, parameters: Event) -> None:
        try:
            if self.lost:
                raise websocket.WebSocketConnectionClosedException
            self._socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        except (OSError, websocket.WebSocketException):
            raise GuardRefused("in_force", method) from None

    def _listen(self) -> None:
        try:
            while True:
                message = json.loads(self._socket.recv())
                if "id" in message:
                    self._settle(message)
                elif message.get("method") == "Fetch.requestPaused":
                    self._paused(message["params"])
                elif message.get("method") == "Fetch.authRequired":
                    self._authenticate(message["params"])
        except (OSError, ValueError, GuardRefused, websocket.WebSocketException):
            pass
        finally:  # whatever happened: without this thread nothing is checked
            self.lost = True
            if not self._closing:
                self._on_lost()
            with self._lock:
                waiting, self._replies = self._replies, {}
            for reply in waiting.values():
                reply.set_exception(GuardRefused("in_force", "the browser"))

    def _settle(self, message: Event) -> None:
        with self._lock:
            reply = self._replies.pop(message["id"], None)
        if reply is None:
            return  # the answer to an answer
        if "error" in message:
            reply.set_exception(Unreachable(f"the browser said: {message['error'].get('message')}"))
        else:
            reply.set_result(message["result"])

    def _answer(self, method: str, event: Event, **parameters: Any) -> None:
        self._send(next(self._numbers), method, {"requestId": event["requestId"], **parameters})

    def _paused(self, event: Event) -> None:
        if "responseStatusCode" in event or "responseErrorReason" in event:
            self._answered(event)
            return
        url, method = event["request"]["url"], event["request"]["method"]
        try:
            if event["resourceType"] == "Document":
                self._document(event, url, method)
            else:
                self._guard.check_asset(url, method)
                if self._offline:
                    self._blank(event)
                else:
                    self._answer("Fetch.continueRequest", event)
        except GuardRefused as refusal:
            if refusal.rule == "in_force":
                raise
            if event["resourceType"] == "Other" and url.endswith("/favicon.ico"):  # asked for by the browser, not by the page
                self._answer("Fetch.failRequest", event, errorReason="BlockedByClient")
            else:
                self._refuse(event, url, refusal)

    def _blank(self, event: Event) -> None:
        """No asset offline. An image is a blank one: pages that put another in place of a missing one would do so for ever."""
        if event["resourceType"] == "Image":
            kind = [{"name": "Content-Type", "value": "image/gif"}]
            self._answer("Fetch.fulfillRequest", event, responseCode=200, responseHeaders=kind, body=BLANK_IMAGE)
        else:
            self._answer("Fetch.fulfillRequest", event, responseCode=404)

    def _document(self, event: Event, url: str, method: str) -> None:
        """Answer a document; raises ``GuardRefused`` for one that was not asked for."""
        with self._lock:
            allowed, document = self._allowed or (None, None)
            if allowed == url and method == "GET":
                self._allowed, self._navigation = None, event["requestId"]
            else:
                self._guard.check(url, method)
                if not self._is_redirect(event):
                    raise GuardRefused("navigation", url)
                self._hops += 1
                self._navigation = event["requestId"]
        if document is not None:
            self._fulfil(event, document)
        elif self._hops > MAX_REDIRECTS:
            self._fail(event, Unreachable(f"more than {MAX_REDIRECTS} redirects, the last to {url[:300]}"))
        else:
            self._guard.check(url, method)
            self._answer("Fetch.continueRequest", event)

    def _is_redirect(self, event: Event) -> bool:
        """Whether the store's server sent the navigation that is under way here."""
        return self._navigation is not None and event.get("redirectedRequestId") == self._navigation

    def _fail(self, event: Event, error: BridgeError) -> None:
        """End the navigation that is under way with an error; a later one is not touched."""
        with self._lock:
            if self._navigation == event["requestId"]:
                self.failure, self._navigation = error, None
        # an aborted navigation leaves the page where it is, a failed one would put an error page in its place
        self._answer("Fetch.failRequest", event, errorReason="Aborted")

    def _refuse(self, event: Event, url: str, refusal: GuardRefused) -> None:
        with self._lock:
            self._refused += 1
            attempt = Try(url=url, started=self._clock.now(), seconds=0.0, error=str(refusal))
            self._events = [*self._events, attempt] if self._refused <= MOST_REFUSALS else [*self._events[:-1], attempt]
            if self._is_redirect(event):
                self.failure, self._navigation = refusal, None
        # see _fail; a blocked asset, on the other hand, is told as blocked
        reason = "Aborted" if event["resourceType"] == "Document" else "BlockedByClient"
        self._answer("Fetch.failRequest", event, errorReason=reason)

    def _answered(self, event: Event) -> None:
        """A document came from the store: note it, and hand it on without the headers that make a browser act."""
        reason = event.get("responseErrorReason")
        if reason is not None:
            kind = FetchTimeout if reason == "TimedOut" else Dropped if reason in _DROPS else Unreachable
            self._fail(event, kind(f"the browser could not load {event['request']['url'][:300]}: {reason}"))
            return
        if event["responseStatusCode"] == 407:
            self._fail(event, Unreachable("the proxy does not take the user and password"))
            return
        headers = {h["name"].lower(): h["value"] for h in event.get("responseHeaders", [])}
        response = Response(url=event["request"]["url"], status=event["responseStatusCode"], headers=headers, body=b"")
        if 300 <= response.status < 400 and "location" in headers:
            with self._lock:
                self._events.append(Try(url=event["request"]["url"], started=self._clock.now(), seconds=0.0, response=response))
            self._answer("Fetch.continueRequest", event)
            return
        # reading it takes commands, and their replies come to this thread
        threading.Thread(target=self._hand_on, args=(event, response), daemon=True).start()

    def _hand_on(self, event: Event, response: Response) -> None:
        """Give the browser the store's document once all of it is here; whether it is all, only its length can tell."""
        try:
            stream = self.command("Fetch.takeResponseBodyAsStream", requestId=event["requestId"])["stream"]
            body = read_body(iter(lambda: self._chunk(stream), b""), "", self._limit)
            length = response.headers.get("content-length", "")
            coded = "content-encoding" in response.headers  # its length is that of the coded body, of which nothing may have come
            if length.isdigit() and int(length) != len(body) and not (coded and body):
                raise Dropped(f"the store dropped the connection after {len(body)} of {length} bytes")
            headers = {name: value for name, value in response.headers.items() if name not in UNRECORDED}
            self._fulfil(event, Response(url=response.url, status=response.status, headers=headers, body=body))
        except (FetchError, GuardRefused) as error:
            if not self.lost:
                self._fail(event, error)

    def _chunk(self, stream: str) -> bytes:
        """What has come since; nothing only at the end: a busy browser has nothing yet now and then."""
        while True:
            part = self.command("IO.read", handle=stream, size=1 << 20)
            data = base64.b64decode(part["data"]) if part.get("base64Encoded") else part["data"].encode()
            if data or part["eof"]:
                return data

    def _fulfil(self, event: Event, document: Response) -> None:
        with self._lock:
            if self._navigation == event["requestId"]:
                self.document = document
        headers = {"Content-Type": document.headers.get("content-type") or "text/html", "Content-Security-Policy": POLICY}
        self._answer(
            "Fetch.fulfillRequest",
            event,
            responseCode=document.status,
            responseHeaders=[{"name": name, "value": value} for name, value in headers.items()],
            body=binascii.b2a_base64(document.body, newline=False).decode(),
        )

    def _authenticate(self, event: Event) -> None:
        """Give the proxy its password, once for a request; a site gets none."""
        answer = {"response": "CancelAuth"}
        if self._credentials and event["authChallenge"].get("source") == "Proxy" and event["requestId"] not in self._authenticated:
            self._authenticated.add(event["requestId"])
            answer = {"response": "ProvideCredentials", "username": self._credentials[0], "password": self._credentials[1]}
        self._answer("Fetch.continueWithAuth", event, authChallengeResponse=answer)


def _endpoint(address: str) -> str:
    """The websocket URL of the browser whose DevTools listen there."""
    host, _, port = address.partition(":")
    connection = HTTPConnection(host, int(port), timeout=ANSWER_SECONDS)
    try:
        connection.request("GET", "/json/version")
        url: str = json.load(connection.getresponse())["webSocketDebuggerUrl"]
        return url
    finally:
        connection.close()

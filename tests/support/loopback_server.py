"""A loopback server that answers as a test tells it to, and keeps a log as the witness."""

import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

Answer = Callable[[BaseHTTPRequestHandler], None]


class Server:
    """Answers by path (without query); ``other`` answers what is not told."""

    def __init__(self) -> None:
        self.answers: dict[str, Answer | list[Answer]] = {}
        """A list is used up from the front, its last entry stays."""
        self.other: Answer = page("<html><body>plain</body></html>")
        self.log: list[tuple[str, str, dict[str, str]]] = []
        """Method, path with query, headers (names in lower case)."""
        self.stop = threading.Event()
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self) -> None:
                server.log.append((self.command, self.path, {k.lower(): v for k, v in self.headers.items()}))
                told = server.answers.get(self.path.partition("?")[0], server.other)
                if isinstance(told, list):
                    told = told.pop(0) if len(told) > 1 else told[0]
                try:
                    told(self)
                except (BrokenPipeError, ConnectionResetError):
                    self.close_connection = True

            do_GET = do_POST = do_HEAD = do_PUT = do_OPTIONS = do_CONNECT = answer

            def log_message(self, *args: object) -> None:
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self._http.handle_error = lambda *_: None  # a client that hangs up
        self.origin = f"http://127.0.0.1:{self._http.server_port}"
        threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()

    def paths(self) -> list[str]:
        return [path for _, path, _ in self.log]

    def close(self) -> None:
        self.stop.set()
        self._http.shutdown()
        self._http.server_close()


def page(body: str | bytes, status: int = 200, **headers: str) -> Answer:
    """A complete answer; header names with ``_`` for ``-``."""
    data = body.encode() if isinstance(body, str) else body

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        for name, value in {"Content-Type": "text/html; charset=utf-8", **named}.items():
            handler.send_header(name, value)
        handler.send_header("Content-Length", str(len(data)))
        handler.end_headers()
        handler.wfile.write(data)

    return answer


def redirect(location: str, status: int = 302) -> Answer:
    return page("moved", status, Location=location)


def raw(data: bytes) -> Answer:
    """These bytes and nothing else; then the connection ends."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.wfile.write(data)
        handler.close_connection = True

    return answer

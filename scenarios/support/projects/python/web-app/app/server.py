import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from app.tasks import Tasks

PUBLIC = Path(__file__).parent.parent / "public"
PAGES = {"/": ("index.html", "text/html"), "/style.css": ("style.css", "text/css")}


def make_server(port):
    tasks = Tasks()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            if self.path == "/api/tasks":
                self.answer(200, "application/json", json.dumps(tasks.items).encode())
            elif self.path in PAGES:
                name, kind = PAGES[self.path]
                self.answer(200, kind, (PUBLIC / name).read_bytes())
            else:
                self.answer(404, "text/plain", b"not found")

        def do_POST(self):
            if self.path != "/api/tasks":
                return self.answer(404, "text/plain", b"not found")
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            try:
                task = tasks.add(json.loads(body)["title"])
            except (ValueError, KeyError, TypeError):
                return self.answer(400, "text/plain", b"expected a title")
            self.answer(201, "application/json", json.dumps(task).encode())

        def answer(self, status, kind, body):
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args):
            pass

    return ThreadingHTTPServer(("127.0.0.1", port), Handler)

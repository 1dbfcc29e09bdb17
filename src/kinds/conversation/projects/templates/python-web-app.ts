import type { ProjectTemplate } from './template.js';
import { webPage } from './web-page.js';

/** A web app with a list of tasks, in Python with http.server. */
export const pythonWebApp: ProjectTemplate = {
  usage: 'PORT=3000 python3 -m app',
  serve: ['python3', '-m', 'app'],
  files: (name) => ({
    ...webPage(name),
    'app/__init__.py': '"""A list of tasks over HTTP."""\n',
    'app/tasks.py': `class Tasks:
    def __init__(self):
        self.items = []

    def add(self, title):
        task = {"id": len(self.items) + 1, "title": title, "done": False}
        self.items.append(task)
        return task

    def complete(self, task_id):
        for task in self.items:
            if task["id"] == task_id:
                task["done"] = True
                return task
        raise KeyError(task_id)

    def remaining(self):
        return [task for task in self.items if not task["done"]]
`,
    'app/server.py': `import json
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
`,
    'app/__main__.py': `import os

from app.server import make_server

server = make_server(int(os.environ.get("PORT", "3000")))
print(f"http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
`,
    'tests/__init__.py': '',
    'tests/test_tasks.py': `import unittest

from app.tasks import Tasks


class TasksTest(unittest.TestCase):
    def test_ids_count_from_one(self):
        tasks = Tasks()
        self.assertEqual([tasks.add("a")["id"], tasks.add("b")["id"]], [1, 2])

    def test_complete(self):
        tasks = Tasks()
        tasks.add("a")
        tasks.add("b")
        tasks.complete(tasks.items[0]["id"])
        self.assertEqual([task["title"] for task in tasks.remaining()], ["b"])

    def test_complete_unknown(self):
        with self.assertRaises(KeyError):
            Tasks().complete(7)


if __name__ == "__main__":
    unittest.main()
`,
    'tests/test_server.py': `import json
import threading
import unittest
import urllib.error
import urllib.request

from app.server import make_server


class ServerTest(unittest.TestCase):
    def setUp(self):
        self.server = make_server(0)
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()
        self.opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))

    def tearDown(self):
        self.server.shutdown()
        self.server.server_close()

    def fetch(self, path, data=None):
        url = f"http://127.0.0.1:{self.server.server_port}{path}"
        with self.opener.open(url, data) as response:
            return response.read().decode()

    def test_serves_the_page(self):
        self.assertIn('class="card"', self.fetch("/"))
        self.assertIn(".card {", self.fetch("/style.css"))

    def test_adds_a_task(self):
        self.fetch("/api/tasks", json.dumps({"title": "write"}).encode())
        self.assertEqual([task["title"] for task in json.loads(self.fetch("/api/tasks"))], ["write"])

    def test_refuses_a_task_without_a_title(self):
        with self.assertRaises(urllib.error.HTTPError) as caught:
            self.fetch("/api/tasks", b"{}")
        self.assertEqual(caught.exception.code, 400)
        caught.exception.close()


if __name__ == "__main__":
    unittest.main()
`,
  }),
};

import json
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

import os

from app.server import make_server

server = make_server(int(os.environ.get("PORT", "3000")))
print(f"http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()

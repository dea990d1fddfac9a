"""AbstractPlay as docs/scripts/abstractplay_bot.py sees it, on this machine alone: checks all that the bot does.

Arguments: the bot, the program `vato`, a finished game as AbstractPlay records it, a folder for files.
"""

import base64
import http.client
import importlib.util
import json
import os
import queue
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs

try:
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
except ImportError as missing:
    print(f"skipped, for a package is missing: {missing}")
    sys.exit()

BOT, VATO, FINISHED, FOLDER = sys.argv[1:]
SECRET = "not to be printed"
KEY, OTHER_KEY = Ed25519PrivateKey.generate(), Ed25519PrivateKey.generate()


# ---- the side of AbstractPlay


class AbstractPlay(BaseHTTPRequestHandler):
    tokens = []
    # How the next moves are answered; 200 if nothing is said.
    statuses = []
    moves = queue.Queue()

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path == "/token":
            form = {key: value for key, [value] in parse_qs(body.decode()).items()}
            assert form == {"grant_type": "client_credentials", "client_id": "vato-id",
                            "client_secret": SECRET, "scope": "bots/communicate"}, form
            self.tokens.append(f"token {len(self.tokens)}")
            return self.answer(200, {"access_token": self.tokens[-1], "expires_in": 3600})
        assert self.path == "/botQuery", self.path
        status = self.statuses.pop(0) if self.statuses else 200
        if self.headers["Authorization"] != f"Bearer {self.tokens[-1]}":
            status = 401
        self.moves.put((status, json.loads(body)))
        self.answer(status, {})

    def answer(self, status, content):
        self.send_response(status)
        self.end_headers()
        self.wfile.write(json.dumps(content).encode())

    def log_message(self, *_):
        pass


def submitted(status=200):
    """The next move that the bot sends: game and move."""
    answered, move = AbstractPlay.moves.get(timeout=30)
    assert answered == status, (answered, move)
    assert (move.pop("verb"), move.pop("metaGame")) == ("move", "fanorona"), move
    return move["gameid"], move["move"]


def signed(body, key=KEY, age=0, nonce=None):
    stamp = str(int(time.time()) - age)
    nonce = nonce or os.urandom(16).hex()
    signature = key.sign(f"{stamp}.{nonce}.".encode() + body)
    return {"X-Signature-Timestamp": stamp, "X-Signature-Nonce": nonce,
            "X-Signature": base64.b64encode(signature).decode()}


def ask(method, body=None, headers=None):
    """Status and content of the bot's answer."""
    connection = http.client.HTTPConnection("127.0.0.1", PORT, timeout=30)
    connection.request(method, "/bot", body, headers or {})
    answer = connection.getresponse()
    content = json.loads(answer.read())
    connection.close()
    return answer.status, content


def post(payload):
    body = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    return ask("POST", body, signed(body))[0]


def turn_of(game, rounds, **more):
    return {"verb": "move", "metaGame": "fanorona", "variants": [], "gameid": game, "clockCurr": 48,
            "numPlayers": 2, "moves": rounds, **more}


def legal(moves):
    """The legal turns in AbstractPlay's notation, after turns in Vato's."""
    position = " ".join(["position startpos", *(["moves"] if moves else []), *moves])
    said = subprocess.run([VATO], input=f"{position}\nlegal\nquit\n", capture_output=True, text=True, check=True)
    turns = []
    for line in said.stdout.splitlines():
        if not line.startswith("info"):
            points = re.findall("[a-i][1-5]", line)
            signs = ["+" if kind == "A" else "-" for kind in re.findall("[AW]", line)] or [""]
            turns.append(points[0] + ", ".join(map("".join, zip(points[1:], signs))))
    assert turns, said
    return turns


# ---- what is read and written

spec = importlib.util.spec_from_file_location("bot", BOT)
bot = importlib.util.module_from_spec(spec)
spec.loader.exec_module(bot)
for theirs, ours in [("f2e3+", "f2-e3A"), ("d2d1-, e1+", "d2-d1W-e1A"), ("D2D1-,e1+", "d2-d1W-e1A"), ("c3b4", "c3-b4")]:
    assert bot.to_vato(theirs) == ours
    assert bot.from_vato(ours) == theirs.lower().replace(",e", ", e")
for text in ["", "resign", "f2", "f2e3++", "f2e3+,", "f2e3, d4+, e", "f2e3+\nquit", "j2e3"]:
    try:
        raise SystemExit(f"{text!r} is read as {bot.to_vato(text)!r}")
    except bot.NotPlayed:
        pass

public = KEY.public_key()
line = public.public_bytes(serialization.Encoding.OpenSSH, serialization.PublicFormat.OpenSSH).decode()
blob = line.split()[1]
pem = public.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo).decode()
ssh2 = f'---- BEGIN SSH2 PUBLIC KEY ----\nComment: "a key"\n{blob[:50]}\n{blob[50:]}\n---- END SSH2 PUBLIC KEY ----\n'
raw = (serialization.Encoding.Raw, serialization.PublicFormat.Raw)
for text in [line, line + " a comment\n", pem, ssh2]:
    assert bot.public_key(text).public_bytes(*raw) == public.public_bytes(*raw)

# ---- what the bot needs to start

server = ThreadingHTTPServer(("127.0.0.1", 0), AbstractPlay)
threading.Thread(target=server.serve_forever, daemon=True).start()
there = f"http://127.0.0.1:{server.server_port}"
key_file = os.path.join(FOLDER, "key.txt")
with open(key_file, "w") as file:
    file.write(ssh2)
pids = os.path.join(FOLDER, "pids")
program = os.path.join(FOLDER, "vato.sh")
with open(program, "w") as file:
    file.write(f"#!/bin/sh\necho $$ >> '{pids}'\nexec '{VATO}'\n")
os.chmod(program, 0o755)
settings = {
    "BOT_TOKEN_URL": there + "/token", "BOT_QUERY_URL": there + "/botQuery", "BOT_OAUTH_SCOPE": "bots/communicate",
    "BOT_CLIENT_ID": "vato-id", "BOT_CLIENT_SECRET": SECRET, "AP_BOT_PUBLIC_KEY": key_file}
environment = {key: value for key, value in os.environ.items() if not key.lower().endswith("_proxy")}
command = [sys.executable, BOT, "--port", "0", "--vato", program, "--movetime", "0.02", "--option", "Hash=1"]


def refuses_to_start(changes, words, *arguments):
    own = {key: value for key, value in {**environment, **settings, **changes}.items() if value}
    ended = subprocess.run([*command, *arguments], env=own, capture_output=True, text=True)
    assert ended.returncode in (1, 2) and words in ended.stderr, ended


starts = [({"BOT_TOKEN_URL": "http://example.org/token"}, "expected https"), ({"BOT_CLIENT_SECRET": ""}, "BOT_CLIENT_SECRET"),
          ({"BOT_QUERY_URL": "", "BOT_TOKEN_URL": ""}, "--token-url, --query-url"), ({"AP_BOT_PUBLIC_KEY": "x"}, "key"),
          ({}, "--movetime", "--movetime", "nan"), ({}, "error: cannot listen on", "--port", "70000")]
threads = [threading.Thread(target=refuses_to_start, args=start) for start in starts]
failures = []
threading.excepthook = failures.append
for thread in threads:
    thread.start()

process = subprocess.Popen(command, env={**environment, **settings}, stderr=subprocess.PIPE, text=True)
log = []
PORT = None
for said in process.stderr:
    log.append(said)
    listening = re.search(r"listening on 127\.0\.0\.1 port (\d+)$", said)
    if listening:
        PORT = int(listening[1])
        break
assert PORT, log
reader = threading.Thread(target=lambda: log.extend(process.stderr))
reader.start()

try:
    # ---- ping, signatures, bodies
    assert ask("GET") == (200, {"operational": True})
    challenge = {"verb": "challenge", "metaGame": "fanorona", "variants": [], "clockStart": 72, "clockInc": 24,
                 "clockMax": 168, "challengers": ["someone"]}
    body = json.dumps(challenge).encode()
    for headers in [{}, signed(body, OTHER_KEY), signed(body, age=301), signed(body, age=-302), signed(body + b" "),
                    {**signed(body), "X-Signature": "?"}, {**signed(body), "X-Signature-Timestamp": "now"}]:
        assert ask("POST", body, headers)[0] == 401, headers
    once = signed(body)
    assert ask("POST", body, once)[0] == 200
    assert ask("POST", body, once) == (401, {"message": "this request has come before"})
    assert ask("POST", body, signed(body, age=299))[0] == 200
    assert ask("POST", headers={"Content-Length": str(1 << 30)})[0] == 413
    assert ask("POST", headers={"Transfer-Encoding": "chunked"})[0] == 411
    for wrong in [b"", b"{", b"[]", b"null", {"verb": "dance"}, {"verb": ["move"]}, {"metaGame": "fanorona"}]:
        assert post(wrong) == 400, wrong

    # ---- challenges
    assert post({**challenge, "variants": ["dimy"]}) == 400
    assert post({**challenge, "metaGame": "abande"}) == 400

    # ---- moves
    assert post(turn_of("a", [], metaGame="abande")) == 400
    for wrong in [{"moves": None}, {"moves": [[1]]}, {"gameid": 5}, {"clockCurr": "soon"}, {"clockCurr": 10**400}]:
        assert post(turn_of("a", [], **wrong)) == 400, wrong
    AbstractPlay.statuses = [401]
    assert post(turn_of("first", [])) == 202
    refused = submitted(401)
    assert submitted() == refused and refused[0] == "first" and refused[1] in legal([]), refused
    assert len(AbstractPlay.tokens) == 2
    # Two at once, in their order.
    assert post(turn_of("second", [["f2e3+"]], clockCurr=0)) == 202
    assert post(turn_of("third", [["f2e3+", "d5d4+, c5-"]])) == 202
    for game, moves in [("second", ["f2-e3A"]), ("third", ["f2-e3A", "d5-d4A-c5W"])]:
        answered, move = submitted()
        assert answered == game and move in legal(moves), (answered, move)
    # The process dies.
    with open(pids) as file:
        started = file.read().split()
    os.kill(int(started[-1]), signal.SIGKILL)
    assert post(turn_of("fourth", [["d3e3-"]])) == 202
    assert submitted()[0] == "fourth"
    with open(pids) as file:
        assert len(file.read().split()) == len(started) + 1
    # Nothing to play, and a move that is refused; the next game goes on.
    with open(FINISHED) as file:
        finished = json.load(file)[0]["moves"]
    assert post(turn_of("illegal", [["f2e3+", "f2e3+"]])) == 202
    assert post(turn_of("no move", [["f2e3+", "resign"]])) == 202
    assert post(turn_of("over", finished)) == 202
    # A position ends the game when it comes for the fifth time, not before.
    cycle = [["c3b4", "i5h4"], ["b4c3", "h4i5"]]
    assert post(turn_of("five times", finished[:8] + 4 * cycle)) == 202
    assert post(turn_of("four times", finished[:8] + 3 * cycle)) == 202
    assert submitted()[0] == "four times"
    AbstractPlay.statuses = [400]
    assert post(turn_of("late", [])) == 202
    assert submitted(400)[0] == "late"
    assert len(AbstractPlay.tokens) == 2

    # ---- it ends when it has answered
    AbstractPlay.statuses = [500]
    assert post(turn_of("last", [])) == 202
    assert submitted(500)[0] == "last"
    # Who sends a request that never ends does not keep the bot.
    slow = socket.create_connection(("127.0.0.1", PORT))
    slow.sendall(b"POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\n")
    process.send_signal(signal.SIGTERM)
    assert submitted()[0] == "last"
    assert process.wait(30) == 0
finally:
    process.kill()
    reader.join()
    text = "".join(log)
    print(text, file=sys.stderr)
for words in ["game 'illegal': no move: the history is not legal", "game 'no move': no move: the history has 'resign'",
              "game 'over': no move: the game is over",
              "game 'five times': no move: the game is over", "is not taken: status 400", "game 'first': "]:
    assert words in text, words
assert SECRET not in text and "token 0" not in text and "Traceback" not in text
for thread in threads:
    thread.join()
assert not failures, failures

#!/usr/bin/env python3
"""A bot that plays Fanorona at AbstractPlay with Vato.

It answers the requests of AbstractPlay over HTTP (ping, challenge, move) and sends its moves to botQuery. TLS is left
to a reverse proxy. Needs Python 3.8 and the package cryptography. docs/scripting.md says how to host it.

Arguments may be given by the environment variables in brackets; the secret of the bot only by BOT_CLIENT_SECRET.
"""

import argparse
import base64
import json
import logging
import os
import re
import signal
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib import error, parse, request

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import load_pem_public_key, load_ssh_public_key

GAME = "fanorona"
# A position that comes for the fifth time is a draw there; nothing else is.
RULES = "repeat=5 limit=0"
MOST_BYTES = 1 << 20  # of a request
OLDEST = 300  # seconds between the signature of a request and its arrival
SHARE = 0.01  # of the time left in a game that a move may take
LEAST = 0.1  # seconds for a move: the time left comes in whole hours, so 0 may be half an hour
PAUSES = (0, 5, 60)  # seconds before each attempt to send a move

log = logging.getLogger("bot")


class Refused(Exception):
    """A request that is not obeyed: the HTTP status and the reason."""


class NotPlayed(Exception):
    """Why there is no move."""


# ---- moves: AbstractPlay's `d2d1-, e1+` is Vato's `d2-d1W-e1A`

POINT = "[a-i][1-5]"
SIGNS = {"+": "A", "-": "W", "": ""}


def to_vato(turn):
    steps = turn.lower().replace(" ", "").split(",")
    if not re.fullmatch(f"{POINT}{POINT}[+-]?(,{POINT}[+-])*", ",".join(steps)):
        raise NotPlayed(f"the history has {turn!r}, which is no move")
    steps[0:1] = [steps[0][:2], steps[0][2:]]
    return "-".join(step[:2] + SIGNS[step[2:]] for step in steps)


def from_vato(turn):
    first, *steps = turn.split("-")
    return (first + ", ".join(steps)).replace("A", "+").replace("W", "-")


class Vato:
    """An engine process: kept from move to move, replaced when it ends."""

    def __init__(self, command, options):
        self.command = command
        self.options = [*options, ("Rules", RULES), ("UCI_Variant", "custom")]
        self.process = None

    def start(self):
        self.quit()
        self.process = subprocess.Popen(
            [self.command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.ask("ugi", "ugiok", 30)
        for name, value in self.options:
            self.say(f"setoption name {name} value {value}")
        self.ready("it does not take the options")

    def say(self, line):
        self.process.stdin.write(line + "\n")

    def ask(self, line, until, seconds):
        """The answers to a line up to the one that begins with the word `until`."""
        # Whatever holds it up: the end of the process ends the wait.
        watch = threading.Timer(seconds, self.process.kill)
        watch.start()
        try:
            self.say(line)
            answers = []
            for answer in self.process.stdout:
                answers.append(answer.strip())
                if answer.split()[:1] == [until]:
                    return answers
        finally:
            watch.cancel()
        raise EOFError(f"vato ended at '{line}'")

    def ready(self, what):
        for answer in self.ask("isready", "readyok", 60):
            if answer.startswith("info string error"):
                raise NotPlayed(f"{what}: {answer[len('info string error '):]}")

    def best_move(self, moves, seconds):
        self.say("uginewgame")
        self.say(" ".join(["position startpos", *(["moves"] if moves else []), *moves]))
        self.ready("the history is not legal")
        if self.ask("query gameover", "response", 60)[-1] != "response false":
            raise NotPlayed("the game is over")
        answers = self.ask(f"go movetime {int(1000 * seconds)}", "bestmove", seconds + 60)
        return answers[-1].split()[1]

    def move(self, moves, seconds):
        for again in (True, False):
            try:
                if self.process is None or self.process.poll() is not None:
                    self.start()
                return self.best_move(moves, seconds)
            except (OSError, EOFError) as failure:
                log.warning("vato: %s", failure)
                self.quit()
                if not again:
                    raise NotPlayed("vato does not answer") from failure

    def quit(self):
        process, self.process = self.process, None
        if process is not None:
            try:
                process.communicate("quit\n", timeout=5)
            except (OSError, ValueError, subprocess.TimeoutExpired):
                process.kill()
                process.wait()


class NoRedirect(request.HTTPRedirectHandler):
    """Tokens and secrets go to the address that was given and to no other."""

    def redirect_request(self, *_):
        return None


class AbstractPlay:
    """What is sent to AbstractPlay: requests for a token, and moves."""

    def __init__(self, settings, secret):
        self.settings, self.secret = settings, secret
        self.token, self.until = None, 0
        self.opener = request.build_opener(NoRedirect)

    def post(self, url, body, headers, timeout):
        """Status and body of the answer."""
        try:
            with self.opener.open(request.Request(url, body, headers), timeout=timeout) as answer:
                return answer.status, answer.read(MOST_BYTES)
        except error.HTTPError as answer:
            with answer:
                return answer.code, answer.read(MOST_BYTES)

    def bearer(self):
        if self.token is None or time.monotonic() >= self.until:
            form = parse.urlencode({
                "grant_type": "client_credentials", "client_id": self.settings.client_id,
                "client_secret": self.secret, "scope": self.settings.scope})
            headers = {"Content-Type": "application/x-www-form-urlencoded"}
            status, body = self.post(self.settings.token_url, form.encode(), headers, 15)
            if status != 200:
                raise OSError(f"no token: status {status}")
            answer = json.loads(body)
            self.token = answer["access_token"]
            # A minute early, so that it does not run out on the way.
            self.until = time.monotonic() + max(60, answer.get("expires_in", 3600)) - 60
        return self.token

    def submit(self, game, move):
        body = json.dumps({"verb": "move", "gameid": game, "metaGame": GAME, "move": move})
        for fresh in (False, True):
            if fresh:
                self.token = None
            headers = {"Authorization": f"Bearer {self.bearer()}", "Content-Type": "application/json"}
            status, answer = self.post(self.settings.query_url, body.encode(), headers, 30)
            if status != 401:
                break
        return status, answer.decode(errors="replace")[:300]


class Games:
    """The games in which a move is wanted; a thread answers them in the order in which they came."""

    def __init__(self, vato, abstract_play, movetime):
        self.vato, self.abstract_play, self.movetime = vato, abstract_play, movetime
        self.change = threading.Condition()
        self.waiting = {}  # by the game's id; the latest history counts
        self.current = None
        self.stopped = threading.Event()
        self.thread = threading.Thread(target=self.run)

    def add(self, game, moves, hours):
        with self.change:
            if self.stopped.is_set():
                raise Refused(503, "the bot is stopping")
            # A request that comes twice is answered once.
            if self.current != (game, moves):
                self.waiting[game] = (moves, hours)
                self.change.notify()

    def run(self):
        while True:
            with self.change:
                self.current = None
                self.change.wait_for(lambda: self.waiting or self.stopped.is_set())
                if not self.waiting:
                    return
                game = next(iter(self.waiting))
                moves, hours = self.waiting.pop(game)
                self.current = (game, moves)
            try:
                self.answer(game, moves, hours)
            except NotPlayed as why:
                log.error("game %r: no move: %s", game, why)
            except Exception:  # the other games go on
                log.exception("game %r: no move", game)

    def answer(self, game, moves, hours):
        seconds = min(self.movetime, max(LEAST, SHARE * 3600 * hours))
        move = from_vato(self.vato.move([to_vato(turn) for turn in moves], seconds))
        for pause in PAUSES:
            self.stopped.wait(pause)  # not at all while the bot is stopping
            try:
                status, answer = self.abstract_play.submit(game, move)
            except Exception as failure:  # whatever the other side makes of it
                status, answer = None, repr(failure)
            if status == 200:
                log.info("game %r: %s after %d plies", game, move, len(moves))
                return
            log.error("game %r: %s is not taken: status %s: %r", game, move, status, answer)
            if status is not None and status < 500:
                break

    def stop(self):
        """Answers what is waiting, then ends."""
        with self.change:
            self.stopped.set()
            self.change.notify()
        self.thread.join()
        self.vato.quit()


class Signatures:
    """Which requests are AbstractPlay's: signed with its key, not long ago, and not seen before."""

    def __init__(self, key):
        self.key = key
        self.lock = threading.Lock()
        self.seen = {}

    def check(self, headers, body):
        stamp, nonce, signature = (
            headers.get("X-Signature" + part, "") for part in ("-Timestamp", "-Nonce", ""))
        try:
            self.key.verify(
                base64.b64decode(signature, validate=True), f"{stamp}.{nonce}.".encode() + body)
            age = abs(time.time() - int(stamp))
        except (InvalidSignature, ValueError):
            raise Refused(401, "the signature is not right") from None
        if age > OLDEST:
            raise Refused(401, "the signature is too old")
        with self.lock:
            now = time.monotonic()
            # A request is refused for its age after that, as clocks may differ by as much.
            self.seen = {nonce: until for nonce, until in self.seen.items() if until > now}
            if nonce in self.seen:
                raise Refused(401, "this request has come before")
            self.seen[nonce] = now + 2 * OLDEST


class Handler(BaseHTTPRequestHandler):
    """One request."""

    timeout = 10
    server_version = "vato-bot"
    sys_version = ""

    def do_GET(self):
        self.answer(200, {"operational": True})

    def do_POST(self):
        try:
            self.answer(*self.obey(self.body()))
        except Refused as refused:
            status, message = refused.args
            log.warning("refused: %s", message)
            self.answer(status, {"message": message})

    def body(self):
        length = self.headers.get("Content-Length", "")
        if not re.fullmatch("[0-9]{1,18}", length):
            raise Refused(411, "expected a Content-Length")
        if int(length) > MOST_BYTES:
            raise Refused(413, "the request is too long")
        body = self.rfile.read(int(length))
        self.server.signatures.check(self.headers, body)
        return body

    def obey(self, body):
        try:
            payload = json.loads(body)
            verb = payload["verb"]
        except (ValueError, KeyError, TypeError):
            raise Refused(400, "no JSON object with a verb") from None
        if verb not in ("challenge", "move"):
            raise Refused(400, f"unknown verb {verb!r}")
        if payload.get("metaGame") != GAME or payload.get("variants"):
            raise Refused(400, f"expected {GAME} without variants")
        if verb == "challenge":
            log.info("a challenge is accepted")
            return 200, {"accepted": True}
        game, moves, hours = (payload.get(key) for key in ("gameid", "moves", "clockCurr"))
        try:
            turns = [turn for both in moves for turn in both]
            right = isinstance(game, str) and all(isinstance(turn, str) for turn in turns)
            hours = float(hours)
        except (OverflowError, TypeError, ValueError):
            right = False
        if not right:
            raise Refused(400, "expected gameid, moves and clockCurr")
        self.server.games.add(game, turns, hours)
        return 202, {"queued": True}

    def answer(self, status, content):
        body = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, form, *values):
        log.debug(form, *values)


def public_key(text):
    """An Ed25519 key: a line of OpenSSH, SSH2 or PEM; or a file that has it."""
    if os.path.isfile(text):
        with open(text, encoding="ascii") as file:
            text = file.read()
    if "BEGIN SSH2" in text:
        lines = [line for line in text.splitlines() if not re.search("^----|:", line)]
        text = "ssh-ed25519 " + "".join(lines)
    load = load_pem_public_key if "BEGIN" in text else load_ssh_public_key
    try:
        key = load(text.strip().encode())
    except Exception as failure:
        raise argparse.ArgumentTypeError(f"not a public key: {failure}") from None
    if not isinstance(key, Ed25519PublicKey):
        raise argparse.ArgumentTypeError("expected a key of Ed25519")
    return key


def url(text):
    """An address to which a secret may be sent."""
    parts = parse.urlsplit(text)
    is_here = parts.hostname in ("127.0.0.1", "::1", "localhost")
    if parts.scheme == "https" or parts.scheme == "http" and is_here:
        return text
    raise argparse.ArgumentTypeError(f"expected https, not {text}")


def seconds(text):
    if not 0 < (value := float(text)) <= 3600:
        raise ValueError
    return value


def option(text):
    name, _, value = text.partition("=")
    return name, value


def read_settings():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)

    def add(name, variable, kind, text):
        # argparse reads a default that is text as it reads an argument.
        value = os.environ.get(variable)
        parser.add_argument(
            name, type=kind, default=value, required=value is None, help=f"{text} [{variable}]")

    add("--token-url", "BOT_TOKEN_URL", url, "where tokens come from")
    add("--query-url", "BOT_QUERY_URL", url, "botQuery, where moves go to")
    add("--public-key", "AP_BOT_PUBLIC_KEY", public_key, "AbstractPlay's key, or a file that has it")
    add("--scope", "BOT_OAUTH_SCOPE", str, "the scope of tokens")
    add("--client-id", "BOT_CLIENT_ID", str, "the id of the bot")
    parser.add_argument("--listen", default="127.0.0.1", help="address [%(default)s]")
    parser.add_argument("--port", type=int, default=8080, help="[%(default)s; 0: any that is free]")
    parser.add_argument("--vato", default="vato", help="the program [%(default)s]")
    parser.add_argument("--option", type=option, action="append", default=[], metavar="NAME=VALUE",
                        help="an option of the engine, such as Threads=4")
    parser.add_argument("--movetime", type=seconds, default=5, help="for each move [%(default)s]")
    settings = parser.parse_args()
    secret = os.environ.pop("BOT_CLIENT_SECRET", "")
    if not secret:
        parser.error("the environment variable BOT_CLIENT_SECRET is not set")
    return settings, secret


def main():
    settings, secret = read_settings()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    try:
        server = ThreadingHTTPServer((settings.listen, settings.port), Handler)
    except (OSError, OverflowError) as failure:
        sys.exit(f"error: cannot listen on {settings.listen} port {settings.port}: {failure}")
    vato = Vato(settings.vato, settings.option)
    try:
        vato.start()
    except (OSError, EOFError, NotPlayed) as failure:
        sys.exit(f"error: cannot start {settings.vato}: {failure}")
    games = Games(vato, AbstractPlay(settings, secret), settings.movetime)
    server.games, server.signatures = games, Signatures(settings.public_key)
    for number in (signal.SIGTERM, signal.SIGINT):
        # Not on this thread: `shutdown` waits until `serve_forever`, which runs on it, has ended.
        signal.signal(number, lambda *_: threading.Thread(target=server.shutdown).start())
    games.thread.start()
    log.info("listening on %s port %d", *server.server_address[:2])
    server.serve_forever(0.1)
    server.server_close()
    log.info("stopping; moves to send first: %d", len(games.waiting))
    games.stop()


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Checks certificates of `vato solve` without any code of Vato.

    python3 tests/certificate_checker.py FILE...

Written from the rules of the game and from docs/certificate.md alone: it has its own move generator and solves the
tables at the leaves itself. It prints a line for each file and exits with 0 if all of them are right, else with 1.
Python 3.9 or later, standard library only. Meant for small boards: up to 5x5, with tables of a few stones.
"""

import hashlib
import itertools
import json
import math
import struct
import sys

MAGIC = b"VATOPROV"
VERSION = 1
RECORD = struct.Struct("<QQQ")
CHECKSUM_BYTES = 32
# Distance between the numbers of two bits one above the other.
ROW = 10
STONE_BITS = 49
STONES = (1 << STONE_BITS) - 1
BLACK_TO_MOVE = 1 << 62
FIRST_TURN = 1 << 63
FROM_SHIFT, TO_SHIFT = 49, 55
WHITE, BLACK = 0, 1
SIDES = ("White", "Black")
# The most faults of a file that are named.
MOST_FAULTS = 10
# The most positions of tables, symmetric ones once.
MOST_POSITIONS = 2_000_000


class Invalid(Exception):
    """A file that is not a right certificate, or cannot be checked."""


# Rules

SIZES = [
    f"{columns}x{rows}"
    for columns in (3, 5, 7, 9)
    for rows in (3, 5, 7, 9)
    if min(columns, rows) <= 5
]
# In the order in which a rules string is written.
VALUES = {
    "board": SIZES,
    "capture": ["forced", "opening", "free"],
    "chain": ["free", "full", "single"],
    "direction": ["change", "any"],
    "opening": ["free", "first", "both"],
    "blocked": ["loss", "draw"],
    "tie": ["draw", "count"],
    "repeat": None,
    "limit": None,
    "vela": ["off", "white", "black"],
}


def parse_rules(text):
    """The values of a rules string with all keys."""
    rules = {}
    for word in text.split():
        key, equals, value = word.partition("=")
        if not equals or key not in VALUES:
            raise Invalid(f"rules: unknown word '{word}'")
        if key in rules:
            raise Invalid(f"rules: '{key}' comes twice")
        known = VALUES[key]
        if not (is_number(value) if known is None else value in known):
            raise Invalid(f"rules: '{word}' is not supported")
        rules[key] = int(value) if known is None else value
    for key in VALUES:
        if key not in rules:
            raise Invalid(f"rules: no '{key}'")
    for key, value in (("tie", "count"), ("repeat", 1), ("vela", "white"), ("vela", "black")):
        if rules[key] == value:
            raise Invalid(f"rules: '{key}={value}' is not supported")
    if format_rules(rules) != text:
        raise Invalid(f"rules: '{text}', expected '{format_rules(rules)}'")
    return rules


def table_rules(rules):
    """The rules of the tables: no turn is the first one, and there is neither repetition nor a limit."""
    capture = "forced" if rules["capture"] == "forced" else "free"
    return {**rules, "capture": capture, "opening": "free", "repeat": 3, "limit": 100}


def is_number(text):
    return text.isascii() and text.isdigit() and len(text) < 10


def format_rules(rules):
    return " ".join(f"{key}={rules[key]}" for key in VALUES)


class Board:
    """Points are numbers of bits, 10 x row + column; the longer side of the board is in the rows."""

    def __init__(self, size):
        self.columns, self.ranks = map(int, size.split("x"))
        self.wide, self.high = max(self.columns, self.ranks), min(self.columns, self.ranks)
        places = [(row, column) for row in range(self.high) for column in range(self.wide)]
        self.points = [ROW * row + column for row, column in places]
        self.all = sum(1 << point for point in self.points)
        diagonal = sum(1 << ROW * row + column for row, column in places if (row + column) % 2 == 0)
        # Steps in one direction: the difference of numbers, and the points that have a line that way.
        self.directions = [(delta, self.all) for delta in (1, -1, ROW, -ROW)]
        self.directions += [
            (delta, diagonal) for delta in (ROW + 1, ROW - 1, 1 - ROW, -1 - ROW)
        ]
        # The points from a point on in a direction, each as a mask.
        self.rays = {
            (point, delta): self._ray(point, delta)
            for point in self.points
            for delta, _ in self.directions
        }
        # For each point: (delta, target, mask of the target, mask of the point beyond it, and of the one behind).
        self.steps = {point: self._steps(point) for point in self.points}
        self.maps = self._maps()
        self._images = {}

    def _ray(self, point, delta):
        ray = []
        while (point := point + delta) >= 0 and self.all >> point & 1:
            ray.append(1 << point)
        return ray

    def _steps(self, point):
        def mask(at):
            return self.all & 1 << at if at >= 0 else 0

        return [
            (delta, point + delta, mask(point + delta), mask(point + 2 * delta), mask(point - delta))
            for delta, starts in self.directions
            if starts >> point & 1 and mask(point + delta)
        ]

    def _maps(self):
        """Where each symmetry of the board takes a point."""
        maps = []
        for turned in (False, True) if self.wide == self.high else (False,):
            for flip_row, flip_column in itertools.product((False, True), repeat=2):
                image = {}
                for point in self.points:
                    row, column = divmod(point, ROW)
                    row = self.high - 1 - row if flip_row else row
                    column = self.wide - 1 - column if flip_column else column
                    image[point] = ROW * column + row if turned else ROW * row + column
                maps.append(image)
        return maps

    def images(self, stones):
        """The images of a set of stones under all symmetries."""
        found = self._images.get(stones)
        if found is None:
            points = bits(stones)
            found = [sum(1 << image[point] for point in points) for image in self.maps]
            self._images[stones] = found
        return found

    def canonical(self, first, second):
        """The smallest image of two sets of stones, the first set counting first."""
        return min(zip(self.images(first), self.images(second)))

    def parse_fen(self, text):
        """White's and Black's stones, the side to move, the plies since a capture and the move number."""
        words = text.split()
        if len(words) not in (2, 4) or words[1] not in ("w", "b"):
            raise Invalid(f"root: '{text}' is not a position")
        rows = words[0].lower().split("/")
        if len(rows) != self.ranks:
            raise Invalid(f"root: {len(rows)} rows, expected {self.ranks}")
        stones = [0, 0]
        for rank, row in zip(reversed(range(self.ranks)), rows):
            file = 0
            for letter in row:
                if letter in "123456789":
                    file += int(letter)
                elif letter in "wb" and file < self.columns:
                    row_first = self.columns >= self.ranks
                    point = ROW * rank + file if row_first else ROW * file + rank
                    stones["wb".index(letter)] |= 1 << point
                    file += 1
                else:
                    raise Invalid(f"root: '{row}' is not a row")
            if file != self.columns:
                raise Invalid(f"root: '{row}' has {file} points, expected {self.columns}")
        if stones == [0, 0]:
            raise Invalid("root: no stones")
        clock, number = words[2:] or ("0", "1" if words[0].lower() == self.start() else "2")
        if not (is_number(clock) and is_number(number) and int(number) >= 1):
            raise Invalid(f"root: '{text}' has invalid counters")
        return *stones, "wb".index(words[1]), int(clock), int(number)

    def start(self):
        """The rows of the start."""
        middle = ["bw"[file % 2] for file in range(self.columns - 1)]
        middle.insert(self.columns // 2, "1")
        half = self.ranks // 2
        rows = ["b" * self.columns] * half + ["".join(middle)] + ["w" * self.columns] * half
        return "/".join(rows)


def bits(mask):
    """The numbers of the bits that are set."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found


def count(mask):
    return bin(mask).count("1")


# Moves


class Turns:
    """The moves of a turn. A move is a number: the stones that it captures, its origin and its end point."""

    def __init__(self, board, capture, chain, direction):
        self.board = board
        self.is_forced = capture == "forced"
        self.is_single = chain == "single"
        self.may_stop = chain != "full"
        self.may_repeat = direction == "any"

    def moves(self, own, other):
        """All distinct moves of the side with the stones `own`."""
        return set(self.paths(own, other))

    def paths(self, own, other):
        """A move for each path."""
        if not own or not other:
            return []
        free = self.board.all & ~(own | other)
        captures, quiet = [], []
        for delta, starts in self.board.directions:
            if delta > 0:
                movers = own & starts & free >> delta
                approach = movers & other >> 2 * delta
                withdrawal = movers & other << delta
            else:
                movers = own & starts & free << -delta
                approach = movers & other << -2 * delta
                withdrawal = movers & other >> -delta
            # A step that lines up with something captures it.
            for origin in bits(movers & ~approach & ~withdrawal):
                quiet.append(origin << FROM_SHIFT | origin + delta << TO_SHIFT)
            for origin in bits(approach):
                self._step(captures, own, other, origin, delta, origin + delta, delta)
            for origin in bits(withdrawal):
                self._step(captures, own, other, origin, delta, origin, -delta)
        return captures if captures and self.is_forced else captures + quiet

    def _line(self, other, point, delta):
        """The unbroken line of stones beyond a point."""
        line = 0
        for mask in self.board.rays[point, delta]:
            if not other & mask:
                break
            line |= mask
        return line

    def _step(self, captures, own, other, origin, delta, seen_from, way):
        """The turns that begin with the step `delta` from `origin`; what it captures lies beyond `seen_from`."""
        line = self._line(other, seen_from, way)
        at = origin + delta
        if self.is_single:
            captures.append(line | origin << FROM_SHIFT | at << TO_SHIFT)
        else:
            # The moving stone is on none of these points: those visited are closed to it.
            closed = own | 1 << at
            self._go_on(captures, closed, other & ~line, line, origin, at, delta)

    def _go_on(self, captures, closed, other, captured, origin, at, last):
        """A turn may end at `at`; appends those that go on as well."""
        count_before = len(captures)
        for delta, target, mask, beyond, behind in self.board.steps[at]:
            if mask & (closed | other) or delta == last and not self.may_repeat:
                continue
            for seen_from, way, next_stone in ((target, delta, beyond), (at, -delta, behind)):
                if other & next_stone:
                    line = self._line(other, seen_from, way)
                    self._go_on(
                        captures, closed | mask, other & ~line, captured | line, origin, target, delta
                    )
        if self.may_stop or len(captures) == count_before:
            captures.append(captured | origin << FROM_SHIFT | at << TO_SHIFT)


def play(own, other, move):
    """The stones after a move: those of its side, and those of the other."""
    step = 1 << (move >> FROM_SHIFT & 63) | 1 << (move >> TO_SHIFT & 63)
    return own ^ step, other & ~move


class Rulebook:
    """The rules string of a certificate: which turns are special, and what moves there are."""

    def __init__(self, rules):
        self.rules = rules
        self.board = Board(rules["board"])
        chain, direction = rules["chain"], rules["direction"]
        # By whether the turn captures by force and whether it is a single step.
        self.turns = {
            (forced, single): Turns(
                self.board,
                "forced" if forced else "free",
                "single" if single else chain,
                direction,
            )
            for forced in (False, True)
            for single in (False, True)
        }

    def is_special(self, side):
        """Whether the first turn of a side has rules of its own."""
        opening = self.rules["opening"]
        if side == WHITE:
            return opening != "free" or self.rules["capture"] == "opening"
        return opening == "both"

    def moves(self, stones, side, is_first):
        capture, opening = self.rules["capture"], self.rules["opening"]
        forced = capture == "forced" or capture == "opening" and is_first and side == WHITE
        single = is_first and (opening == "both" or opening == "first" and side == WHITE)
        return self.turns[forced, single].moves(stones[side], stones[1 - side])


# Tables

# The value of a position for the side to move: 0 a draw, N > 0 a win with N plies to the next conversion,
# N < 0 a loss with -N - 1.
DRAW = 0
LOST = -1


class Tables:
    """The values of all positions with few stones, by retrograde analysis.

    A position is a pair of stones, those of the side to move first, in its smallest image. A conversion is a
    capture or the end of the game; the winner reaches it as soon, the loser as late as possible.
    """

    def __init__(self, rules, stones):
        rules = table_rules(rules)
        self.book = Rulebook(rules)
        self.board = self.book.board
        self.stones = stones
        self.values = {}
        self.longest = {}
        points = len(self.board.points)
        most = min(stones, points)
        positions = sum(math.comb(points, n) * (2**n - 2) for n in range(2, most + 1))
        if positions > MOST_POSITIONS * len(self.board.maps):
            raise Invalid(f"stones: tables of {stones} stones on {rules['board']} are too large to solve here")
        for total in range(2, most + 1):
            for own in range(total // 2, 0, -1):
                self._solve(own, total - own)
        text = format_rules(rules) + "\n"
        text += "".join(f"{name} {longest}\n" for name, longest in self.longest.items())
        self.digest = hashlib.sha256(text.encode()).hexdigest()

    def value(self, own, other):
        """The value of a position with at most `stones` stones."""
        if not own:
            return LOST
        return self.values[self.board.canonical(own, other)]

    def _positions(self, own_count, other_count):
        points = [1 << point for point in self.board.points]
        for chosen in itertools.combinations(points, own_count):
            own = sum(chosen)
            if own != min(self.board.images(own)):
                continue
            left = [point for point in points if not point & own]
            for others in itertools.combinations(left, other_count):
                position = own, sum(others)
                if position == self.board.canonical(*position):
                    yield position

    def _solve(self, few, many):
        """Solves the positions with `few` against `many` stones and the other way round."""
        values = self.values
        slices = [(few, many)] if few == many else [(few, many), (many, few)]
        positions = [position for counts in slices for position in self._positions(*counts)]
        before = {}  # From which positions a quiet move leads to this one.
        left = {}  # Moves of a position that are not known to lose.
        levels = [[], []]  # Positions decided in so many plies, with their values.
        for position in positions:
            values[position] = DRAW
            own, other = position
            after, best = set(), None
            moves = self.book.moves(position, WHITE, False)
            for move in moves:
                next_own, next_other = play(own, other, move)
                if move & STONES:
                    value = -sign(self.value(next_other, next_own))
                    best = value if best is None else max(best, value)
                else:
                    after.add(self.board.canonical(next_other, next_own))
            if not moves:
                if self.book.rules["blocked"] == "loss":
                    levels[0].append((position, LOST))
            elif best == 1:
                levels[1].append((position, 1))
            elif best == -1 and not after:
                levels[1].append((position, LOST - 1))
            left[position] = len(after) + (best == 0)
            for next_position in after:
                before.setdefault(next_position, []).append(position)
        plies = 0
        longest = dict.fromkeys(slices, 0)
        while plies < len(levels):
            above = []
            for position, value in levels[plies]:
                if values[position] != DRAW:
                    continue
                values[position] = value
                longest[count(position[0]), count(position[1])] = plies
                for previous in before.get(position, ()):
                    if value < 0:
                        above.append((previous, plies + 1))
                    else:
                        left[previous] -= 1
                        if left[previous] == 0:
                            above.append((previous, LOST - plies - 1))
            plies += 1
            if above:
                if plies == len(levels):
                    levels.append([])
                levels[plies] += above
        for own, other in slices:
            self.longest[f"{own}v{other}"] = longest[own, other]


def sign(value):
    return (value > 0) - (value < 0)


# Certificates

HEADER = {
    "rules": str,
    "root": str,
    "attacker": str,
    "claim": str,
    "stones": int,
    "tables": str,
    "positions": int,
}


def read(path):
    """The header of a certificate and the words of its records."""
    with open(path, "rb") as file:
        data = file.read()
    if data[:8] != MAGIC:
        raise Invalid("not a certificate")
    if len(data) < 16 + CHECKSUM_BYTES:
        raise Invalid("too short")
    version, length = struct.unpack_from("<II", data, 8)
    if version != VERSION:
        raise Invalid(f"version {version}, expected {VERSION}")
    end = len(data) - CHECKSUM_BYTES
    if hashlib.sha256(data[:end]).digest() != data[end:]:
        raise Invalid("the checksum is wrong")
    body = 16 + length
    if body > end:
        raise Invalid("too short for its header")
    try:
        header = json.loads(data[16:body])
    except ValueError as error:
        raise Invalid(f"header: {error}") from error
    if not isinstance(header, dict) or header.keys() != HEADER.keys():
        raise Invalid(f"header: expected the keys {', '.join(HEADER)}")
    for key, kind in HEADER.items():
        if type(header[key]) is not kind or kind is int and header[key] < 0:
            raise Invalid(f"header: '{key}' is {header[key]!r}")
    if header["attacker"] not in SIDES:
        raise Invalid(f"header: no side '{header['attacker']}'")
    if header["claim"] not in ("wins", "cannot-win"):
        raise Invalid(f"header: unknown claim '{header['claim']}'")
    if header["positions"] * RECORD.size != end - body:
        raise Invalid(f"{end - body} bytes of records, expected {header['positions']} records")
    return header, list(RECORD.iter_unpack(data[body:end]))


class Checker:
    """What is wrong with the records of a certificate."""

    def __init__(self, header, records, solved):
        self.rules = parse_rules(header["rules"])
        self.book = Rulebook(self.rules)
        self.board = self.book.board
        self.attacker = SIDES.index(header["attacker"])
        self.wins = header["claim"] == "wins"
        self.root = self.board.parse_fen(header["root"])
        self.limit = self.rules["limit"] if self.wins and self.rules["limit"] else math.inf
        key = format_rules(table_rules(self.rules)), header["stones"]
        if key not in solved:
            solved[key] = Tables(self.rules, header["stones"])
        self.tables = solved[key]
        if self.tables.digest != header["tables"]:
            raise Invalid(f"tables: expected {header['tables']}, found {self.tables.digest}")
        longest = max(self.tables.longest.values(), default=0)
        if longest > self.limit:
            raise Invalid(f"tables: a conversion takes {longest} plies, and the limit is {self.limit}")
        self.records = records
        self.places = {self.key(record): place for place, record in enumerate(records)}
        self.reached = [False] * len(records)

    @staticmethod
    def key(record):
        """The word with White's stones and flags, and Black's stones."""
        return record[0], record[1] & STONES

    @staticmethod
    def words(stones, side, is_first):
        white, black = stones
        return white | (BLACK_TO_MOVE if side == BLACK else 0) | (FIRST_TURN if is_first else 0), black

    def faults(self):
        """All faults in words, one at a time."""
        yield from self.check_root()
        last = None
        for place, record in enumerate(self.records):
            key = self.key(record)
            if last is not None and key <= last:
                yield f"position {place}: not in order"
            last = key
            try:
                self.check(record)
            except Invalid as fault:
                yield f"position {place}: {fault}"
        for place, is_reached in enumerate(self.reached):
            if not is_reached:
                yield f"position {place}: unreachable from the root"

    def check_root(self):
        white, black, side, clock, number = self.root
        is_first = number == 1 and self.book.is_special(side)
        place = self.places.get(self.words(self.board.canonical(white, black), side, is_first))
        if place is None:
            yield "the root is not in the set"
            return
        self.reached[place] = True
        plies = clock + self.rank(self.records[place])
        if plies > self.limit:
            yield f"the win takes {plies} plies without a capture, and the limit is {self.limit}"

    @staticmethod
    def rank(record):
        return record[1] >> STONE_BITS

    def check(self, record):
        """Checks that a record is in its form, and that the claim holds there if it holds at those after it."""
        first, _, move = record
        white, black = stones = first & STONES, record[1] & STONES
        side = BLACK if first & BLACK_TO_MOVE else WHITE
        is_first = bool(first & FIRST_TURN)
        if first & ~(STONES | BLACK_TO_MOVE | FIRST_TURN):
            raise Invalid("reserved bits are set")
        if white & black or (white | black) & ~self.board.all:
            raise Invalid("the stones are not on the board")
        if stones != self.board.canonical(white, black):
            raise Invalid("not in canonical form")
        if is_first and not self.book.is_special(side):
            raise Invalid("the first turn is not special under these rules")
        rank = self.rank(record)
        if rank > (self.limit if self.wins else 0):
            raise Invalid(f"rank {rank} is too large")
        if not white or not black:
            winner = WHITE if white else BLACK
            self.check_end(winner == self.attacker, move)
            return
        moves = self.book.moves(stones, side, is_first)
        if not moves:
            self.check_end(self.rules["blocked"] == "loss" and side != self.attacker, move)
            return
        # The side for which the claim speaks needs one move, that of the record.
        if (side == self.attacker) == self.wins:
            if move not in moves:
                raise Invalid("its move is not legal")
            moves = [move]
        elif move:
            raise Invalid("it has a move, but all moves are required")
        for move in moves:
            self.check_move(stones, side, is_first, rank, move)

    def check_end(self, attacker_won, move):
        if attacker_won != self.wins:
            raise Invalid("the game is over with another result")
        if move:
            raise Invalid("the game is over, and there is a move")

    def check_move(self, stones, side, is_first, rank, move):
        own, other = play(stones[side], stones[1 - side], move)
        after = (own, other) if side == WHITE else (other, own)
        # After White's first turn comes Black's, if that is special too.
        is_first = is_first and side == WHITE and self.book.is_special(BLACK)
        is_capture = bool(move & STONES)
        if self.wins and rank == 0:
            raise Invalid("the rank is 0, and there is a move")
        if is_capture:
            value = None
            if not other:
                value = LOST
            elif not is_first and count(own) + count(other) <= self.tables.stones:
                value = self.tables.value(other, own)
            if value is not None:
                # `value` is that of the side that did not move.
                winner = {1: 1 - side, 0: None, -1: side}[sign(value)]
                if (winner == self.attacker) != self.wins:
                    raise Invalid("a move leads to another result by the tables")
                return
        place = self.places.get(self.words(self.board.canonical(*after), 1 - side, is_first))
        if place is None:
            raise Invalid("a move leads out of the set")
        self.reached[place] = True
        if self.wins and not is_capture and self.rank(self.records[place]) >= rank:
            raise Invalid("the rank does not decrease")


def check_file(path, solved):
    """Prints what there is to say of a file; whether it is right. `solved` keeps tables for the next file."""
    try:
        header, records = read(path)
        checker = Checker(header, records, solved)
    except (Invalid, OSError) as error:
        print(f"{path}: {error}")
        return False
    faults = list(checker.faults())
    for fault in faults[:MOST_FAULTS]:
        print(f"{path}: {fault}")
    if faults:
        print(f"{path}: {len(faults)} faults")
        return False
    print(f"{path}: valid, {len(records)} positions")
    return True


def main(paths):
    if not paths:
        print("usage: certificate_checker.py FILE...", file=sys.stderr)
        return 2
    solved = {}
    results = [check_file(path, solved) for path in paths]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Perfetto traces written by hand, field by field: what vkmeter's reader is tested with shares no
code with its writer. In: fields. Out: bytes."""

import struct


def varint(value):
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def number(field, value):
    return varint(field << 3) + varint(value)


def text(field, value):
    value = value.encode() if isinstance(value, str) else value
    return varint(field << 3 | 2) + varint(len(value)) + value


message = text


def fixed64(field, value):
    return varint(field << 3 | 1) + struct.pack("<Q", value)


def double(field, value):
    return varint(field << 3 | 1) + struct.pack("<d", value)


def packet(body):
    return message(1, body)


class Sequence:
    """Packets of one writer, with its interned names."""

    CATEGORY, NAME, NOTE = 1, 2, 3
    CONTEXT, SPECIFICATION, NOTE_TEXT, KERNEL, ARGUMENT = 23, 24, 29, 1000, 1001

    def __init__(self, ident, clock=3, annotate_packed=False):
        self.ident = ident
        self.clock = clock
        self.packed = annotate_packed
        self.out = bytearray()
        self.known = {}
        self.pending = b""
        self.first = True

    def raw(self, body):
        self.out += packet(body)

    def emit(self, body, at=None):
        head = b"" if at is None else number(8, at)
        head += number(10, self.ident)
        if self.first:
            head += number(13, 1) + number(87, 1)
            if self.clock:
                head += message(59, number(58, self.clock))
            self.first = False
        else:
            head += number(13, 2)
        if self.pending:
            head += message(12, self.pending)
            self.pending = b""
        self.raw(head + body)

    def intern(self, kind, value, more=b""):
        key = (kind, value)
        if key not in self.known:
            iid = 1 + sum(1 for other in self.known if other[0] == kind)
            self.known[key] = iid
            self.pending += message(kind, number(1, iid) + text(2, value) + more)
        return self.known[key]

    def context(self, pid):
        key = (self.CONTEXT, pid)
        if key not in self.known:
            self.known[key] = 1
            self.pending += message(self.CONTEXT, number(1, 1) + number(2, pid) + number(3, 2))
        return 1

    def snapshot(self, clocks, primary=3):
        body = b"".join(message(1, number(1, ident) + number(2, at)) for ident, at in clocks)
        self.emit(message(6, body + (number(2, primary) if primary else b"")))

    def track(self, uuid, name=None, parent=0, process=None, thread=None, counter=None,
              description=None):
        body = number(1, uuid)
        if name is not None:
            body += text(2, name)
        if process is not None:
            body += message(3, process)
        if thread is not None:
            body += message(4, thread)
        if parent:
            body += number(5, parent)
        if counter is not None:
            body += message(8, counter)
        if description is not None:
            body += text(14, description)
        self.emit(message(60, body))

    def notes(self, notes):
        body = b""
        for name, value in notes:
            inner = number(1, self.intern(self.NOTE, name))
            if isinstance(value, str):
                inner += text(6, value)
            elif isinstance(value, float):
                inner += double(5, value)
            elif value < 0:
                inner += number(4, value)
            else:
                inner += number(3, value)
            body += message(4, inner)
        return body

    def event(self, kind, at, track, name=None, category=None, notes=(), flows=(), ends=(),
              more=b""):
        body = b""
        if category:
            body += number(3, self.intern(self.CATEGORY, category))
        body += self.notes(notes)
        body += number(9, kind)
        if name:
            body += number(10, self.intern(self.NAME, name))
        body += number(11, track)
        for flow in flows:
            body += fixed64(47, flow)
        for flow in ends:
            body += fixed64(48, flow)
        self.emit(message(11, body + more), at)

    def span(self, begin, end, track, name, category, notes=(), flows=(), ends=(), more=b""):
        self.event(1, begin, track, name, category, notes, flows, ends, more)
        self.event(2, end, track)

    def count(self, at, track, value):
        self.emit(message(11, number(9, 4) + number(11, track) + number(30, value)), at)

    def argument(self, name, value):
        inner = number(1, self.intern(self.ARGUMENT, name))
        if isinstance(value, str):
            return inner + text(6, value)
        if isinstance(value, float):
            return inner + double(5, value)
        return inner + (number(3, value) if value < 0 else number(4, value))

    def kernel(self, name, arguments):
        key = (self.KERNEL, name, arguments)
        if key not in self.known:
            iid = 1 + sum(1 for other in self.known if other[0] == self.KERNEL)
            inner = b"".join(message(5, self.argument(*item)) for item in arguments)
            self.known[key] = iid
            self.pending += message(self.KERNEL, number(1, iid) + text(2, name) + inner)
        return self.known[key]

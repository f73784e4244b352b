"""Messages of text over a web socket (RFC 6455), as much of it as a browser that listens on this machine needs."""

import base64
import os
import socket
import struct

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10


class Wire:
    def __init__(self, host, port, path):
        self.socket = socket.create_connection((host, port), timeout=180)
        self.left = b""
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        while b"\r\n\r\n" not in self.left:
            self._more()
        head, self.left = self.left.split(b"\r\n\r\n", 1)
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise RuntimeError(f"no web socket: {head.decode()}")

    def close(self):
        self.socket.close()

    def _more(self):
        part = self.socket.recv(1 << 20)
        if not part:
            raise RuntimeError("the browser is gone")
        self.left += part

    def _take(self, count):
        while len(self.left) < count:
            self._more()
        taken, self.left = self.left[:count], self.left[count:]
        return taken

    def _frame(self, kind, body):
        # Whoever asks masks what is sent. Firefox takes no mask of zeros.
        size, mask = len(body), b"kvar"
        masked = bytes(b ^ m for b, m in zip(body, mask * (size // 4 + 1)))
        length = bytes([0x80 | size]) if size < 126 else (
            b"\xfe" + struct.pack(">H", size) if size < 1 << 16 else b"\xff" + struct.pack(">Q", size))
        self.socket.sendall(bytes([0x80 | kind]) + length + mask + masked)

    def send(self, text):
        self._frame(TEXT, text.encode())

    def message(self):
        whole = b""
        while True:
            first, second = self._take(2)
            size = second & 127
            if size > 125:
                size = struct.unpack(">H" if size == 126 else ">Q", self._take(2 if size == 126 else 8))[0]
            body, kind = self._take(size), first & 15
            if kind == PING:
                self._frame(PONG, body)
            elif kind == CLOSE:
                raise RuntimeError("the browser is gone")
            elif kind != PONG:
                whole += body
                if first & 0x80:
                    return whole.decode()

"""A provider in a process of its own that answers each request so many milliseconds after it came, and costs little.

`python -m benchmarks.slow_provider 50` prints its port and answers until it is stopped. `GET /` says how many requests
were under way at once at the most, and in all.
"""

import asyncio
import json
import sys

ANSWER = "You can return it within 30 days of delivery, with its receipt, and we refund the price to your card."


def completion() -> bytes:
    """One answer for everybody."""
    message = {"role": "assistant", "content": ANSWER}
    usage = {"prompt_tokens": 120, "completion_tokens": 24, "total_tokens": 144}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    body = {"id": "c1", "object": "chat.completion", "created": 1, "model": "small-1", "choices": [choice]}
    return reply(json.dumps({**body, "usage": usage}).encode())


def reply(body: bytes) -> bytes:
    return b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body)


class Connection(asyncio.Protocol):
    """Reads requests as they come and writes the answer when it is time."""

    seconds = 0.05
    answer = completion()
    under_way = most = count = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport, self.buffer = transport, b""

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        while (end := self.buffer.find(b"\r\n\r\n")) >= 0:
            head = self.buffer[:end].lower()
            at = head.find(b"content-length:")
            length = int(head[at + 15 :].split(b"\r\n", 1)[0]) if at >= 0 else 0
            if len(self.buffer) < end + 4 + length:
                return
            self.buffer = self.buffer[end + 4 + length :]
            self.take(head)

    def take(self, head: bytes) -> None:
        kind = type(self)
        if head.startswith(b"get"):
            self.write(reply(json.dumps({"most": kind.most, "count": kind.count}).encode()))
            kind.most = kind.count = 0
            return
        kind.under_way, kind.count = kind.under_way + 1, kind.count + 1
        kind.most = max(kind.most, kind.under_way)
        asyncio.get_running_loop().call_later(self.seconds, self.done)

    def done(self) -> None:
        type(self).under_way -= 1
        self.write(self.answer)

    def write(self, data: bytes) -> None:
        if not self.transport.is_closing():
            self.transport.write(data)  # type: ignore[attr-defined]


async def main() -> None:
    Connection.seconds = float(sys.argv[1]) / 1_000
    server = await asyncio.get_running_loop().create_server(Connection, "127.0.0.1", 0, backlog=1_000)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())

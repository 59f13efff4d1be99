"""A network of its own for a command: what it sends beyond this machine is seen and goes nowhere.

    unshare --user --map-root-user --net --mount python -m tests.alone COMMAND...

Linux alone. The kernel gives the command, and all it starts, nothing but loopback and one device
that this process holds the other end of. So an attempt is seen whoever makes it, Python or
native code, by name or by number. The last line of the output is what was seen, as JSON.
"""

import contextlib
import fcntl
import ipaddress
import json
import os
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
_OWN = ("unshare", "--user", "--map-root-user", "--net", "--mount")
COMMAND = (*_OWN, sys.executable, "-m", "tests.alone")
NAMES_AT = "198.51.100.53"  # asked for every name; nobody is there
_DEVICE = "out0"
_TUNSETIFF, _IFF_TUN, _IFF_NO_PI = 0x400454CA, 0x0001, 0x1000
_NEIGHBOURS = (0, 58)  # what the kernel itself says over IPv6 when a device comes up


def possible() -> str:
    """Why a network of one's own cannot be had here, or ""."""
    if sys.platform != "linux":
        return "only Linux gives a process a network of its own"
    try:
        tried = subprocess.run(
            [*COMMAND, "true"], cwd=ROOT, capture_output=True, text=True, timeout=60
        )
    except OSError as error:
        return f"unshare: {error.strerror}"
    return "" if tried.returncode == 0 else f"unshare: {tried.stderr.strip()[-200:]}"


def opened() -> int:
    """The device everything but loopback goes to; its packets can be read here."""
    device = os.open("/dev/net/tun", os.O_RDWR)
    fcntl.ioctl(device, _TUNSETIFF, struct.pack("16sH", _DEVICE.encode(), _IFF_TUN | _IFF_NO_PI))
    for words in (
        "link set lo up",
        f"addr add 198.51.100.1/24 dev {_DEVICE}",
        f"link set {_DEVICE} up",
        f"route add default dev {_DEVICE}",
        f"-6 addr add 2001:db8::1/64 dev {_DEVICE} nodad",
        f"-6 route add default dev {_DEVICE}",
    ):
        subprocess.run(["ip", *words.split()], check=True, capture_output=True)
    return device


def ask_for_names_there() -> None:
    with tempfile.NamedTemporaryFile("w", delete=False) as file:
        file.write(f"nameserver {NAMES_AT}\noptions timeout:1 attempts:1\n")
    subprocess.run(["mount", "--bind", file.name, "/etc/resolv.conf"], check=True)


def target(packet: bytes) -> str:
    """Where a packet was to go; "" for what the kernel sends by itself."""
    if packet[0] >> 4 == 4:
        return str(ipaddress.IPv4Address(packet[16:20]))
    return "" if packet[6] in _NEIGHBOURS else str(ipaddress.IPv6Address(packet[24:40]))


def waiting(device: int) -> Iterator[str]:
    """Where the packets were to go that wait at the device."""
    os.set_blocking(device, False)
    with contextlib.suppress(BlockingIOError):
        while True:
            if there := target(os.read(device, 65536)):
                yield there


def main(command: Sequence[str]) -> int:
    device = opened()
    ask_for_names_there()
    done = subprocess.run(command)
    print(json.dumps(list(waiting(device))))
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

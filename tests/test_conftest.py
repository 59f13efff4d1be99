"""The guard around the network has to hold, or no other test means what it says."""

import os
import socket

import pytest

from tests.conftest import OutsideNetworkError


def test_connecting_beyond_loopback_is_refused(outside_connections: list[str]) -> None:
    with socket.socket() as here, pytest.raises(OutsideNetworkError):
        here.connect(("192.0.2.1", 80))
    assert outside_connections == ["('192.0.2.1', 80)"]
    outside_connections.clear()


def test_looking_up_a_name_is_refused(outside_connections: list[str]) -> None:
    with pytest.raises(OutsideNetworkError):
        socket.create_connection(("example.org", 443))
    assert outside_connections == ["example.org"]
    outside_connections.clear()


def test_loopback_stays_open() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket() as client:
        client.connect(server.getsockname())
        accepted, address = server.accept()
        accepted.close()
        assert address == client.getsockname()


def test_unix_sockets_stay_open() -> None:
    one, other = socket.socketpair()
    with one, other:
        one.sendall(b"here")
        assert other.recv(4) == b"here"


def test_no_key_reaches_a_test() -> None:
    assert "ANTHROPIC_API_KEY" not in os.environ
    assert "ANTHROPIC_BASE_URL" not in os.environ

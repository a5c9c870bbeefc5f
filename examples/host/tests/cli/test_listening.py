import socket

from mentionable_host.cli.listening import listen


def test_what_is_accepted_sends_small_pieces_at_once():
    with listen("127.0.0.1", 0) as place, socket.create_connection(place.getsockname()) as client:
        accepted, _ = place.accept()
        with accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
            assert client.getpeername() == place.getsockname()

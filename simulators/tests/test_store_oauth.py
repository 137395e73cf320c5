"""The store's own check of signatures, against the example of the standard and by fault."""

import pytest

from simulators.store.oauth import base_string, check, read_header
from simulators.store.wire import Refusal

# From RFC 5849, 3.4.1.1, without its body.
HEADER = (
    'OAuth realm="Example", oauth_consumer_key="9djdj82h48djs9d2", oauth_token="kkk9d7dh3k39sjv7",'
    'oauth_signature_method="HMAC-SHA1", oauth_timestamp="137131201",'
    'oauth_nonce="7d8f3e4a", oauth_signature="bYT5CMsGcbgUdFHObYMEfcx6bsw%3D"'
)


def header(**changes):
    parts = {
        "oauth_consumer_key": "ck",
        "oauth_token": "tk",
        "oauth_signature_method": "HMAC-SHA1",
        "oauth_timestamp": "1000",
        "oauth_nonce": "n",
        "oauth_signature": "AAAA",
        **changes,
    }
    listed = ", ".join(f'{name}="{value}"' for name, value in parts.items() if value is not None)
    return f"OAuth {listed}"


class TestBaseString:
    def test_is_as_in_the_standard(self):
        url = "http://EXAMPLE.COM:80/request?b5=%3D%253D&a3=a&c%40=&a2=r%20b"

        text = base_string("post", url, read_header(HEADER).parameters)

        assert text == (
            "POST&http%3A%2F%2Fexample.com%2Frequest&a2%3Dr%2520b%26a3%3Da%26b5%3D%253D%25253D%26"
            "c%2540%3D%26oauth_consumer_key%3D9djdj82h48djs9d2%26oauth_nonce%3D7d8f3e4a%26"
            "oauth_signature_method%3DHMAC-SHA1%26oauth_timestamp%3D137131201%26"
            "oauth_token%3Dkkk9d7dh3k39sjv7"
        )


class TestReadHeader:
    @pytest.mark.parametrize(
        "text",
        [
            None,
            "",
            "Bearer x",
            "OAuth ",
            "OAuth nonsense",
            header(oauth_nonce=None),
            header(oauth_signature=""),
            header(oauth_signature_method="PLAINTEXT"),
            header(oauth_version="2.0"),
            header(oauth_timestamp="soon"),
            header() + ', oauth_token="twice"',
        ],
    )
    def test_refuses_what_is_not_signed_like_this(self, text):
        with pytest.raises(Refusal) as refused:
            read_header(text)

        assert refused.value.code == 401


class TestCheck:
    def sign(self, now, **changes):
        check(
            read_header(header(**changes)),
            method="GET",
            url="http://x/y",
            consumer_secret="a",
            token_secret="b",
            now=now,
        )

    @pytest.mark.parametrize("now", [1_301, 699])
    def test_refuses_what_is_more_than_five_minutes_away(self, now):
        with pytest.raises(Refusal, match="TIMESTAMP_REFUSED"):
            self.sign(now)

    def test_refuses_a_signature_of_something_else(self):
        with pytest.raises(Refusal, match="SIGNATURE_INVALID"):
            self.sign(1_000)

"""Words in a text: both ways of looking give the same places."""

from hypothesis import given
from hypothesis import strategies as st

from bridge.recording.find import SHORT, Finder

WORDS = (b"csrf", b"token", b"session", b"sess", b"aaaa")
texts = st.lists(st.sampled_from([b"c", b"a", b"aa", b"sessi", b"on", b"tok", b"en", *WORDS]), max_size=30).map(b"".join)


@given(texts, st.integers(0, 3))
def test_long_texts_are_searched_as_short_ones(text: bytes, shift: int) -> None:
    finder = Finder(WORDS)
    front = b"." * (SHORT + shift)
    found = sorted((at - len(front), word) for at, word in finder.places(front + text))
    assert found == sorted(finder.places(text))
    assert found == sorted((at, word) for word in WORDS for at in range(len(text)) if text.startswith(word, at))

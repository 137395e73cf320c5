import os
import resource
import threading

import pytest

from apps.core.isolated import Isolated, Limits, NoRoom, OutOfLimits, Raised

HERE = "apps.core.tests.for_isolated"
LIMITS = Limits(cpu_seconds=0.3, memory_bytes=200_000_000)


@pytest.fixture
def isolated():
    made = []

    def make(name: str, **options) -> Isolated:
        made.append(Isolated(f"{HERE}:{name}", LIMITS, **options))
        return made[-1]

    yield make
    for one in made:
        one.close()


class TestIsolated:
    def test_returns_what_the_function_returns_call_after_call(self, isolated):
        reverse = isolated("reverse")

        assert [reverse(b"abc", times=times) for times in (1, 2)] == [b"cba", b"cbacba"]

    def test_uses_its_process_again(self, isolated):
        process_id = isolated("process_id")

        assert process_id(b"") == process_id(b"")

    def test_carries_megabytes_both_ways(self, isolated):
        content = bytes(range(256)) * 20_000

        assert isolated("reverse")(content, times=1) == content[::-1]

    @pytest.mark.skipif(
        resource.getrlimit(resource.RLIMIT_NOFILE)[0] < 2_000, reason="no process has so many files"
    )
    def test_answers_a_process_with_more_than_a_thousand_open_files(self, isolated):
        opened = [os.open(os.devnull, os.O_RDONLY) for _ in range(1_100)]
        try:
            assert isolated("reverse")(b"abc", times=1) == b"cba"
        finally:
            for number in opened:
                os.close(number)

    def test_names_what_the_function_raised(self, isolated):
        with pytest.raises(Raised, match="no such thing") as raised:
            isolated("fail")(b"")

        assert raised.value.kind == "KeyError"

    @pytest.mark.parametrize("name", ["loop", "grow", "die"])
    def test_ends_what_goes_beyond_its_limits_and_answers_the_next_call(self, isolated, name):
        with pytest.raises(OutOfLimits):
            isolated(name)(b"")

        assert isolated("reverse")(b"ab", times=1) == b"ba"

    def test_works_on_after_a_process_that_ran_out_of_time(self, isolated):
        loop_if = isolated("loop_if")

        with pytest.raises(OutOfLimits):
            loop_if(b"yes")

        assert loop_if(b"no") == b"no"

    def test_gives_each_of_many_threads_its_own_answer(self, isolated):
        reverse = isolated("reverse")
        answers: dict[int, bytes] = {}

        def ask(number: int) -> None:
            answers[number] = reverse(str(number).encode(), times=1)

        threads = [threading.Thread(target=ask, args=[number]) for number in range(10, 22)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

        assert answers == {number: str(number)[::-1].encode() for number in range(10, 22)}

    def test_refuses_when_no_process_comes_free(self, isolated):
        with pytest.raises(NoRoom):
            isolated("reverse", processes=0, patience=0.0)(b"")

    def test_runs_one_call_of_a_caller_and_lets_one_wait(self, isolated, monkeypatch):
        decode, release, running = isolated("reverse"), threading.Event(), threading.Semaphore(0)
        answers = []

        def held(content, arguments):
            running.release()
            assert release.wait(30)
            return content

        def ask(whose):
            answers.append(decode(whose.encode(), whose=whose))

        monkeypatch.setattr(decode, "_call", held)
        threads = [threading.Thread(target=ask, args=[who]) for who in ("ann", "ann", "bo")]
        for thread in threads:
            thread.start()
        for _ in ("ann", "bo"):
            assert running.acquire(timeout=30)
        while decode._turns["ann"].calls < 2:
            pass
        with pytest.raises(NoRoom):
            decode(b"", whose="ann")

        assert not running.acquire(blocking=False)  # ann's second one waits
        release.set()
        for thread in threads:
            thread.join()
        assert sorted(answers) == [b"ann", b"ann", b"bo"]
        assert not decode._turns

    def test_hands_over_none_of_our_environment(self, isolated, monkeypatch):
        monkeypatch.setenv("SECRET_KEY", "not for decoders")

        assert b"SECRET_KEY" not in isolated("environment")(b"")

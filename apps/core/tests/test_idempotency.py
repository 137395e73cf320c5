import datetime as dt

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test.client import encode_multipart

from apps.core.clock import now
from apps.core.idempotency.models import StoredAnswer
from apps.core.idempotency.once import forget_old_answers
from apps.core.testing.threads import at_once
from apps.core.throttling import RateWindow

pytestmark = [pytest.mark.django_db, pytest.mark.urls("apps.core.tests.urls")]

EFFECT = "/api/test/effect"


def effects() -> int:
    return RateWindow.objects.filter(key="effect").count()


def post(client, body=None, *, key="k1", path=EFFECT, **also):
    return client.post(path, body or {}, headers={"Idempotency-Key": key} if key else {}, **also)


def upload(client, content=b"a,b", *, name="a.csv", boundary="one"):
    body = {"file": SimpleUploadedFile(name, content), "option": ["x", "y"]}
    return client.generic(
        "POST",
        EFFECT,
        encode_multipart(boundary, body),
        content_type=f"multipart/form-data; boundary={boundary}",
        headers={"Idempotency-Key": "k1"},
    )


class TestApplyOnce:
    def test_gives_the_first_answer_again(self, api, ann):
        first = post(api(ann), {"a": 1})
        again = post(api(ann), {"a": 1})

        assert (first.status_code, again.status_code) == (201, 201)
        assert first.content == again.content
        assert first.json()["data"] == [{"effects": 1}]
        assert "Idempotent-Replay" not in first.headers
        assert again.headers["Idempotent-Replay"] == "true"
        assert effects() == 1

    def test_knows_the_same_body_in_another_order(self, api, ann):
        post(api(ann), {"a": 1, "b": [1, {"c": 2}]})
        again = post(api(ann), {"b": [1, {"c": 2}], "a": 1})

        assert again.status_code == 201
        assert effects() == 1

    @pytest.mark.parametrize(
        ("body", "path", "method"),
        [
            ({"a": 2}, EFFECT, "post"),
            ({"a": 1}, f"{EFFECT}?x=1", "post"),
            ({"a": 1}, "/api/test/refusing", "post"),
            ({"a": 1}, EFFECT, "patch"),
        ],
        ids=["body", "query", "path", "method"],
    )
    def test_refuses_the_key_for_another_request(self, api, ann, body, path, method):
        post(api(ann), {"a": 1})

        response = getattr(api(ann), method)(path, body, headers={"Idempotency-Key": "k1"})

        assert response.status_code == 422
        assert response.json()["error"]["code"] == "IDEMPOTENCY_KEY_REUSED"
        assert effects() == 1

    def test_applies_each_key_and_each_request_without_one(self, api, ann):
        for key in ("k1", "k2", None, None):
            post(api(ann), key=key)

        assert effects() == 4

    def test_keeps_the_keys_of_two_people_apart(self, api, ann, bo):
        mine = post(api(ann), {"a": 1})
        theirs = post(api(bo), {"a": 2})

        assert mine.json()["data"] == [{"effects": 1}]
        assert theirs.json()["data"] == [{"effects": 2}]

    def test_replays_an_upload_whose_boundary_differs(self, api, ann):
        first = upload(api(ann), boundary="one")
        again = upload(api(ann), boundary="two")

        assert (first.status_code, again.status_code) == (201, 201)
        assert effects() == 1

    @pytest.mark.parametrize(
        "other", [{"content": b"a,c"}, {"name": "b.csv"}], ids=["content", "name"]
    )
    def test_refuses_the_key_for_another_file(self, api, ann, other):
        upload(api(ann))

        assert upload(api(ann), **other).status_code == 422
        assert effects() == 1

    @pytest.mark.parametrize("by", ["exception", "answer"])
    def test_stores_nothing_of_a_refused_request(self, api, ann, by):
        refused = post(api(ann), {"by": by}, path="/api/test/refusing")

        assert refused.status_code == {"exception": 409, "answer": 400}[by]
        assert effects() == 0
        assert StoredAnswer.objects.count() == 0
        assert post(api(ann), {"corrected": True}).status_code == 201

    def test_keeps_the_record_of_a_refusal_and_frees_its_key(self, api, ann):
        refused = post(api(ann), {"by": "record"}, path="/api/test/refusing")

        assert refused.status_code == 409
        assert effects() == 1
        assert StoredAnswer.objects.count() == 0
        assert post(api(ann), {"corrected": True}).status_code == 201

    def test_keeps_the_record_of_a_recorded_refusal_and_frees_its_key(self, api, ann):
        answers = [post(api(ann), path="/api/test/recording") for _ in range(2)]

        assert [answer.status_code for answer in answers] == [409, 409]
        assert RateWindow.objects.filter(key="record").count() == 2
        assert StoredAnswer.objects.count() == 0

    @pytest.mark.parametrize("key", ["x" * 201, "na\u00efve", "a\x00b"])
    def test_refuses_keys_that_cannot_be_kept(self, api, ann, key):
        response = post(api(ann), key=key)

        assert response.status_code == 400
        assert effects() == 0

    def test_lets_a_deep_body_through(self, api, ann):
        deep: dict[str, object] = {}
        for _ in range(99):
            deep = {"a": deep}

        assert post(api(ann), deep).status_code == 201

    @pytest.mark.django_db(transaction=True)
    def test_has_one_effect_when_eight_come_at_once(self, api, ann):
        answers = at_once(lambda _: post(api(ann), {"a": 1}), threads=8)

        assert [answer.status_code for answer in answers] == [201] * 8
        assert {answer.content for answer in answers} == {answers[0].content}
        assert effects() == 1

    @pytest.mark.django_db(transaction=True)
    def test_lets_one_of_eight_different_requests_win_a_key(self, api, ann):
        answers = at_once(lambda number: post(api(ann), {"a": number}), threads=8)

        assert sorted(answer.status_code for answer in answers) == [201] + [422] * 7
        assert effects() == 1


class TestForgetOldAnswers:
    def test_forgets_after_three_days(self, api, ann):
        post(api(ann))
        post(api(ann), key="k2")
        StoredAnswer.objects.filter(key="k1").update(created_at=now() - dt.timedelta(days=4))

        forgotten = forget_old_answers(now=now())

        assert forgotten == 1
        assert [answer.key for answer in StoredAnswer.objects.all()] == ["k2"]

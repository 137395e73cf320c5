import pytest

from apps.recognition.rules.cards import station_cards


class TestStationCards:
    def test_are_commands_and_twelve_trays(self):
        codes = [code for _, code in station_cards()]

        assert codes[0] == "CMD:ADD"
        assert "CMD:COND-N" in codes
        assert "CMD:QTY-10" in codes
        assert "CMD:LOCK" in codes
        assert "CMD:BULK" in codes
        assert codes[-12:] == [f"TRAY:{tray}" for tray in range(1, 13)]

    def test_end_with_the_batch_that_is_named(self):
        assert station_cards(batch=("12", "Attic"))[-1] == ("Attic", "BAT:12")

    def test_have_each_code_once(self):
        codes = [code for _, code in station_cards()]

        assert len(codes) == len(set(codes))


@pytest.mark.django_db
class TestPrinting:
    def test_makes_a_pdf(self, api, ann):
        answer = api(ann).post("/api/stationCards", {"batch_code": "12", "batch_name": "Attic"})

        assert answer.status_code == 200
        assert answer["Content-Type"] == "application/pdf"
        assert answer.content.startswith(b"%PDF")

    def test_refuses_paper_that_nobody_sells(self, api, ann):
        answer = api(ann).post("/api/stationCards", {"layout": "papyrus"})

        assert answer.status_code == 400
        assert answer.json()["meta"]["error"]["code"] == "VALIDATION_ERROR"

    def test_is_for_people_who_are_signed_in(self, client):
        assert client.post("/api/stationCards").status_code == 401

"""Stores, pipelines and alerts."""

import pytest

from windvane import AlertRule, MemoryStore, Pipeline, Quality, Reading, SqliteStore, Thermometer, notify, open_store
from windvane.alerts import Severity, channel, frost, storm
from windvane.pipeline import clamp, despike, stage
from windvane.storage import StoreClosed


@pytest.fixture(params=["memory", "sqlite"])
def any_store(request, tmp_path):
    """Each kind of store, empty."""
    if request.param == "memory":
        kept = MemoryStore()
    else:
        kept = SqliteStore(tmp_path / "readings.db")
    yield kept
    if not kept.closed:
        kept.close()


def test_a_store_gives_back_what_it_took(any_store):
    any_store.put("roof", Reading("air", 21.5, "C"))
    assert any_store.get("roof").values == [21.5]
    assert any_store.latest("roof").sensor == "air"


def test_a_closed_store_says_so(any_store):
    any_store.close()
    with pytest.raises(StoreClosed):
        any_store.get("roof")


def test_a_store_in_a_file(tmp_path):
    path = tmp_path / "station.db"
    with SqliteStore(path, timeout=1.0) as store:
        assert store.put_all("roof", [Reading("air", 1.0, "C"), Reading("air", 2.0, "C")]) == 2
    with SqliteStore(path, read_only=True) as store:
        assert len(store.get("roof", limit=1)) == 1


def test_a_store_by_name(tmp_path):
    with open_store() as store:
        store.put("roof", Reading("air", 3.0, "C"))
        assert isinstance(store, MemoryStore)
    with open_store(str(tmp_path / "a.db"), limit=5, journal="delete") as store:
        store.put("roof", Reading("air", 3.0, "C"), overwrite=False)
        assert store.get("roof").values == [3.0]


def test_a_pipeline_is_its_stages_in_a_row():
    pipeline = Pipeline("drop_missing").then("metric", clamp(-10.0, 40.0))
    kept = pipeline.run([Reading("air", 212.0, "F"), Reading("air", 0.0, "C", quality=Quality.MISSING)])
    assert kept.values == [40.0]
    assert kept.latest.quality is Quality.SUSPECT
    assert len(pipeline.run([Reading("air", 1.0, "C")] * 3, limit=2)) == 2


def test_a_strict_pipeline_complains():
    pipeline = Pipeline(lambda reading: None, "metric", name="strict", strict=True)
    with pytest.raises(ValueError, match="strict dropped air"):
        pipeline(Reading("air", 1.0, "C"))


def test_stages_are_found_by_name():
    @stage(name="double", skip_suspect=True)
    def double(reading):
        return reading._replace(value=2 * reading.value)

    assert Pipeline("double")(Reading("air", 2.0, "C")).value == 4.0
    with pytest.raises(LookupError, match="no stage is called triple"):
        Pipeline("triple")


def test_no_weather_was_ever_that_hot():
    assert despike(Reading("air", 58.0, "C")).quality is Quality.SUSPECT


def test_rules_fire_above_and_below():
    rule = AlertRule("air", above=30.0, below=0.0)
    assert rule.check(Reading("air", 31.0, "C")).text == "air is 31.0 C"
    assert rule.check(Reading("air", 15.0, "C")) is None
    assert rule.check(Reading("wind", 31.0, "m/s")) is None
    assert frost(below=2.0).check(Reading("air", 1.0, "C")).text == "Cover the tomatoes"
    assert storm().check(Reading("wind", 30.0, "m/s")).rule.severity is Severity.DANGER


def test_an_alert_is_acknowledged():
    alert = AlertRule("air", above=0.0, severity=Severity.NOTE).check(Reading("air", 1.0, "C"))
    alert.acknowledge("mia")
    assert alert.acknowledged_by == ["mia"]


def test_people_are_told_over_channels():
    told = []

    @channel("pager")
    def page(text, **details):
        told.append((text, details.get("severity")))

    assert notify("hello", "pager", "pigeon") == 1
    assert notify("storm", "pager", severity=Severity.DANGER, map="https://windvane.example/map") == 1
    assert told == [("hello", Severity.NOTE), ("storm", Severity.DANGER)]


def test_calibration_learns_a_line():
    thermometer = Thermometer("air", pin=3)
    thermometer.calibrate((0.0, 1.0), (10.0, 11.0), measured_on="2024-06-21")
    assert thermometer.calibration.apply(5.0) == pytest.approx(6.0)
    assert Thermometer("air", limits=(50.0, 60.0)).read().quality is Quality.SUSPECT

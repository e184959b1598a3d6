"""Readings, series, units and the postcard."""

import pytest

from windvane import Quality, Reading, Series, convert, forecast
from windvane.units import UnitError, beaufort, celsius, compass, dew_point


def test_readings_change_their_unit():
    assert Reading("air", 100.0, "C").to("F").value == pytest.approx(212.0)
    assert Reading("pressure", 1013.0, "hPa").to("Pa") == Reading("pressure", 101300.0, "Pa")


def test_a_missing_reading_has_no_value():
    series = Series([Reading("air", 1.0, "C"), Reading("air", 0.0, "C", quality=Quality.MISSING)])
    assert series.values == [1.0]
    assert series.mean() == 1.0


def test_an_empty_series():
    assert Series().latest is None
    assert Series(name="nothing").mean() is None
    assert Series().get(0) is None
    assert Series().get(3, default=Reading("air", 0.0, "C")).value == 0.0


def test_series_are_smoothed():
    series = Series.from_values([1.0, 2.0, 6.0])
    assert series.smooth(2).values == [1.0, 1.5, 4.0]
    assert series.smooth(window=2, edges="drop").values == [1.5, 4.0]
    assert series.smooth().values == [1.0, 1.5, 3.0]


def test_series_are_merged_and_parted():
    warm = Series.from_values([20.0, 21.0], sensor="warm")
    cold = Series.from_values([1.0], sensor="cold", unit="C")
    both = Series.merge(warm, cold)
    assert len(both) == 3
    assert both.of("cold").values == [1.0]
    assert both.where(lambda reading: reading.value > 20.0).values == [21.0]


@pytest.mark.parametrize(
    ("value", "unit", "to", "expected"),
    [(10.0, "m/s", "km/h", 36.0), (1.0, "in", "mm", 25.4), (0.0, "C", "K", 273.15), (32.0, "F", "C", 0.0)],
)
def test_conversions(value, unit, to, expected):
    assert convert(value, unit, to=to) == pytest.approx(expected)


def test_conversions_of_many_values():
    assert convert([0.0, 100.0], "C", to="F") == [32.0, 212.0]
    assert convert([1.0], "kn", to="m/s", digits=2) == [0.51]


def test_nobody_turns_wind_into_rain():
    with pytest.raises(UnitError) as caught:
        convert(1.0, "m/s", to="mm")
    assert caught.value.to == "mm"
    assert str(UnitError("C", "mm")) == "C cannot be turned into mm"


def test_names_for_wind():
    assert beaufort(0.1) == 0
    assert beaufort(35.0) == 12
    assert beaufort(100.0, unit="km/h") == 10
    assert [compass(degrees) for degrees in (0, 90, 350)] == ["N", "E", "N"]
    assert compass(200.0, points=4) == "S"


def test_air_that_drips():
    assert dew_point(20.0, 100.0) == pytest.approx(20.0)
    assert dew_point(temperature=20.0, humidity=50.0) == pytest.approx(9.3, abs=0.1)
    assert celsius(212.0) == pytest.approx(100.0)


@pytest.mark.parametrize(("last", "mood"), [(1000.0, "storm"), (1011.0, "rain"), (1013.0, "changing")])
def test_falling_pressure(last, mood):
    series = Series.from_values([1013.0, last, last, last], sensor="pressure", unit="hPa")
    assert forecast(series, hours=24).mood == mood


def test_rising_pressure():
    series = Series.from_values([1000.0, 1010.0, 1020.0], unit="hPa")
    assert str(forecast(series, 90.0, window=1)) == "fair for 12 hours (75%)"

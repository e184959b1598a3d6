import { expect, it } from "vitest";
import { Threshold, Timeline, compassPoint, convertUnits, formatValue, schema } from "@windvane/client";
import { sample } from "@windvane/client/testing";

const air = new Timeline([10, 20, 30].map((value, i) => sample({ value, at: `2026-05-01T12:0${i}:00Z` })));

it("smooths", () => {
  expect(air.smooth().values).toEqual([10, 15, 20]);
  expect(air.smooth({ window: 2 }).values).toEqual([10, 15, 25]);
  expect(air.smooth({ window: 2, edges: "drop" }).length).toBe(2);
});

it("merges in the order of time", () => {
  const wind = new Timeline([sample({ sensor: "wind", at: "2026-05-01T11:00:00Z" })]);
  const merged = Timeline.merge(air, wind);
  expect(merged.of("wind").length).toBe(1);
  expect(merged.where((each) => each.value > 15).average()).toBe(22.833333333333332);
  expect(merged.toCsv({ header: false }).split("\n")).toHaveLength(4);
});

it("crosses thresholds once in a while", () => {
  const heat = new Threshold("air", { above: 30, message: "Open the windows" });
  expect(heat.check(sample({ value: 31 }), 0)).toBe("Open the windows");
  expect(heat.check(sample({ value: 32 }), 1000)).toBeUndefined();
  const frost = new Threshold("air", { below: 0, cooldown: 0, level: "danger" });
  expect(frost.check(sample({ value: -1 }))).toBe("air is -1 C");
  expect(Threshold.frost().check(sample())).toBeUndefined();
});

it("speaks the units of people", () => {
  expect(convertUnits(36, { from: "km/h", to: "m/s" })).toBe(10);
  expect(convertUnits([0, 100], { from: "C", to: "F" })).toEqual([32, 212]);
  expect(formatValue(3.14159, { unit: "m/s", digits: 2 })).toBe("3.14 m/s");
  expect(formatValue(1.5, { showSign: true })).toBe("+1.5");
  expect(formatValue(undefined)).toBe("–");
  expect(compassPoint(225)).toBe("SW");
  expect(compassPoint(100, 4)).toBe("E");
});

it("reads only what has the right form", () => {
  const place = schema.object({
    name: schema.string({ trim: true, minLength: 1 }),
    height: schema.optional(schema.number({ min: 0 })),
    kind: schema.oneOf(["mast", "roof"]),
  });
  expect(place.parse({ name: " tower ", kind: "mast" }).name).toBe("tower");
  expect(() => place.parse({ name: "", kind: "mast" })).toThrow("name has to be a text of the right form");
  expect(schema.array(schema.number({ integer: true }), { limit: 1 }).parse([1, 2])).toEqual([1]);
});

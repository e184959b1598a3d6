export type Unit = "C" | "F" | "m/s" | "km/h" | "kn" | "hPa" | "mm" | "%";

export interface FormatOptions {
  unit?: string;
  digits?: number;
  locale?: string;
  /** A plus before what is above zero. */
  showSign?: boolean;
  /** What stands for a value that is not there. */
  missing?: string;
}

const SPEED: Partial<Record<Unit, number>> = { "m/s": 1, "km/h": 1 / 3.6, kn: 0.514444 };

/** A value, or each of several, in another unit. */
export function convertUnits(value: number, options: { from: Unit; to: Unit; digits?: number }): number;
export function convertUnits(value: number[], options: { from: Unit; to: Unit; digits?: number }): number[];
export function convertUnits(
  value: number | number[],
  options: { from: Unit; to: Unit; digits?: number },
): number | number[] {
  if (Array.isArray(value)) return value.map((each) => convertUnits(each, options));
  const { from, to, digits } = options;
  const result = scale(value, from, to);
  return digits === undefined ? result : Number(result.toFixed(digits));
}

function scale(value: number, from: Unit, to: Unit): number {
  if (from === "F" && to === "C") return (value - 32) / 1.8;
  if (from === "C" && to === "F") return value * 1.8 + 32;
  return (value * (SPEED[from] ?? 1)) / (SPEED[to] ?? 1);
}

/** A value as people read it. */
export function formatValue(value: number | undefined, options: FormatOptions = {}): string {
  const { unit = "", digits = 1, locale = "en", showSign = false, missing = "–" } = options;
  if (value === undefined) return missing;
  const text = value.toLocaleString(locale, {
    maximumFractionDigits: digits,
    signDisplay: showSign ? "exceptZero" : "auto",
  });
  return unit === "" ? text : `${text} ${unit}`;
}

/** The name of a direction, such as `NE`. */
export const compassPoint = (degrees: number, points: 4 | 8 = 8): string => {
  const names = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"].filter((_, i) => points === 8 || i % 2 === 0);
  return names[Math.round(((((degrees % 360) + 360) % 360) / 360) * points) % points] ?? "N";
};

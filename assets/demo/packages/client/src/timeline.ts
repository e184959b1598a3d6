import type { Sample } from "./types.js";

export interface SmoothOptions {
  /** Over how many samples. */
  window?: number;
  edges?: "shrink" | "drop";
}

/** Samples in the order of time. Its methods return new ones. */
export class Timeline implements Iterable<Sample> {
  constructor(
    private readonly samples: readonly Sample[],
    readonly station: string = "",
  ) {}

  static merge(...timelines: Timeline[]): Timeline {
    const samples = timelines.flatMap((timeline) => [...timeline]);
    return new Timeline(samples.sort((a, b) => a.at.localeCompare(b.at)));
  }

  get length(): number {
    return this.samples.length;
  }

  get latest(): Sample | undefined {
    return this.samples.at(-1);
  }

  /** The values that mean something. */
  get values(): number[] {
    return this.samples.filter((sample) => sample.quality !== "missing").map((sample) => sample.value);
  }

  of(sensor: string): Timeline {
    return this.where((sample) => sample.sensor === sensor);
  }

  where(keep: (sample: Sample) => boolean): Timeline {
    return new Timeline(this.samples.filter(keep), this.station);
  }

  /** A running mean. */
  smooth({ window = 3, edges = "shrink" }: SmoothOptions = {}): Timeline {
    const from = edges === "drop" ? window - 1 : 0;
    const smoothed = this.samples.map((sample, i) => {
      const around = this.samples.slice(Math.max(0, i - window + 1), i + 1);
      return { ...sample, value: mean(around.map((each) => each.value)) };
    });
    return new Timeline(smoothed.slice(from), this.station);
  }

  /** The mean of the usable values. */
  average(): number | undefined {
    return this.values.length === 0 ? undefined : mean(this.values);
  }

  toCsv({ separator = ",", header = true }: { separator?: string; header?: boolean } = {}): string {
    const rows = this.samples.map((sample) => [sample.at, sample.sensor, sample.value, sample.unit].join(separator));
    return (header ? [["at", "sensor", "value", "unit"].join(separator), ...rows] : rows).join("\n");
  }

  [Symbol.iterator](): Iterator<Sample> {
    return this.samples[Symbol.iterator]();
  }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

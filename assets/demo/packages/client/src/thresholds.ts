import type { Sample } from "./types.js";
import { formatValue } from "./measures.js";

export interface ThresholdOptions {
  above?: number;
  below?: number;
  level?: "note" | "warning" | "danger";
  message?: string;
  /** Seconds of silence after it was crossed. */
  cooldown?: number;
}

/** Tells when a sensor rises above or falls below a value. */
export class Threshold {
  readonly level: "note" | "warning" | "danger";
  private quietUntil = 0;

  constructor(
    readonly sensor: string,
    private readonly options: ThresholdOptions,
  ) {
    this.level = options.level ?? "warning";
  }

  static frost(options: Omit<ThresholdOptions, "below"> = {}): Threshold {
    return new Threshold("air", { message: "Cover the tomatoes", ...options, below: 0.5 });
  }

  /** What people are told of this sample, if anything. */
  check(sample: Sample, now: number = Date.now()): string | undefined {
    const { above = Infinity, below = -Infinity, message, cooldown = 600 } = this.options;
    const isCrossed = sample.sensor === this.sensor && (sample.value > above || sample.value < below);
    if (!isCrossed || now < this.quietUntil) return undefined;
    this.quietUntil = now + cooldown * 1000;
    return message ?? `${sample.sensor} is ${formatValue(sample.value, { unit: sample.unit })}`;
  }
}

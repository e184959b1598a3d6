import { type FormatOptions, formatValue } from "@windvane/client";
import type { ReactNode } from "react";

export interface GaugeProps extends Pick<FormatOptions, "unit" | "digits" | "locale"> {
  label: string;
  value: number | undefined;
  min?: number;
  max?: number;
  /** Shown in red from here on. */
  warnAbove?: number;
  size?: "small" | "large";
  icon?: ReactNode;
  onSelect?: (label: string) => void;
  className?: string;
}

/** One value on a dial. */
export function Gauge({
  label,
  value,
  unit,
  digits,
  locale,
  min = 0,
  max = 100,
  warnAbove = Infinity,
  size = "small",
  icon,
  onSelect,
  className = "gauge",
}: GaugeProps) {
  const share = value === undefined ? 0 : Math.min(1, Math.max(0, (value - min) / (max - min)));
  const isHigh = value !== undefined && value > warnAbove;
  return (
    <figure className={`${className} ${size}`} data-high={isHigh} onClick={() => onSelect?.(label)}>
      {icon}
      <meter value={share} aria-label={label} />
      <figcaption>
        {label}: <b>{formatValue(value, { unit, digits, locale })}</b>
      </figcaption>
    </figure>
  );
}

import type { Timeline } from "@windvane/client";
import { useMemo } from "react";

export interface SparklineProps {
  timeline: Timeline;
  width?: number;
  height?: number;
  stroke?: string;
  /** Keeps zero in the picture. */
  fromZero?: boolean;
  title?: string;
}

/** A line as high as a word. */
export const Sparkline = ({
  timeline,
  width = 120,
  height = 24,
  stroke = "currentColor",
  fromZero = false,
  title,
}: SparklineProps) => {
  const points = useMemo(() => {
    const { values } = timeline;
    const low = fromZero ? Math.min(0, ...values) : Math.min(...values);
    const range = Math.max(...values) - low || 1;
    const step = width / Math.max(1, values.length - 1);
    return values.map((value, i) => `${i * step},${height - ((value - low) / range) * height}`).join(" ");
  }, [timeline, width, height, fromZero]);
  return (
    <svg width={width} height={height} role="img">
      {title !== undefined && <title>{title}</title>}
      <polyline points={points} fill="none" stroke={stroke} />
    </svg>
  );
};

/** Components that show what stations observe. */

export { Board, type BoardProps } from "./components/Board.js";
export { Gauge, type GaugeProps } from "./components/Gauge.js";
export { Sparkline, type SparklineProps } from "./components/Sparkline.js";
export { default as StationCard } from "./components/StationCard.js";
export * from "./hooks.js";

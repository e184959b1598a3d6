/** Talks to a map of weather stations. */

export { WindvaneClient, type ClientOptions, type PublishOptions, type SampleQuery } from "./client.js";
export { WindvaneError, type ErrorDetails } from "./errors.js";
export { schema, type Infer, type Schema } from "./schema.js";
export { Threshold, type ThresholdOptions } from "./thresholds.js";
export { Timeline, type SmoothOptions } from "./timeline.js";
export type { NewStation, Position, Sample, StationInfo } from "./types.js";
export * from "./measures.js";

import { type Infer, schema } from "./schema.js";

/** One reading as the map sends it. */
export const sampleSchema = schema.object({
  sensor: schema.string(),
  value: schema.number(),
  unit: schema.string({ maxLength: 8 }),
  at: schema.string({ pattern: /^\d{4}-\d\d-\d\dT/ }),
  quality: schema.oneOf(["good", "suspect", "missing"]),
});

export type Sample = Infer<typeof sampleSchema>;

export const stationSchema = schema.object({
  name: schema.string({ minLength: 1, maxLength: 40 }),
  latitude: schema.number({ min: -90, max: 90 }),
  longitude: schema.number({ min: -180, max: 180 }),
  altitude: schema.optional(schema.number()),
  owner: schema.optional(schema.string()),
});

export type StationInfo = Infer<typeof stationSchema>;

export type Position = Pick<StationInfo, "latitude" | "longitude">;

/** What is needed to put a station on the map. */
export interface NewStation extends Position {
  name: string;
  /** Metres above the sea. */
  altitude?: number;
  owner?: string;
  /** Shown to everybody, not only to friends. */
  isPublic?: boolean;
  tags?: readonly string[];
  license?: "cc0" | "cc-by";
}

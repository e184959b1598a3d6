/** A map that lives in memory, for tests. */

import { type ClientOptions, WindvaneClient } from "./client.js";
import type { Sample, StationInfo } from "./types.js";

export interface FakeMapOptions {
  stations?: StationInfo[];
  samples?: Sample[];
  /** So many requests fail before one works. */
  failures?: number;
  status?: number;
}

/** One sample; only what matters has to be said. */
export function sample(overrides: Partial<Sample> = {}): Sample {
  return { sensor: "air", value: 18.5, unit: "C", at: "2026-05-01T12:00:00Z", quality: "good", ...overrides };
}

/** A client whose map answers from the given samples. */
export function fakeMap({ stations = [], samples = [], failures = 0, status = 503 }: FakeMapOptions = {}) {
  const requests: URL[] = [];
  let left = failures;
  const fetch = async (input: RequestInfo | URL): Promise<Response> => {
    const url = new URL(String(input));
    requests.push(url);
    if (left > 0) {
      left -= 1;
      return new Response(null, { status });
    }
    return Response.json(url.pathname.endsWith("samples") ? samples : stations);
  };
  const connect = (options: ClientOptions = {}) => new WindvaneClient({ fetch, timeout: 1, ...options });
  return { requests, connect };
}

import { describe, expect, it } from "vitest";
import { WindvaneClient, WindvaneError } from "../src/index.js";
import { fakeMap, sample } from "../src/testing.js";

const samples = [sample({ value: 12 }), sample({ value: 15 }), sample({ sensor: "wind", value: 4, unit: "m/s" })];

describe("a client", () => {
  it("asks for the samples of one sensor", async () => {
    const { connect, requests } = fakeMap({ samples });
    const timeline = await connect().samples("balcony", { sensor: "air", limit: 2 });
    expect(timeline.values).toEqual([12, 15]);
    expect(requests[0]?.searchParams.get("sensor")).toBe("air");
  });

  it("asks from a moment on", async () => {
    const { connect, requests } = fakeMap({ samples });
    await connect().samples("balcony", { since: new Date(0), limit: 10 });
    expect(requests[0]?.searchParams.get("since")).toBe("1970-01-01T00:00:00.000Z");
  });

  it("tries again", async () => {
    const { connect, requests } = fakeMap({ samples, failures: 2 });
    const latest = await connect({ retries: 2 }).latest("balcony");
    expect(latest?.value).toBe(12);
    expect(requests).toHaveLength(3);
  });

  it("gives up where it is no use", async () => {
    const { connect } = fakeMap({ failures: 1, status: 404 });
    const seen: WindvaneError[] = [];
    const client = connect({ onError: (error) => seen.push(error) });
    await expect(client.station("nowhere")).rejects.toThrow(WindvaneError);
    expect(seen[0]?.isTemporary).toBe(false);
  });

  it("sends nothing on a dry run", async () => {
    const { connect, requests } = fakeMap();
    const client = connect({ token: "t" });
    expect(await client.publish("balcony", samples, { dryRun: true })).toBe(3);
    expect(await client.publish("balcony", [sample()], { precision: 1 })).toBe(1);
    expect(requests).toHaveLength(1);
  });

  it("is made from the environment", () => {
    expect(WindvaneClient.fromEnvironment({ WINDVANE_URL: "http://localhost" })).toBeInstanceOf(WindvaneClient);
  });
});

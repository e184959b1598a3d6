/** Runs every night: what was observed yesterday as CSV, and a copy of it for the club's own map. */

import { writeFile } from "node:fs/promises";
import { Timeline, WindvaneClient, convertUnits, formatValue } from "@windvane/client";

const client = WindvaneClient.fromEnvironment(process.env, { retries: 5 });
const archive = new WindvaneClient({ baseUrl: "http://archive.local/api", timeout: 60 });

const since = new Date(Date.now() - 24 * 60 * 60 * 1000);
const stations = ["airfield", "harbour", "school"];

const yesterday = await Promise.all(stations.map((name) => client.samples(name, { since, limit: 1440 })));
await writeFile("yesterday.csv", Timeline.merge(...yesterday).toCsv({ separator: ";" }));

for (const timeline of yesterday) {
  await archive.publish(timeline.station, timeline, { compact: true });
  const wind = timeline.of("wind").smooth({ window: 10 }).average() ?? 0;
  const knots = convertUnits(wind, { from: "m/s", to: "kn", digits: 1 });
  console.log(timeline.station, formatValue(knots, { unit: "kn" }), formatValue(timeline.of("air").average()));
}

await client.register({ name: "club-archive", latitude: 47.99, longitude: 7.85, isPublic: true });
const here = await client.samples("airfield", { sensor: "air", since });
console.log("coldest:", formatValue(Math.min(...here.values), { unit: "°C" }));

for await (const sample of client.watch("airfield", { every: 60 })) {
  if (sample.quality === "missing") break;
}

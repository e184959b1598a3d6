/** Wakes a gardener before the tomatoes freeze. */

import { Threshold, WindvaneClient, formatValue } from "@windvane/client";

const client = new WindvaneClient({ timeout: 20, retries: 5, userAgent: "frost-watch" });
const thresholds = [
  Threshold.frost({ cooldown: 3600 }),
  new Threshold("air", { above: 35, level: "note" }),
  new Threshold("damp", { above: 95, message: "Air the greenhouse", cooldown: 7200 }),
];

const lastNight = await client.samples("allotment", { sensor: "air", limit: 480, order: "newest" });
console.log("coldest:", formatValue(Math.min(...lastNight.values), { unit: "°C" }));
console.log("now:", formatValue(lastNight.smooth().latest?.value, { unit: "°C", showSign: true, locale: "de" }));

for await (const sample of client.watch("allotment", { every: 120 })) {
  for (const threshold of thresholds) {
    const message = threshold.check(sample);
    if (message !== undefined) console.log(`\u0007${threshold.level}: ${message}`);
  }
}

/** The wall of a glider club: its own station, and those around it. */

import { Threshold, WindvaneClient } from "@windvane/client";
import { Board, Gauge, Sparkline, useMessages, useSamples } from "@windvane/dashboard";
import { createRoot } from "react-dom/client";

const client = new WindvaneClient({
  token: import.meta.env.VITE_WINDVANE_TOKEN,
  timeout: 5,
  onError: (error) => console.warn(error.message),
});

const thresholds = [
  new Threshold("wind", { above: 10.8, message: "No winch launches", level: "danger" }),
  new Threshold("pressure", { below: 980 }),
  Threshold.frost(),
];

function Runway({ station }: { station: string }) {
  const gusts = useSamples(station, { sensor: "wind", every: 10, limit: 60 });
  const pressure = useSamples(station, { sensor: "pressure", every: 300 });
  const messages = useMessages(gusts.timeline, thresholds);
  const strongest = Math.max(...gusts.timeline.values);
  return (
    <section>
      <Gauge label="Gusts" value={strongest} unit="m/s" max={30} warnAbove={10.8} size="large" />
      <Gauge label="Pressure" value={pressure.timeline.latest?.value} unit="hPa" min={940} max={1060} digits={0} />
      <Sparkline timeline={pressure.timeline} width={240} />
      {messages.length > 0 && <h2>{messages.join(", ")}</h2>}
    </section>
  );
}

const around = await client.stationsNear({ latitude: 47.99, longitude: 7.85 }, { radius: 25 });

createRoot(document.querySelector("main")!).render(
  <Board client={client} stations={around.map(({ name }) => name)} thresholds={thresholds} every={30} theme="dark">
    <Runway station="airfield" />
  </Board>,
);

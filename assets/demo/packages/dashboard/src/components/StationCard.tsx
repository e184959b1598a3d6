import { type Threshold, compassPoint, convertUnits, formatValue } from "@windvane/client";
import { useMessages, useSamples } from "@/hooks.js";
import { Gauge } from "./Gauge.js";
import { Sparkline } from "./Sparkline.js";

interface Props {
  station: string;
  title?: string;
  thresholds?: readonly Threshold[];
  /** Seconds between two looks. */
  every?: number;
  imperial?: boolean;
}

/** A station at a glance. */
export default function StationCard({ station, title = station, thresholds, every = 60, imperial = false }: Props) {
  const air = useSamples(station, { sensor: "air", every, smooth: 3 });
  const wind = useSamples(station, { sensor: "wind", every, limit: 20 });
  const vane = useSamples(station, { sensor: "vane", limit: 1 });
  const messages = useMessages(air.timeline, thresholds);
  if (air.error) return <p role="alert">{air.error.message}</p>;

  const speed = wind.timeline.average();
  const knots = speed === undefined ? undefined : convertUnits(speed, { from: "m/s", to: "kn" });
  const from = vane.timeline.latest && compassPoint(vane.timeline.latest.value);
  return (
    <article aria-busy={air.isLoading}>
      <h2>{title}</h2>
      <Gauge
        label="Air"
        value={imperial ? fahrenheit(air.timeline.latest?.value) : air.timeline.latest?.value}
        unit={imperial ? "°F" : "°C"}
        min={imperial ? -20 : -30}
        max={imperial ? 120 : 50}
      />
      <Gauge label={`Wind ${from ?? ""}`} value={knots} unit="kn" max={60} warnAbove={34} />
      <Sparkline timeline={air.timeline} title={`${title}: ${formatValue(air.timeline.average(), { digits: 0 })}`} />
      {messages.map((message) => (
        <strong key={message}>{message}</strong>
      ))}
      <button onClick={air.refresh}>Refresh</button>
    </article>
  );
}

function fahrenheit(value: number | undefined): number | undefined {
  return value === undefined ? undefined : convertUnits(value, { from: "C", to: "F", digits: 0 });
}

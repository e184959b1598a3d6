import type { SampleQuery, Threshold, WindvaneClient } from "@windvane/client";
import { Timeline } from "@windvane/client";
import { createContext, useCallback, useContext, useEffect, useMemo, useState } from "react";

export const ClientContext = createContext<WindvaneClient | null>(null);

/** The client of the board around. */
export function useClient(): WindvaneClient {
  const client = useContext(ClientContext);
  if (client === null) throw new Error("there is no Board around this component");
  return client;
}

export interface UseSamplesOptions extends Pick<SampleQuery, "sensor" | "limit" | "since"> {
  /** Seconds between two looks; none to look once. */
  every?: number;
  /** Samples in a running mean. */
  smooth?: number;
  enabled?: boolean;
}

export interface SamplesState {
  timeline: Timeline;
  error: Error | undefined;
  isLoading: boolean;
  refresh: () => Promise<void>;
}

/** What a station observes, kept fresh. */
export function useSamples(station: string, options: UseSamplesOptions = {}): SamplesState {
  const { every, smooth, enabled = true, sensor, limit = 100, since } = options;
  const client = useClient();
  const [timeline, setTimeline] = useState(() => new Timeline([], station));
  const [error, setError] = useState<Error>();
  const [isLoading, setLoading] = useState(enabled);

  const refresh = useCallback(async () => {
    try {
      const found = await client.samples(station, { sensor, limit, since });
      setTimeline(smooth === undefined ? found : found.smooth({ window: smooth }));
      setError(undefined);
    } catch (reason) {
      setError(reason as Error);
    } finally {
      setLoading(false);
    }
  }, [client, station, sensor, limit, since, smooth]);

  useEffect(() => {
    if (enabled) void refresh();
  }, [enabled, refresh]);
  useInterval(refresh, enabled ? every : undefined);
  return { timeline, error, isLoading, refresh };
}

/** Calls back every so many seconds. */
export function useInterval(callback: () => void, seconds: number | undefined): void {
  useEffect(() => {
    if (seconds === undefined) return;
    const timer = setInterval(callback, seconds * 1000);
    return () => clearInterval(timer);
  }, [callback, seconds]);
}

/** The messages of all thresholds that the newest sample crosses. */
export function useMessages(timeline: Timeline, thresholds: readonly Threshold[] = []): string[] {
  const { latest } = timeline;
  return useMemo(() => {
    if (latest === undefined) return [];
    return thresholds.map((threshold) => threshold.check(latest)).filter((message) => message !== undefined);
  }, [latest, thresholds]);
}

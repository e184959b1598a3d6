import type { Threshold, WindvaneClient } from "@windvane/client";
import type { ReactNode } from "react";
import { ClientContext } from "@/hooks.js";
import StationCard from "./StationCard.js";

export interface BoardProps {
  client: WindvaneClient;
  stations: readonly string[];
  title?: string;
  thresholds?: readonly Threshold[];
  /** Cards in a row. */
  columns?: number;
  /** Seconds between two looks. */
  every?: number;
  imperial?: boolean;
  theme?: "light" | "dark" | "auto";
  children?: ReactNode;
}

/** Several stations side by side, kept fresh. */
export function Board({
  client,
  stations,
  title = "Stations",
  thresholds,
  columns = 3,
  every,
  imperial,
  theme = "auto",
  children,
}: BoardProps) {
  return (
    <ClientContext value={client}>
      <main data-theme={theme} style={{ gridTemplateColumns: `repeat(${columns}, 1fr)` }}>
        <h1>{title}</h1>
        {stations.map((station) => (
          <StationCard key={station} station={station} thresholds={thresholds} every={every} imperial={imperial} />
        ))}
        {children}
      </main>
    </ClientContext>
  );
}

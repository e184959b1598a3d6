import { fakeMap, sample } from "@windvane/client/testing";
import { Timeline } from "@windvane/client";
import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { Board, Gauge, Sparkline, StationCard, ClientContext } from "@/index.js";

it("shows a value with its unit", () => {
  render(<Gauge label="Air" value={21.4} unit="°C" />);
  expect(screen.getByText("21.4 °C")).toBeTruthy();
});

it("shows that there is no value", () => {
  render(<Gauge label="Air" value={undefined} unit="°C" digits={0} />);
  expect(screen.getByText("–")).toBeTruthy();
});

it("warns", () => {
  render(<Gauge label="Wind" value={40} unit="kn" max={60} warnAbove={34} size="large" />);
  expect(screen.getByRole("figure").getAttribute("data-high")).toBe("true");
});

it("draws a line", () => {
  const timeline = new Timeline([sample({ value: 0 }), sample({ value: 10 })]);
  render(<Sparkline timeline={timeline} width={100} height={10} />);
  render(<Sparkline timeline={timeline} fromZero title="Rain" />);
  expect(screen.getByTitle("Rain")).toBeTruthy();
});

it("puts stations side by side", async () => {
  const { connect } = fakeMap({ samples: [sample({ value: 3 })] });
  render(<Board client={connect()} stations={["balcony", "cellar"]} columns={2} />);
  expect(await screen.findAllByRole("article")).toHaveLength(2);
});

it("says what went wrong", async () => {
  const { connect } = fakeMap({ failures: 9, status: 403 });
  render(
    <ClientContext value={connect({ retries: 0 })}>
      <StationCard station="balcony" title="Balcony" />
    </ClientContext>,
  );
  expect((await screen.findByRole("alert")).textContent).toContain("refused");
});

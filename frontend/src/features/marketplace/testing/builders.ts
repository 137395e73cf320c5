/** A connection and a rule as the server tells them; a test names what it is about. */
import type { Connection, PriceRule } from "../model";

export function aConnection(given: Partial<Connection> = {}): Connection {
  return {
    marketplace_name: "Demo store",
    is_demo: true,
    state: "ok",
    problem: "",
    outgoing_address: "",
    connectedAt: "2026-01-30T10:00:00Z",
    testedAt: null,
    calls: {
      used: 12,
      limit: 5000,
      resetsAt: "2026-02-01T00:00:00Z",
      kinds: [
        { kind: "stock", name: "Stock changes", used: 0, limit: 4800, left: 4788 },
        { kind: "lookup", name: "Look-ups", used: 12, limit: 2000, left: 1988 },
      ],
    },
    ...given,
  };
}

export function aPriceRule(given: Partial<PriceRule> = {}): PriceRule {
  return {
    basis: "reference",
    region: "global",
    percent: "0.00",
    rounding: "0.0100",
    minimum: "0.0100",
    without_data: "keep",
    low_value: "0.0500",
    high_value: "1.0000",
    updatedAt: null,
    ...given,
  };
}

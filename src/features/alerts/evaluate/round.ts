import type { AlertState, Priced, Reason } from '../contract.ts';
import type { Tidings } from '../notify/to-notification.ts';
import type { GroupCounts, NOTIFIED, Rule, Step, Trend } from '../table.ts';

/** Events up to this late change what was judged, and a server that was away judges this much of the past; in minutes. */
export const REACH = 60;

/** A rule to judge. `version` changes with it. */
export type RuleInput = {
  readonly id: string;
  readonly version: number;
  readonly rule: Rule;
  /** The first minute that is judged, since 1970: late events before it change nothing. */
  readonly since: number;
  readonly opensIncident: boolean;
  /** Whether it has channels. */
  readonly notifies: boolean;
  /** What is stored of its state; null before its first evaluation. */
  readonly stored: StoredState | null;
};

/** The state of an alert, as it is stored. */
export type StoredState = {
  readonly state: AlertState;
  readonly groups: GroupCounts;
  readonly trend: Trend | null;
};

/** What is stored of a group. `toldAt` is in epoch milliseconds. */
export type GroupInput = {
  readonly alertId: string;
  readonly group: string;
  readonly trail: readonly Step[];
  readonly told: AlertState;
  readonly toldAt: number | null;
};

export type SilenceInput = { readonly alertId: string | null; readonly group: string | null };

/** Fingerprints of the calls, scores and runs of a minute, which change when a late one arrives. */
export type Mark = readonly [minute: number, calls: number, scores?: number, runs?: number];

/** One round of a project: everything up to a minute is judged. */
export type RoundInput = {
  /** End of the last window, in minutes since 1970. */
  readonly at: number;
  /** Epoch milliseconds. */
  readonly now: number;
  /** All rules; null if none changed since the round before. */
  readonly rules: readonly RuleInput[] | null;
  /** Silences that have not ended. */
  readonly silences: readonly SilenceInput[];
  /** What is stored, for the first round. */
  readonly stored: {
    readonly judgedTo: number | null;
    readonly marks: readonly Mark[];
    readonly groups: readonly GroupInput[];
  } | null;
};

export type HistoryRow = Priced & {
  /** Minutes since 1970. */
  readonly at: number;
  readonly from: AlertState;
  readonly to: AlertState;
  readonly value: number | null;
  readonly threshold: number | null;
  readonly baseline: number | null;
  readonly reason: Reason | null;
  readonly notified: (typeof NOTIFIED)[number];
};

/** What is stored of a group after a round. */
export type GroupRow = Priced & {
  readonly state: AlertState;
  /** Minutes since 1970. */
  readonly since: number;
  readonly value: number | null;
  readonly threshold: number | null;
  readonly baseline: number | null;
  readonly reason: Reason | null;
  readonly told: AlertState;
  readonly toldAt: number | null;
  readonly trail: readonly Step[];
};

/** A group whose stored state changes. */
export type GroupChange = {
  readonly alertId: string;
  readonly version: number;
  readonly group: string;
  readonly history: readonly HistoryRow[];
  /** Stored changes that did not hold. */
  readonly superseded: readonly Step[];
  /** Null: nothing is worth keeping. */
  readonly row: GroupRow | null;
  readonly tidings: readonly (Tidings & { readonly silenced: boolean })[];
};

/** An alert whose row is to be written. */
export type Summary = StoredState & { readonly alertId: string; readonly version: number };

/** The newest figures of a group that is not ok. */
export type GroupFigures = readonly [
  alertId: string,
  group: string,
  value: number | null,
  threshold: number | null,
  baseline: number | null,
  unpriced: number | null,
  calls: number | null,
  reason: Reason | null,
];

export type RoundOutcome = {
  readonly at: number;
  readonly marks: readonly Mark[];
  readonly changes: readonly GroupChange[];
  /** Only of alerts whose row says something else. */
  readonly summaries: readonly Summary[];
  /** Some of the groups that are not ok; the others follow in later rounds. */
  readonly groups: readonly GroupFigures[];
  /** The newest figure of each alert by id, as JSON, because a text is copied between threads faster than objects. */
  readonly figures: string;
};

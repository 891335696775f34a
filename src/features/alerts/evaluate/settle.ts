import type { AlertState } from '../contract.ts';
import { type Found, type Judgement, stateBefore } from '../judge/evaluator.ts';
import { FIRST } from '../judge/judge.ts';
import { NO_COST, type Reading } from '../judge/reading.ts';
import type { Step } from '../table.ts';
import type { LiveRule, Revision, Revisions } from './live-rule.ts';
import {
  type GroupChange,
  type Mark,
  REACH,
  type RoundInput,
  type RoundOutcome,
  type Summary,
} from './round.ts';
import { someGroups, summarize } from './summarize.ts';
import { type Telling, tell, UNTOLD, windowMs } from './tell.ts';

/** What a round found. */
type Findings = {
  readonly input: RoundInput;
  readonly rules: ReadonlyMap<string, LiveRule>;
  readonly revisions: Revisions;
  /** What the last minute said of each rule. */
  readonly last: ReadonlyMap<LiveRule, Judgement>;
  readonly marks: readonly Mark[];
};

/** Compares states with what was stored and told before: what is to be stored and told now. */
export function settle({ input, rules, revisions, last, marks }: Findings): RoundOutcome {
  const changes: GroupChange[] = [];
  const summaries: Summary[] = [];
  for (const rule of rules.values()) {
    const judgement = last.get(rule);
    if (judgement === undefined) continue;
    const groups = new Set([
      ...(revisions.get(rule)?.keys() ?? []),
      ...rule.trails.keys(),
      ...rule.told.keys(),
    ]);
    const found = new Map(groups.size === 0 ? [] : judgement.found.map((one) => [one.group, one]));
    for (const group of groups) {
      const revision = revisions.get(rule)?.get(group);
      const change = settleGroup(rule, { group, revision, found: found.get(group), input });
      if (change !== null) changes.push(change);
    }
    const summary = summarize(rule, judgement, input.at);
    if (summary !== null) summaries.push(summary);
  }
  const figures = JSON.stringify(
    Object.fromEntries(
      [...rules.values()].flatMap(({ id, figure }) => (figure === null ? [] : [[id, figure]])),
    ),
  );
  return { at: input.at, marks, changes, summaries, groups: someGroups(last, input.at), figures };
}

type GroupFindings = {
  readonly group: string;
  readonly revision: Revision | undefined;
  readonly found: Found | undefined;
  readonly input: RoundInput;
};

const isSame = (a: Step, b: Step): boolean => a.at === b.at && a.state === b.state;

function settleGroup(rule: LiveRule, { group, revision, found, input }: GroupFindings): GroupChange | null {
  const { former = [], found: news = [] } = revision ?? {};
  const superseded = former.filter((step) => !news.some(({ at, state }) => isSame(step, { at, state })));
  const added = news.filter(({ at, state }) => !former.some((step) => isSame(step, { at, state })));
  const now = stateBefore(rule.trails.get(group), Number.POSITIVE_INFINITY);
  const told = rule.told.get(group) ?? UNTOLD;
  const last = lastOf(found, superseded, input.at);
  const tale = tell(rule.input, {
    rows: added.map(({ at, was, state, reading }) => {
      const { level: _, ...figures } = reading;
      return { at, from: was.state, to: state, ...figures };
    }),
    told,
    state: now.state,
    silenced: isSilenced(input, rule.id, group),
    now: input.now,
    last,
  });
  const trail = recent(rule.trails.get(group) ?? [FIRST], input.at);
  const isOver = isPlain(trail, tale.told.state);
  // A group that was not ok for a while is forgotten in the end.
  const isNew = added.length > 0 || superseded.length > 0 || tale.tidings.length > 0;
  if (!isNew && !(isOver && rule.trails.has(group))) return null;
  rule.told.set(group, tale.told);
  const { at: _, ...figures } = last;
  return {
    alertId: rule.id,
    version: rule.input.version,
    group,
    history: tale.history,
    superseded,
    row: isOver
      ? null
      : { state: now.state, since: now.at, ...figures, told: tale.told.state, toldAt: tale.told.at, trail },
    tidings: tale.tidings.map(({ row, ...tidings }) => ({
      ...tidings,
      groupKey: group,
      value: row.value,
      threshold: row.threshold,
      baseline: row.baseline,
      unpriced: row.unpriced,
      calls: row.calls,
      reason: row.reason,
      ...windowMs(rule.input, row.at),
    })),
  };
}

const NOTHING_READ: Reading = {
  ...{ level: 'ok', value: null, threshold: null, baseline: null, reason: null },
  ...NO_COST,
};

/** The newest figures of a group. */
function lastOf(found: Found | undefined, superseded: readonly Step[], at: number): Telling['last'] {
  const { level: _, reason, ...figures } = found?.reading ?? NOTHING_READ;
  return { at, ...figures, reason: superseded.length > 0 ? 'late_events' : reason };
}

/** The newest states of a group: those that late events can still change, and the one before. */
export function recent(trail: readonly Step[], at: number): Step[] {
  const before = trail.findLast((step) => step.at < at - REACH);
  return [...(before === undefined ? [] : [before]), ...trail.filter((step) => step.at >= at - REACH)];
}

/** Whether nothing of a group is worth keeping. @param told what people were told of last */
export const isPlain = (trail: readonly Step[], told: AlertState): boolean =>
  told === 'ok' && trail.every(({ state }) => state === 'ok');

const isSilenced = ({ silences }: RoundInput, alertId: string, group: string): boolean =>
  silences.some(
    (one) => (one.alertId === null || one.alertId === alertId) && (one.group === null || one.group === group),
  );

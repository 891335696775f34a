import { bytesText, numberText } from '../../lib/figures.ts';

/** Limits of an organization. */
export type Limits = {
  /** Events per calendar month (UTC). */
  readonly monthlyEvents: number;
  /** Bytes of new events per calendar month (UTC), as the log stores them. */
  readonly monthlyBytes: number;
  /** Days after which raw events are deleted. */
  readonly retentionDays: number;
};

/**
 * Limits and features of each plan. `projects`: most projects. `alerts`, `prompts`: most of a project.
 * `promptBytes`: most bytes of all versions of its prompts. `datasets`, `datasetItems`, `datasetBytes`: most datasets of a
 * project, and most items and bytes of all their versions. `auditCsv`: the audit log can be exported as CSV.
 */
export const PLANS = {
  free: {
    retentionDays: 7,
    monthlyEvents: 100_000,
    monthlyBytes: 1e9,
    projects: 10,
    alerts: 1_000,
    prompts: 500,
    promptBytes: 50e6,
    datasets: 100,
    datasetItems: 50_000,
    datasetBytes: 100e6,
    auditCsv: false,
  },
  pro: {
    retentionDays: 30,
    monthlyEvents: 5_000_000,
    monthlyBytes: 50e9,
    projects: 100,
    alerts: 2_000,
    prompts: 2_000,
    promptBytes: 500e6,
    datasets: 500,
    datasetItems: 500_000,
    datasetBytes: 1e9,
    auditCsv: false,
  },
  scale: {
    retentionDays: 365,
    monthlyEvents: 100_000_000,
    monthlyBytes: 1e12,
    projects: 1_000,
    alerts: 5_000,
    prompts: 10_000,
    promptBytes: 2e9,
    datasets: 2_000,
    datasetItems: 2_000_000,
    datasetBytes: 5e9,
    auditCsv: true,
  },
} as const satisfies Record<
  string,
  Limits & {
    readonly projects: number;
    readonly alerts: number;
    readonly prompts: number;
    readonly promptBytes: number;
    readonly datasets: number;
    readonly datasetItems: number;
    readonly datasetBytes: number;
    readonly auditCsv: boolean;
  }
>;

export type Plan = keyof typeof PLANS;

/** The plans' names, cheapest first. */
export const PLAN_NAMES = ['free', 'pro', 'scale'] as const satisfies readonly Plan[];

/** The limits of an organization: its plan's, unless the operator overrode them. */
export function limitsOf(organization: {
  readonly plan: Plan;
  readonly monthlyEvents: number | null;
  readonly monthlyBytes: number | null;
  readonly retentionDays: number | null;
}): Limits {
  const plan = PLANS[organization.plan];
  return {
    monthlyEvents: organization.monthlyEvents ?? plan.monthlyEvents,
    monthlyBytes: organization.monthlyBytes ?? plan.monthlyBytes,
    retentionDays: organization.retentionDays ?? plan.retentionDays,
  };
}

/** What gets less by a change of limits, as sentences for people without a full stop; empty if nothing does. */
export function loweredLimits(from: Limits, to: Limits): string[] {
  const lowered: string[] = [];
  if (to.monthlyEvents < from.monthlyEvents)
    lowered.push(
      `${numberText(to.monthlyEvents)} events a month instead of ${numberText(from.monthlyEvents)}`,
    );
  if (to.monthlyBytes < from.monthlyBytes)
    lowered.push(`${bytesText(to.monthlyBytes)} of events instead of ${bytesText(from.monthlyBytes)}`);
  if (to.retentionDays < from.retentionDays)
    lowered.push(
      `events are kept for ${to.retentionDays} days instead of ${from.retentionDays}, and older ones deleted`,
    );
  return lowered;
}

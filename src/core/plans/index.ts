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
 * Limits and features of each plan. `projects`: most projects. `alerts`: most alerts of a project. `auditCsv`: the audit
 * log can be exported as CSV.
 */
export const PLANS = {
  free: {
    retentionDays: 7,
    monthlyEvents: 100_000,
    monthlyBytes: 1e9,
    projects: 10,
    alerts: 1_000,
    auditCsv: false,
  },
  pro: {
    retentionDays: 30,
    monthlyEvents: 5_000_000,
    monthlyBytes: 50e9,
    projects: 100,
    alerts: 2_000,
    auditCsv: false,
  },
  scale: {
    retentionDays: 365,
    monthlyEvents: 100_000_000,
    monthlyBytes: 1e12,
    projects: 1_000,
    alerts: 5_000,
    auditCsv: true,
  },
} as const satisfies Record<
  string,
  Limits & { readonly projects: number; readonly alerts: number; readonly auditCsv: boolean }
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

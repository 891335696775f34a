/** Questions that are understood without a model. */
export const EXAMPLES = [
  'Which model cost the most last week?',
  'error rate by provider yesterday',
  'top 5 users by cost this month',
  'p95 latency in production per day over the last 30 days',
  'How does cost this week compare with last week?',
] as const;

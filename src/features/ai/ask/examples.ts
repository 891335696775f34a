/** Questions that are understood without a model. */
export const EXAMPLES = [
  'Which model cost the most last week?',
  'Error rate by provider yesterday',
  'Top 5 users by cost this month',
  'p95 latency in production per day over the last 30 days',
  'How does cost this week compare with last week?',
] as const;

import { createHash } from 'node:crypto';
import type { Random } from './random.ts';

/** A user of the application, with attributes from the company's software. */
export type DemoUser = { readonly id: string; readonly plan: string; readonly region: string };

const USERS: readonly DemoUser[] = [
  { id: 'maya', plan: 'business', region: 'eu-west' },
  { id: 'jonas', plan: 'business', region: 'eu-west' },
  { id: 'priya', plan: 'business', region: 'ap-south' },
  { id: 'tom', plan: 'team', region: 'us-east' },
  { id: 'lucia', plan: 'team', region: 'eu-west' },
  { id: 'kenji', plan: 'team', region: 'ap-south' },
  { id: 'amara', plan: 'team', region: 'us-east' },
  { id: 'felix', plan: 'starter', region: 'eu-west' },
  { id: 'noor', plan: 'starter', region: 'eu-west' },
  { id: 'diego', plan: 'starter', region: 'us-east' },
  { id: 'hanna', plan: 'starter', region: 'eu-west' },
  { id: 'oluwa', plan: 'starter', region: 'us-east' },
  { id: 'sven', plan: 'trial', region: 'eu-west' },
  { id: 'yara', plan: 'trial', region: 'us-east' },
];

/** Zipf's law with exponent 1.2: the first user causes a third of the traffic. */
const USER_WEIGHTS = USERS.map((user, rank) => [user, (rank + 1) ** -1.2] as const);

const ENVIRONMENTS = [
  ['production', 89],
  ['staging', 8],
  ['dev', 3],
] as const;

/** Number of distinct questions in the documentation search. */
const QUESTIONS = 600;

/** Draws a user; a few are far more frequent than the rest. */
export function pickUser(random: Random): DemoUser {
  return random.weighted(USER_WEIGHTS);
}

/** The environment of a trace. */
export function pickEnvironment(random: Random): string {
  return random.weighted(ENVIRONMENTS);
}

/** SHA-256 (hex) of one of a fixed set of questions; some are frequent. */
export function pickQuestionHash(random: Random): string {
  const question = Math.floor(QUESTIONS * random.next() ** 3);
  return createHash('sha256').update(`question ${question}`).digest('hex');
}

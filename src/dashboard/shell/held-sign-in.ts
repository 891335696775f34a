import { ApiError } from './api-error.ts';

const FRAGMENT = 'second-factor';

/** The challenge of a sign-in that waits for a second factor; null for any other error. */
export const challengeOf = (error: unknown): string | null =>
  error instanceof ApiError && error.more.code === 'second_factor_required'
    ? String(error.more.challenge)
    : null;

/** The fragment with which the sign-in page goes on with the second step. */
export const heldFragment = (challenge: string): string => `${FRAGMENT}=${encodeURIComponent(challenge)}`;

/** Takes a value out of the fragment of the address, where it must not stay. */
export function takeFragment(name: string): string | null {
  const value = new URLSearchParams(location.hash.slice(1).replaceAll('+', '%2B')).get(name);
  if (value !== null) history.replaceState(history.state, '', location.pathname + location.search);
  return value;
}

/** The challenge that another page, or the callback of an identity provider, left in the fragment. */
export const takeChallenge = (): string | null => takeFragment(FRAGMENT);

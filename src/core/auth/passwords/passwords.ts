import { availableParallelism } from 'node:os';
import { unavailable } from '../../../errors.ts';
import { createGate } from '../../../lib/gate.ts';

/** Hashes and checks passwords. Both reject with AppError 503 if too many are queued. */
export type Passwords = {
  hash(password: string): Promise<string>;
  verify(password: string, hash: string): Promise<boolean>;
};

/** argon2id with 19 MiB and two passes, OWASP's minimum. */
const STRONG = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const;
const WEAK = { algorithm: 'argon2id', memoryCost: 8, timeCost: 1 } as const;

/** Half of the cores, at most four at a time (76 MiB): sign-ins must not slow down everybody else. 250 more can wait. */
export function createPasswords(options: { weak: boolean }): Passwords {
  const gate = createGate({
    running: Math.max(1, Math.min(4, Math.floor(availableParallelism() / 2))),
    waiting: 250,
    full: () => unavailable('Too many people are signing in; try again'),
  });
  return {
    hash: (password) => gate.run(() => Bun.password.hash(password, options.weak ? WEAK : STRONG)),
    verify: (password, hash) => gate.run(() => Bun.password.verify(password, hash)),
  };
}

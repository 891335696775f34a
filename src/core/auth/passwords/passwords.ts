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

/** Four at a time take 76 MiB, independent of the number of sign-ins; 250 more can wait. */
export function createPasswords(options: { weak: boolean }): Passwords {
  const gate = createGate({
    running: 4,
    waiting: 250,
    full: () => unavailable('Too many people are signing in; try again'),
  });
  return {
    hash: (password) => gate.run(() => Bun.password.hash(password, options.weak ? WEAK : STRONG)),
    verify: (password, hash) => gate.run(() => Bun.password.verify(password, hash)),
  };
}

import { readFileSync } from 'node:fs';
import type { Actor } from './module.ts';

/**
 * Login name of the user who runs this program, for the audit log. It is read from /etc/passwd, because environment
 * variables can be forged. `uid-1000` for a user without an entry, for example in a container.
 */
export function operatorName(): string {
  const uid = process.getuid?.();
  try {
    const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
    const entry = lines.map((line) => line.split(':')).find((fields) => fields[2] === String(uid));
    if (entry?.[0]) return entry[0];
  } catch {
    // No such file on this system.
  }
  return `uid-${uid ?? 'unknown'}`;
}

/** The user who runs this program, as an actor. `copilot`: a recommendation prepared what they change. */
export const operator = (copilot = false): Actor => ({
  kind: 'operator',
  name: operatorName(),
  ...(copilot && { copilot }),
});

import { readFileSync } from 'node:fs';

/**
 * The login name of who runs this program, for the audit log: as /etc/passwd has it, because the
 * environment says what it is told to. `uid-1000` for a user without an entry, such as a container's.
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

import type { LabelVersion } from '../contract.ts';

/** `3`, or of a split `3 (90%) + 4 (10%)`. */
export function versionsText(versions: readonly LabelVersion[]): string {
  const total = versions.reduce((sum, { weight }) => sum + weight, 0);
  if (versions.length === 1) return String(versions[0]?.version);
  return versions
    .map(({ version, weight }) => `${version} (${Number(((weight / total) * 100).toFixed(1))}%)`)
    .join(' + ');
}

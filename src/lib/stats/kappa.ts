/**
 * Cohen's kappa: how far two raters agree beyond chance, from −1 to 1. Null without ratings, and if both gave one and the
 * same value throughout, where chance explains everything.
 *
 * @see Jacob Cohen, A coefficient of agreement for nominal scales (1960)
 */
export function cohensKappa(pairs: readonly (readonly [string, string])[]): number | null {
  const total = pairs.length;
  if (total === 0) return null;
  const counts = new Map<string, [number, number]>();
  let agreed = 0;
  for (const [a, b] of pairs) {
    if (a === b) agreed++;
    for (const [rater, value] of [a, b].entries()) {
      const own = counts.get(value) ?? [0, 0];
      counts.set(value, own);
      own[rater as 0 | 1]++;
    }
  }
  const byChance = [...counts.values()].reduce((sum, [a, b]) => sum + (a / total) * (b / total), 0);
  return byChance === 1 ? null : (agreed / total - byChance) / (1 - byChance);
}

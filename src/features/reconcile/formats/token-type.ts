export type TokenBucket = 'fresh' | 'cacheRead' | 'cacheWrite' | 'output';

/** Which tokens a line bills, by the words of its item, SKU, meter or usage type; null if it bills none. */
export function bucketOf(text: string): TokenBucket | null {
  const plain = text.toLowerCase().replace(/no[-_ ]?cache|uncached/, '');
  if (/(?:cache|cchd|cd)[-_ ]?(?:wr|creat|stor)/.test(plain)) return /stor/.test(plain) ? null : 'cacheWrite';
  if (/cach|cchd|\bcd\b/.test(plain)) return 'cacheRead';
  if (/out|\bopt\b/.test(plain)) return 'output';
  return /in(?:p|put)|\binpt\b/.test(plain) ? 'fresh' : null;
}

/** How many tokens a unit such as `1K tokens`, `1M` or `tokens` stands for; null for units of other things. */
function unitOf(text: string): number | null {
  const form = /^(?:([\d,]+)\s*)?(k|m|thousand|million)?\b[\s-]*(?:(?:input|output)\s*)?(tokens?)?$/i.exec(
    text.trim(),
  );
  if (form === null || (form[1] ?? form[2] ?? form[3]) === undefined) return null;
  const scale = form[2]?.toLowerCase() ?? '';
  const many = Number((form[1] ?? '1').replaceAll(',', ''));
  return many * (scale.startsWith('k') || scale === 'thousand' ? 1e3 : scale.startsWith('m') ? 1e6 : 1);
}

/** The tokens of a line that bills one kind of them; nothing if it does not say how many. */
export function tokensOf(
  type: string,
  { quantity, unit }: { readonly quantity: number | null; readonly unit: string },
): Partial<Record<TokenBucket, number>> {
  const bucket = bucketOf(type);
  const factor = unitOf(unit);
  if (bucket === null || factor === null || quantity === null) return {};
  return { fresh: 0, cacheRead: 0, cacheWrite: 0, output: 0, [bucket]: quantity * factor };
}

import { BUILT_IN } from './catalogue.ts';
import { findModel } from './find-model.ts';
import { createMemo } from './memo.ts';

const memo = createMemo<{ provider: string | null }>(5_000);

/** The maker of a model in the built-in catalogue; null if unknown. */
export function inferProvider(model: string): string | null {
  const known = memo.get(model);
  if (known !== undefined) return known.provider;
  const found = findModel(BUILT_IN, null, model);
  const provider = typeof found === 'string' ? null : found.provider;
  memo.set(model, { provider });
  return provider;
}

const byHost = createMemo<{ provider: string | null }>(1_000);

/** The provider in the built-in catalogue whose API a host serves; null if unknown. */
export function providerAt(host: string): string | null {
  const known = byHost.get(host);
  if (known !== undefined) return known.provider;
  const found = BUILT_IN.providers.find(({ api_pattern: api }) =>
    new RegExp(`^(?:${api})`).test(`https://${host}`),
  );
  const provider = found?.id ?? null;
  byHost.set(host, { provider });
  return provider;
}

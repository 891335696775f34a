import type { WhatIfQuery } from './contract.ts';

const percent = (fraction: number): string => `${Number((fraction * 100).toFixed(1))} %`;

/** The assumptions of an estimate, as sentences. */
export function assumptionsOf({ model, caching, batch, sample }: Omit<WhatIfQuery, 'projectId'>): string[] {
  return [
    "Today's prices apply to all days.",
    "Each call has the mean size of its model's calls, which decides the price tier.",
    'Cache writes are 5-minute writes.',
    ...(model === undefined
      ? []
      : [
          `${model} uses the same number of tokens for the same text; tokenizers differ, often by 10 to 20 %.`,
        ]),
    ...(caching === undefined
      ? []
      : [
          `The cache serves ${percent(caching)} of the input that is not cached now; cache writes cost nothing extra.`,
        ]),
    ...(batch === undefined
      ? []
      : [`${percent(batch)} of the calls run in batches, at half the price where the provider offers them.`]),
    ...(sample === undefined ? [] : [`${percent(sample)} of the calls are kept, chosen evenly.`]),
  ];
}

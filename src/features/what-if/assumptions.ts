import type { WhatIfQuery } from './contract.ts';

const percent = (fraction: number): string => `${Number((fraction * 100).toFixed(1))} %`;

/** What the figures take for granted, in sentences. */
export function assumptionsOf({ model, caching, batch, sample }: Omit<WhatIfQuery, 'projectId'>): string[] {
  return [
    'The prices in force now hold for all of the days.',
    'Each call of a model is as large as their mean, which decides the tier of its price.',
    'Writes to the cache are 5-minute ones.',
    ...(model === undefined
      ? []
      : [
          `${model} would take the same tokens for the same texts and answer at the same length; tokenizers differ, often by 10 to 20 %.`,
        ]),
    ...(caching === undefined
      ? []
      : [
          `The cache serves ${percent(caching)} of the input that it does not serve now; writing it costs nothing more.`,
        ]),
    ...(batch === undefined
      ? []
      : [
          `${percent(batch)} of the calls can wait for a batch, at half the price where the provider has it.`,
        ]),
    ...(sample === undefined ? [] : [`${percent(sample)} of the calls, chosen evenly, would still be made.`]),
  ];
}

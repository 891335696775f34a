import type { PriceRow } from '../../core/pricing/contract.ts';

type Rates = PriceRow['rates'];
export type Rate = keyof Rates;

type Group = {
  readonly title: string;
  readonly rates: readonly (readonly [rate: Rate, label: string])[];
};

/** The rates of a price with their labels, as forms and tables group them. */
export const RATE_GROUPS: readonly Group[] = [
  {
    title: 'Tokens, USD per 1M',
    rates: [
      ['input', 'Input'],
      ['output', 'Output'],
      ['cacheRead', 'Cache read'],
      ['reasoning', 'Reasoning'],
      ['cacheWrite', 'Cache write'],
      ['cacheWrite1h', 'Cache write, 1 hour'],
    ],
  },
  {
    title: 'Audio, images and video, USD per 1M tokens',
    rates: [
      ['audioInput', 'Audio input'],
      ['audioOutput', 'Audio output'],
      ['imageInput', 'Image input'],
      ['imageOutput', 'Image output'],
      ['videoInput', 'Video input'],
      ['videoOutput', 'Video output'],
      ['audioCached', 'Audio from cache'],
      ['imageCached', 'Images from cache'],
    ],
  },
  {
    title: 'Units, USD each',
    rates: [
      ['perRequest', 'Call'],
      ['perSearch', 'Web search'],
      ['perPage', 'Page'],
      ['perAudioHour', 'Hour of audio'],
      ['citations', '1M citation tokens'],
    ],
  },
];

const LABELS: ReadonlyMap<string, string> = new Map(RATE_GROUPS.flatMap(({ rates }) => rates));

/** What people call a rate; an unknown one is shown as it is. */
export const labelOf = (rate: string): string => LABELS.get(rate) ?? rate;

/** A rate with all its digits. */
export const usdText = (usd: number): string =>
  `$${usd.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 12 })}`;

/** Rates in a line, such as `Input $2.50, Output $10.00`, without those of `but`. */
export const ratesText = (rates: Rates, but: readonly Rate[] = []): string =>
  RATE_GROUPS.flatMap((group) => group.rates)
    .flatMap(([rate, label]) => {
      const usd = rates[rate];
      return usd === undefined || but.includes(rate) ? [] : [`${label} ${usdText(usd)}`];
    })
    .join(', ');

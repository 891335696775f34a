import type { JSX, ReactNode } from 'react';
import { timeText, UTC } from '../../../dashboard/ui/format.ts';
import { hoursText, validityText } from '../../../dashboard/ui/period.ts';
import { numberText } from '../../../lib/figures.ts';
import { labelOf, ratesText, usdText } from '../rate-labels.ts';
import css from './comparison.module.css';
import type { ModelPrices } from './contract.ts';

type Entry = { readonly key: string; readonly when: string; readonly what: ReactNode };

/** Prices of a model by date, hour and size; what an alias stood for; custom prices; what price packs changed. */
export function ModelHistory({ model }: { readonly model: ModelPrices }): JSX.Element {
  const entries = [...ofAlias(model), ...ofCatalogue(model), ...ofCustom(model), ...ofChanges(model)];
  return (
    <section className={css.history}>
      <h3>{model.asked}</h3>
      {entries.length === 0 ? (
        <p className="dim">{model.found ? 'One price at all times' : 'Not in the catalogue'}</p>
      ) : (
        <ul>
          {entries.map(({ key, when, what }) => (
            <li key={key}>
              <span className="dim">{when}</span> {what}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

const ofAlias = ({ alias }: ModelPrices): Entry[] =>
  (alias ?? []).map(({ from, model, surely }) => ({
    key: `alias ${from}`,
    when: validityText(from, null),
    what: `stands for ${model}${surely === null ? '' : `, confirmed from ${timeText.date(surely, UTC)}`}`,
  }));

function ofCatalogue({ listed }: ModelPrices): Entry[] {
  if (listed.length < 2 && (listed[0]?.tiers.length ?? 0) === 0) return [];
  return listed.flatMap(({ from, daily, rates, tiers }, place) => [
    {
      key: `listed ${place}`,
      when:
        [validityText(from, null), daily === null ? '' : hoursText(daily)].filter(Boolean).join(', ') ||
        'by default',
      what: ratesText(rates),
    },
    ...tiers.map(({ above, ...own }) => ({
      key: `listed ${place} ${above}`,
      when: `over ${numberText(above)} tokens`,
      what: ratesText(own),
    })),
  ]);
}

const ofCustom = ({ custom }: ModelPrices): Entry[] =>
  custom.map(({ id, rates, effectiveFrom, effectiveUntil, serviceTier }) => ({
    key: id,
    when: [validityText(effectiveFrom, effectiveUntil) || 'always', serviceTier].filter(Boolean).join(', '),
    what: <>custom: {ratesText(rates)}</>,
  }));

const ofChanges = ({ changes }: ModelPrices): Entry[] =>
  changes.map(({ at, version, change, rates, note }, place) => ({
    key: `change ${place}`,
    when: `${timeText.date(at, UTC)}, ${version}:`,
    what: [
      change,
      ...rates.map(({ rate, before, after }) => `${labelOf(rate)} ${amount(before)} → ${amount(after)}`),
      ...(note === null ? [] : [note]),
    ].join(', '),
  }));

const amount = (usd: number | null): string => (usd === null ? '–' : usdText(usd));

import { Alert } from '@mantine/core';
import type { JSX } from 'react';
import type { CatalogueState } from '../../core/pricing/packs/contract.ts';
import { timeText, UTC } from '../../dashboard/ui/format.ts';
import { numberText } from '../../lib/figures.ts';

/** Which catalogue is in force, and a note if it is old. */
export function CatalogueNote({ catalogue }: { readonly catalogue: CatalogueState }): JSX.Element {
  const { version, date, ageDays, stale, models, providers } = catalogue;
  return (
    <>
      <p className="dim lead">
        The catalogue has {numberText(models)} models of {numberText(providers)} providers ({version}
        {date !== null && `, prices of ${timeText.date(date, UTC)}`}). Custom prices override it for new
        calls.
      </p>
      {stale && (
        <Alert
          color="yellow"
          title={ageDays === null ? 'The catalogue has no date' : `The catalogue is ${ageDays} days old`}
        >
          Prices may have changed since. The operator of this server updates it with{' '}
          <code>spanledger prices update</code>, or each night with <code>PRICE_PACK_URL</code>.
        </Alert>
      )}
    </>
  );
}

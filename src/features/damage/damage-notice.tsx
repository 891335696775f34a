import { Alert } from '@mantine/core';
import type { JSX } from 'react';
import { useApi } from '../../dashboard/shell/api.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { timeText, UTC } from '../../dashboard/ui/format.ts';
import { numberText } from '../../lib/figures.ts';
import type { DamageRow, damageEndpoint } from './contract.ts';

const damageApi = endpointOf<typeof damageEndpoint>('GET /v1/damage');

/** What the pages of a project can't show, because it is damaged; nothing as a rule. */
export function DamageNotice({ projectId }: { readonly projectId: string }): JSX.Element | null {
  const { damage = [] } = useApi(damageApi, { query: { projectId } }).data ?? {};
  if (damage.length === 0) return null;
  const [sealed, recent] = [eventsOf(damage, 'segment'), eventsOf(damage, 'batch')];
  return (
    <Alert color="yellow" mx={24} mt="md" role="status" title="Some stored events cannot be read">
      {sealed > 0 &&
        `${numberText(sealed)} events ${daysOf(damage, 'segment')} are missing in lists; totals contain them. `}
      {recent > 0 &&
        `${numberText(recent)} events ${daysOf(damage, 'batch')} are missing in lists and totals. `}
      An operator can run <code>spanledger events check</code>.
    </Alert>
  );
}

const eventsOf = (damage: readonly DamageRow[], kind: DamageRow['kind']): number =>
  damage.reduce((sum, one) => sum + (one.kind === kind ? one.events : 0), 0);

/** "of 20 Nov 2026", or "of 18 Nov 2026 to 20 Nov 2026". */
function daysOf(damage: readonly DamageRow[], kind: DamageRow['kind']): string {
  const days = damage
    .filter((one) => one.kind === kind)
    .flatMap(({ from, to }) => [from.slice(0, 10), to.slice(0, 10)])
    .sort();
  const [first, last] = [days[0] ?? '', days.at(-1) ?? ''].map((day) => timeText.date(day, UTC));
  return first === last ? `of ${first}` : `of ${first} to ${last}`;
}

import type { JSX } from 'react';
import type { quarantineReasonsEndpoint } from '../../../core/quarantine/contract.ts';
import { compactText, numberText } from '../../../lib/figures.ts';
import { useApi } from '../api.ts';
import { endpointOf } from '../endpoint.ts';
import { useProjectId } from '../scope/scope.ts';
import css from './navigation.module.css';

const reasonsApi = endpointOf<typeof quarantineReasonsEndpoint>('GET /v1/quarantine/reasons');

const EVERY_MS = 60_000;

/** How many events are in the quarantine; nothing if there are none. */
export function QuarantineCount(): JSX.Element | null {
  const projectId = useProjectId();
  const total = useApi(reasonsApi, { query: { projectId } }, { every: EVERY_MS }).data?.total ?? 0;
  return total === 0 ? null : (
    <span className={css.count} title={`${numberText(total)} refused events`}>
      {compactText(total)}
    </span>
  );
}

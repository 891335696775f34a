import type { JSX } from 'react';
import { useApi } from '../../../dashboard/shell/api.ts';
import { endpointOf } from '../../../dashboard/shell/endpoint.ts';
import { partsOf } from '../../../dashboard/shell/filter/use-filter.ts';
import type { Scope } from '../../../dashboard/shell/scope/scope.ts';
import { numberText } from '../../../lib/figures.ts';
import type { listEventsEndpoint } from '../list/contract.ts';
import css from './which-part.module.css';

const listEventsApi = endpointOf<typeof listEventsEndpoint>('GET /v1/events');

/** What a list asks for. */
export type ListParams = Scope['params'] & Readonly<Record<string, string | undefined>>;

/** Parts that are tried; more would be more requests than a page may make. */
const MOST = 6;

type Props = {
  readonly params: ListParams;
  /** What is counted, where the page lists something else. */
  readonly what?: string;
};

/** Where a filter matches nothing: how many events there are without each of its parts. */
export function WhichPart({ params, what = '' }: Props): JSX.Element {
  const parts = partsOf(String(params.filter ?? ''));
  if (parts.length === 0) return <>Remove a filter or choose a longer range.</>;
  return (
    <>
      {parts.slice(0, MOST).map((part) => (
        <Without
          key={part}
          part={part}
          rest={parts.filter((one) => one !== part)}
          params={params}
          what={what}
        />
      ))}
    </>
  );
}

type WithoutProps = Required<Props> & { readonly part: string; readonly rest: readonly string[] };

function Without({ part, rest, params, what }: WithoutProps): JSX.Element | null {
  const filter = rest.length === 0 ? undefined : rest.join(' ');
  const total = useApi(listEventsApi, { query: { ...params, filter, limit: 1 } }).data?.total;
  if (total === undefined) return null;
  return (
    <span className={css.line}>
      {total === 0 ? 'There are none' : `There are ${numberText(total)} ${what}`} without <code>{part}</code>
    </span>
  );
}

import type { SearchResult } from '../../../features/search/contract.ts';
import type { IconName } from '../../ui/icon-paths.ts';
import type { EventsSearch, PageName } from '../scope/search.ts';

/** Where an entry of the palette leads: a page of the project, with what its address says. */
export type Target = {
  readonly page: PageName;
  readonly params?: Readonly<Record<string, string>>;
  readonly search?: EventsSearch & { readonly q?: string };
};

/** An entry that was found or chosen before: as it is shown, and where it leads. */
export type Found = Target & {
  readonly id: string;
  readonly label: string;
  readonly hint: string;
  readonly icon: IconName;
};

type Kind = SearchResult['kind'];

const KINDS: Readonly<
  Record<Kind, { readonly name: string; readonly icon: IconName; target(result: SearchResult): Target }>
> = {
  event: {
    name: 'Event',
    icon: 'events',
    target: ({ id, at }) => ({ page: 'events', search: { event: id, at: at ?? undefined } }),
  },
  trace: {
    name: 'Trace',
    icon: 'traces',
    target: ({ id }) => ({ page: 'traces/$traceId', params: { traceId: id } }),
  },
  session: {
    name: 'Session',
    icon: 'sessions',
    target: ({ id }) => ({ page: 'sessions/$sessionId', params: { sessionId: id } }),
  },
  user: {
    name: 'User',
    icon: 'users',
    target: ({ id }) => ({ page: 'users/$userId', params: { userId: id } }),
  },
  model: {
    name: 'Model',
    icon: 'performance',
    target: ({ id }) => ({ page: 'events', search: { model: id } }),
  },
  prompt: {
    name: 'Prompt',
    icon: 'log',
    target: ({ id, detail }) =>
      detail === 'library'
        ? { page: 'prompts/$promptName', params: { promptName: id } }
        : { page: 'events', search: { filter: `prompt:${JSON.stringify(id)}` } },
  },
  key: { name: 'API key', icon: 'key', target: () => ({ page: 'keys' }) },
};

/** What the server found, as the palette shows it. */
export function foundOf(result: SearchResult): Found {
  const { name, icon, target } = KINDS[result.kind];
  return {
    ...target(result),
    id: `${result.kind} ${result.id}`,
    label: result.label,
    hint: result.detail === null ? name : `${name} · ${result.detail}`,
    icon,
  };
}

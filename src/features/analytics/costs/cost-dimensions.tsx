import { NativeSelect, SegmentedControl } from '@mantine/core';
import type { ComponentProps, JSX } from 'react';
import type { MetricDimension } from '../../../core/events/query/contract.ts';
import type { CreateAlert } from '../../../dashboard/shell/alerts/create-alert.tsx';
import { pageFilter } from '../../../dashboard/shell/metrics/use-metrics.ts';
import { type Scope, stretchSearch, useSetSearch } from '../../../dashboard/shell/scope/scope.ts';
import { type EventsSearch, isOneOf } from '../../../dashboard/shell/scope/search.ts';
import { termOf } from '../../../lib/filter-terms.ts';
import { instantOf, startOfDay } from '../../../lib/time-zone.ts';
import type { CostBreakdown, CostTags } from '../contract.ts';
import css from './cost-dimensions.module.css';

type Group = CostBreakdown['groups'][number];
type Look = {
  readonly label: string;
  readonly plural: string;
  /** What calls are called that have none of it. */
  readonly none: string;
  /** The events behind a group. */
  readonly drill: (value: string, scope: Scope) => EventsSearch;
};

/** The events with a value that only the filter language knows. */
const byTerm =
  (field: string) =>
  (value: string, { params: { projectId, filter } }: Scope): EventsSearch => ({
    filter: pageFilter({ params: { projectId, environment: undefined, filter } }, termOf(field, value)),
  });

/** What costs are split by, by the names of the API. */
const DIMENSIONS = {
  model: { label: 'Model', plural: 'Models', none: 'No model', drill: (model) => ({ model }) },
  provider: {
    label: 'Provider',
    plural: 'Providers',
    none: 'No provider',
    drill: (provider) => ({ provider }),
  },
  environment: {
    label: 'Environment',
    plural: 'Environments',
    none: 'No environment',
    drill: (environment) => ({ environment }),
  },
  userId: { label: 'User', plural: 'Users', none: 'No user', drill: (userId) => ({ userId }) },
  key: { label: 'API key', plural: 'API keys', none: 'No API key', drill: (keyId) => ({ keyId }) },
  tag: { label: 'Tag', plural: 'Values of', none: 'No such tag', drill: () => ({}) },
  release: { label: 'Release', plural: 'Releases', none: 'No release', drill: byTerm('release') },
  day: {
    label: 'Day',
    plural: 'Days',
    none: '',
    drill: (date, { range, zone }) => {
      const start = instantOf(Date.parse(`${date}T00:00:00.000Z`), zone);
      return stretchSearch(start, startOfDay(start, zone, 1), range);
    },
  },
  agent: { label: 'Agent', plural: 'Agents', none: 'No agent', drill: byTerm('agent') },
  agentVersion: {
    label: 'Agent version',
    plural: 'Agent versions',
    none: 'No agent version',
    drill: byTerm('agentVersion'),
  },
  tool: { label: 'Tool', plural: 'Tools', none: 'No tool', drill: byTerm('tool') },
  promptName: { label: 'Prompt', plural: 'Prompts', none: 'No prompt', drill: byTerm('prompt') },
  promptVersion: {
    label: 'Prompt version',
    plural: 'Prompt versions',
    none: 'No prompt version',
    drill: byTerm('promptVersion'),
  },
} as const satisfies Record<string, Look>;
type Dimension = keyof typeof DIMENSIONS;

const TAG = 'tag:';

/** What the address asks to be split by: a dimension, and of a tag its name, '' for the most frequent. */
export type By = { readonly dimension: Dimension; readonly tag: string };

export function byOf({ by = 'model' }: { readonly by?: string | undefined }): By {
  if (by.startsWith(TAG)) return { dimension: 'tag', tag: by.slice(TAG.length) };
  return { dimension: isOneOf(by, DIMENSIONS) ? by : 'model', tag: '' };
}

/** As `by` of the API; null while the tag is not known, or where there is none. */
export function byParam({ dimension, tag }: By, tags: CostTags['tags'] | undefined): string | null {
  if (dimension !== 'tag') return dimension;
  const name = tag === '' ? tags?.[0]?.name : tag;
  return name === undefined ? null : TAG + name;
}

/** Words for a break-down that the API gave. */
export function wordsOf(by: string): { label: string; plural: string } {
  if (by.startsWith(TAG)) return { label: by.slice(TAG.length), plural: `Tag: ${by.slice(TAG.length)}` };
  return DIMENSIONS[by as Dimension] ?? DIMENSIONS.model;
}

/** What a group is called. */
export function nameOf(by: string, { value, name, none, others }: Group): string {
  const { dimension } = byOf({ by });
  if (none) return DIMENSIONS[dimension].none;
  if (others !== undefined) return others === null ? 'Other values' : `${others} others`;
  return name ?? value;
}

/** The filters of the events behind a group; null where they can't be told. */
export function drillOf(by: string, { value, none, others }: Group, scope: Scope): EventsSearch | null {
  if (none || others !== undefined) return null;
  const { dimension, tag } = byOf({ by });
  if (dimension === 'tag') return { tag: `${tag}=${value}` };
  const look: Look = DIMENSIONS[dimension];
  return look.drill(value, scope);
}

/** Dimensions as alerts and the filter language name them. */
const ALERT_FIELDS = {
  model: 'model',
  provider: 'provider',
  environment: 'environment',
  userId: 'user',
  key: 'key',
} as const;

/** How an alert groups by a dimension and filters a group of it; undefined for days. */
export function alertFieldOf(
  by: string,
): { groupBy: ComponentProps<typeof CreateAlert>['groupBy']; field: string } | undefined {
  const { dimension, tag } = byOf({ by });
  if (dimension === 'tag') return { groupBy: `tag:${tag}`, field: `tag.${tag}` };
  if (!isOneOf(dimension, ALERT_FIELDS)) return undefined;
  return { groupBy: ALERT_FIELDS[dimension], field: ALERT_FIELDS[dimension] };
}

/** A breakdown as the metrics query names its dimension; null for days, which are none. */
export function metricDimensionOf(by: string): MetricDimension | null {
  if (by === 'day') return null;
  return by === 'key' ? 'keyId' : (by as MetricDimension);
}

type Props = { readonly by: By; readonly param: string | null; readonly tags: CostTags['tags'] | undefined };

/** Dimensions that few projects have. */
const RARE = { agent: true, agentVersion: true, tool: true, promptName: true, promptVersion: true } as const;

/** Tags that are one click away; of others the name is chosen after `Tag`. */
const FIRST_TAGS = 3;

/** What costs are split by, and of a tag which. */
export function ByControl({ by, param, tags }: Props): JSX.Element {
  const setSearch = useSetSearch<'costs'>();
  const choose = (value: string): void =>
    setSearch({ by: value === 'model' ? undefined : value }, { replace: true });
  const names = tags?.map(({ name }) => name) ?? [];
  const given = param?.slice(TAG.length) ?? '';
  return (
    <div className={css.splitBy}>
      <SegmentedControl
        size="xs"
        aria-label="Split by"
        value={by.dimension}
        onChange={choose}
        data={Object.entries(DIMENSIONS)
          .filter(([value]) => !isOneOf(value, RARE))
          .map(([value, { label }]) => ({ value, label }))}
      />
      <NativeSelect
        size="xs"
        aria-label="Split by something else"
        value={isOneOf(by.dimension, RARE) ? by.dimension : ''}
        onChange={({ currentTarget: { value } }) => choose(value === '' ? 'model' : value)}
        data={[
          { value: '', label: 'More' },
          ...Object.keys(RARE).map((value) => ({ value, label: DIMENSIONS[value as Dimension].label })),
        ]}
      />
      {by.dimension !== 'tag' && names.length > 0 && (
        <SegmentedControl
          size="xs"
          aria-label="Split by a tag"
          value=""
          onChange={(name) => choose(TAG + name)}
          data={names.slice(0, FIRST_TAGS)}
        />
      )}
      {by.dimension === 'tag' && param !== null && (
        <NativeSelect
          size="xs"
          aria-label="Name of the tag"
          value={given}
          onChange={(event) => choose(TAG + event.currentTarget.value)}
          data={names.includes(given) ? names : [given, ...names]}
        />
      )}
    </div>
  );
}

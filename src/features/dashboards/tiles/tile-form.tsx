import { Button, Group, NativeSelect, NumberInput, Skeleton, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type FormEvent, type JSX, useState } from 'react';
import type { MetricsReply } from '../../../core/events/query/contract.ts';
import { DIMENSIONS, dimensionOf } from '../../../dashboard/shell/metrics/dimension-names.ts';
import { MEASURES, measureOf } from '../../../dashboard/shell/metrics/names.ts';
import { questionOf } from '../../../dashboard/shell/metrics/tile-question.ts';
import type { Scope } from '../../../dashboard/shell/scope/scope.ts';
import { FormModal } from '../../../dashboard/ui/form-modal.tsx';
import { Loaded } from '../../../dashboard/ui/states.tsx';
import { useFigures } from '../use-figures.tsx';
import type { Tile, TileDimension, TileKind, TileMeasure, TileQuery } from './contract.ts';
import { TileView } from './tile-view.tsx';

/** What a person chooses about a tile; its place is chosen in the grid. */
export type TileDraft = TileQuery & Pick<Tile, 'title'>;

export const NEW_TILE: TileDraft = {
  title: '',
  kind: 'bars',
  measures: ['cost'],
  groupBy: ['model'],
  filter: '',
  limit: 6,
};

const KINDS = {
  bars: 'Bars',
  line: 'Lines',
  number: 'Number',
  table: 'Table',
  histogram: 'Histogram',
  heatmap: 'Heat map',
  matrix: 'Two dimensions',
} as const satisfies Record<TileKind, string>;

/** Kinds by what they show: of times, of no dimension, of two. */
const isOfTimes = ({ kind }: TileDraft): boolean => kind === 'histogram' || kind === 'heatmap';
const hasGroups = (tile: TileDraft): boolean => tile.kind !== 'number' && !isOfTimes(tile);

/** A tile of another kind: a matrix has two dimensions, a histogram a time. */
function ofKind(tile: TileDraft, kind: TileKind): TileDraft {
  const next = { ...tile, kind };
  const [first = 'requests'] = tile.measures;
  if (isOfTimes(next))
    return { ...next, measures: [first.startsWith('ttft') ? 'ttftP95' : 'latencyP95'], groupBy: [] };
  if (kind !== 'matrix') return next;
  const [one = 'model', two = one === 'userId' ? 'model' : 'userId'] = tile.groupBy;
  return { ...next, groupBy: [one, two] };
}

type Props = {
  readonly title: string;
  readonly scope: Scope;
  readonly draft: TileDraft;
  readonly submit: string;
  readonly onSave: (draft: TileDraft) => void;
  readonly onClose: () => void;
};

/** A tile's title and query, with what it will show. */
export function TileForm({ title, scope, draft, submit, onSave, onClose }: Props): JSX.Element {
  const [tile, setTile] = useState(draft);
  const set = (change: Partial<TileDraft>): void => setTile({ ...tile, ...change });
  const named = { ...tile, title: tile.title.trim() === '' ? suggested(tile) : tile.title };
  const save = (event: FormEvent): void => {
    event.preventDefault();
    onSave(named);
  };
  return (
    <FormModal onClose={onClose} title={title} size="xl">
      <form className="form" onSubmit={save}>
        <Group grow gap="sm" align="flex-start">
          <NativeSelect
            label="Show as"
            value={tile.kind}
            onChange={({ currentTarget: { value } }) => setTile(ofKind(tile, value as TileKind))}
            data={Object.entries(KINDS).map(([value, label]) => ({ value, label }))}
          />
          <MeasureSelect tile={tile} set={set} />
          {hasGroups(tile) && <GroupSelect tile={tile} place={0} set={set} />}
          {(tile.kind === 'table' || tile.kind === 'matrix') && tile.groupBy.length > 0 && (
            <GroupSelect tile={tile} place={1} set={set} />
          )}
        </Group>
        <Group grow gap="sm" align="flex-start">
          <TextInput
            label="Filter"
            placeholder="status:failed, model:gpt-*, environment:production"
            value={tile.filter}
            maxLength={1_000}
            onChange={({ currentTarget: { value } }) => set({ filter: value })}
          />
          <TextInput
            label="Title"
            placeholder={suggested(tile)}
            value={tile.title}
            maxLength={100}
            onChange={({ currentTarget: { value } }) => set({ title: value })}
          />
          {tile.groupBy.length > 0 && hasGroups(tile) && (
            <NumberInput
              label={tile.kind === 'matrix' ? 'Most rows and columns' : 'Most groups'}
              min={1}
              max={tile.kind === 'matrix' ? 20 : 50}
              clampBehavior="strict"
              value={tile.limit}
              onChange={(value) => typeof value === 'number' && value > 0 && set({ limit: value })}
            />
          )}
        </Group>
        <Preview scope={scope} tile={named} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit">{submit}</Button>
        </Group>
      </form>
    </FormModal>
  );
}

type FieldProps = { readonly tile: TileDraft; readonly set: (change: Partial<TileDraft>) => void };

const measureOptions = Object.entries(MEASURES).map(([value, { label }]) => ({ value, label }));

const TIME_OPTIONS = [
  { value: 'latencyP95', label: 'Latency' },
  { value: 'ttftP95', label: 'Time to first token' },
];

/** A table shows further measures beside the first. */
function MeasureSelect({ tile, set }: FieldProps): JSX.Element {
  const [, ...more] = tile.measures;
  return (
    <NativeSelect
      label="Measure"
      value={tile.measures[0]}
      onChange={({ currentTarget: { value } }) => {
        const first = value as TileMeasure;
        set({ measures: tile.kind === 'table' ? [first, ...more.filter((one) => one !== first)] : [first] });
      }}
      data={isOfTimes(tile) ? TIME_OPTIONS : measureOptions}
    />
  );
}

function GroupSelect({ tile, place, set }: FieldProps & { readonly place: 0 | 1 }): JSX.Element {
  const chosen = tile.groupBy[place] ?? '';
  const known = chosen === '' || Object.hasOwn(DIMENSIONS, chosen);
  const choose = (value: string): void => {
    const next = [...tile.groupBy];
    next.splice(place, value === '' ? 2 : 1, ...(value === '' ? [] : [value as TileDimension]));
    set({ groupBy: next });
  };
  return (
    <div>
      <NativeSelect
        label={place === 0 ? 'Group by' : 'and by'}
        value={known ? chosen : 'tag:'}
        onChange={({ currentTarget: { value } }) => choose(value === 'tag:' ? 'tag:team' : value)}
        data={[
          ...(tile.kind === 'matrix' ? [] : [{ value: '', label: 'Nothing' }]),
          ...Object.entries(DIMENSIONS).map(([value, { label }]) => ({ value, label })),
          { value: 'tag:', label: 'Tag' },
        ]}
      />
      {!known && (
        <TextInput
          mt={6}
          aria-label="Name of the tag"
          value={chosen.slice('tag:'.length)}
          maxLength={200}
          required
          onChange={({ currentTarget: { value } }) => choose(`tag:${value}`)}
        />
      )}
    </div>
  );
}

/** `Cost by release` */
export const suggested = (tile: TileDraft): string => {
  const {
    measures: [first = 'requests'],
    groupBy,
    kind,
  } = tile;
  if (isOfTimes(tile))
    return `${first.startsWith('ttft') ? 'Time to first token' : 'Latency'}${kind === 'heatmap' ? ' over time' : ''}`;
  const by = hasGroups(tile) ? groupBy.slice(0, kind === 'matrix' || kind === 'table' ? 2 : 1) : [];
  const names = by.map((dimension) => dimensionOf(dimension).label.toLowerCase());
  return `${measureOf(first).label}${names.length === 0 ? '' : ` by ${names.join(' and ')}`}`;
};

function Preview({ scope, tile }: { scope: Scope; tile: TileDraft }): JSX.Element {
  const [{ title, ...query }] = useDebouncedValue(tile, 300);
  const figures = useFigures(scope, [query]);
  return (
    <section aria-label="Preview" className="panel" style={{ height: 300, overflow: 'auto' }}>
      <Loaded of={figures} loading={<Skeleton height={280} />}>
        {({ replies: [found] }) =>
          // While other figures are read, those of the tile before are still there.
          found !== undefined && (found.reply === null || isReplyTo(found.reply, query)) ? (
            <TileView query={query} answer={found} title={title} height={296} />
          ) : (
            <Skeleton height={280} />
          )
        }
      </Loaded>
    </section>
  );
}

const isReplyTo = (reply: MetricsReply, tile: TileQuery): boolean => {
  const { measures, groupBy = [], bucket, histogram, matrix } = questionOf(tile);
  return (
    reply.measures.map(({ name }) => name).join() === measures.join() &&
    reply.groupBy.join() === groupBy.join() &&
    (reply.bucket === null) === (bucket === undefined) &&
    (reply.histogram === undefined) === (histogram === undefined) &&
    (reply.matrix === undefined) === (matrix === undefined)
  );
};

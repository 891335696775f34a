import type { Ctx } from '../../../context.ts';
import {
  eventsOf,
  type LinkDimension,
  type LinkRow,
  type LinksQuery,
  type LinkTimes,
  metricsWindow,
  type Window,
} from '../../../core/events/index.ts';
import { ofProject, type ProjectScope } from '../../../core/tenancy/index.ts';
import type { ToolSchema } from '../../../core/tool-schemas/contract.ts';
import { listToolSchemas } from '../../../core/tool-schemas/index.ts';
import { DAY_MS, formatInstant, HOUR_MS } from '../../../lib/time.ts';
import type { AgentsQuery, EntryKind } from '../contract.ts';
import { type Registry, readRegistry } from '../registry/queries.ts';

/** Groups that get percentiles: those with most calls. */
export const MOST_PERCENTILES = 2_000;
/** Agents or tools that a list tells one by one: it has an end. */
export const MOST_LISTED = 1_000;

/** The figures of a project in a window of whole hours, with the names that count. */
export type Figures = {
  readonly window: Window;
  readonly registry: Registry;
  links(
    query: Pick<LinksQuery, 'groupBy' | 'filters' | 'agent' | 'bucket' | 'percentiles' | 'dailyCalls'>,
  ): Promise<readonly LinkRow[]>;
  /** The schemas of a tool, also under the names that were merged into it, newest first. */
  schemas(tool: string): Promise<ToolSchema[]>;
  /** When each agent and tool was first and last seen, by its name that counts. */
  times(): Promise<(kind: EntryKind, name: string) => Pick<LinkTimes, 'first' | 'last'> | undefined>;
};

export async function openFigures(ctx: Ctx, scope: ProjectScope, query: AgentsQuery): Promise<Figures> {
  const registry = await readRegistry(ctx, scope.projectId);
  const asked = metricsWindow(query, ctx.now());
  const window = {
    from: Math.floor(asked.from / HOUR_MS) * HOUR_MS,
    to: Math.ceil(asked.to / HOUR_MS) * HOUR_MS,
  };
  const { environment } = query;
  const ofEnvironment = environment === undefined ? {} : { environment: [environment] };
  const { renames } = registry;
  return {
    window,
    registry,
    links: ({ filters = {}, ...rest }) =>
      eventsOf(ctx).links(ofProject(scope), {
        window,
        renames,
        filters: { ...filters, ...ofEnvironment },
        ...rest,
      }),
    schemas: (tool) => listToolSchemas(ctx, scope.projectId, [tool, ...registry.mergedInto('tool', tool)]),
    async times() {
      const found = new Map<string, { first: number; last: number }>();
      for (const { kind, name, first, last } of await eventsOf(ctx).linkTimes(ofProject(scope))) {
        if (kind === 'model') continue;
        const key = `${kind} ${Object.hasOwn(renames[kind], name) ? renames[kind][name] : name}`;
        const known = found.get(key);
        found.set(key, {
          first: Math.min(first, known?.first ?? first),
          last: Math.max(last, known?.last ?? last),
        });
      }
      return (kind, name) => found.get(`${kind} ${name}`);
    },
  };
}

export const sumOf = <R>(rows: readonly R[], of: (row: R) => number): number =>
  rows.reduce((all, row) => all + of(row), 0);

/** Adds rows up. */
export const total = (
  rows: readonly LinkRow[],
): Pick<LinkRow, 'calls' | 'errors' | 'unpriced'> & { readonly cost: number } => ({
  calls: sumOf(rows, ({ calls }) => calls),
  errors: sumOf(rows, ({ errors }) => errors),
  unpriced: sumOf(rows, ({ unpriced }) => unpriced),
  cost: sumOf(rows, ({ costNano }) => costNano) / 1e9,
});

/** The distinct values of a dimension, most calls first. */
export function namesIn(rows: readonly LinkRow[], nameOf: (row: LinkRow) => string | null): string[] {
  const calls = new Map<string, number>();
  for (const row of rows) {
    const name = nameOf(row);
    if (name !== null && name !== '') calls.set(name, (calls.get(name) ?? 0) + row.calls);
  }
  return [...calls].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([name]) => name);
}

/** A value of a row, null if it has none. */
export const textOf = (row: LinkRow, dimension: LinkDimension): string | null => row[dimension] ?? null;

export const promptOf = (row: LinkRow): string | null => {
  const name = textOf(row, 'promptName');
  const version = textOf(row, 'promptVersion');
  return name === null ? null : version === null ? name : `${name}@${version}`;
};

/** Latencies of a row. */
export const timesOf = (
  row: LinkRow | undefined,
): Pick<LinkRow, 'latencyAvg' | 'latencyP50' | 'latencyP95'> => ({
  latencyAvg: row?.latencyAvg ?? null,
  latencyP50: row?.latencyP50 ?? null,
  latencyP95: row?.latencyP95 ?? null,
});

/** Calls by UTC day of a window, from its first day to its last. */
export const seriesOf = (row: LinkRow | undefined, { from, to }: Window): number[] => [
  ...(row?.dailyCalls ?? new Array<number>(Math.ceil(to / DAY_MS) - Math.floor(from / DAY_MS)).fill(0)),
];

export const shownWindow = ({ from, to }: Window): { start: string; end: string } => ({
  start: formatInstant(from),
  end: formatInstant(to - 1),
});

export const shownSeen = (
  times: Pick<LinkTimes, 'first' | 'last'> | undefined,
): { firstSeen: string | null; lastSeen: string | null } => ({
  firstSeen: times === undefined ? null : formatInstant(times.first),
  lastSeen: times === undefined ? null : formatInstant(times.last),
});

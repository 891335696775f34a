import type { Ctx } from '../../src/context.ts';
import type { BaseContext } from '../command.ts';
import { readOfProject } from '../project.ts';
import { withApp } from '../session.ts';
import type { IdKind } from './kind.ts';

/** Something that a command names by its id; `label` says what it is, for people. */
export interface Candidate {
  readonly id: string;
  readonly label: string;
}

/** Reads what an id of a kind may mean. `project` is the option `--project` of the command. */
type ListCandidates = (ctx: BaseContext, project: string | undefined) => Promise<readonly Candidate[]>;

/** Newest traces and events among which the start of an id is looked for. */
const MOST_RECENT = 1_000;

const inFile =
  (list: (app: Ctx) => Promise<readonly Candidate[]>): ListCandidates =>
  (ctx) =>
    // No access token reads these, or their commands change something: only a file has them.
    ctx.server === null ? withApp(ctx, ({ ctx: app }) => list(app)) : Promise.resolve([]);

const eachOrganization = async <T>(app: Ctx, list: (id: string) => Promise<readonly T[]>): Promise<T[]> => {
  const { listOrganizations } = await import('../../src/core/orgs/index.ts');
  const organizations = await listOrganizations(app);
  return (await Promise.all(organizations.map(({ id }) => list(id)))).flat();
};

const eachProject = async <T>(
  app: Ctx,
  list: (project: { readonly id: string; readonly no: number }) => Promise<readonly T[]>,
): Promise<T[]> => {
  const { listProjects } = await import('../../src/core/projects/index.ts');
  return (await Promise.all((await listProjects(app)).map(list))).flat();
};

/** What has ids that people type, and how to list it. */
export const ID_KINDS = {
  key: inFile(async (app) => {
    const { listKeys } = await import('../../src/core/keys/index.ts');
    return (await listKeys(app)).map(({ id, name, projectName }) => ({
      id,
      label: `${name}, ${projectName}`,
    }));
  }),
  token: inFile((app) =>
    eachOrganization(app, async (id) => {
      const { listTokens } = await import('../../src/core/access-tokens/index.ts');
      const { accessTokens } = await listTokens(app, id, { limit: MOST_RECENT });
      return accessTokens.map((token) => ({ id: token.id, label: token.name }));
    }),
  ),
  alert: inFile((app) =>
    eachProject(app, async ({ id }) => {
      const { listAlerts } = await import('../../src/features/alerts/index.ts');
      const { alerts } = await listAlerts(app, id, { limit: MOST_RECENT });
      return alerts.map((alert) => ({ id: alert.id, label: alert.name }));
    }),
  ),
  silence: inFile((app) =>
    eachProject(app, async ({ id }) => {
      const { listSilences } = await import('../../src/features/alerts/index.ts');
      return (await listSilences(app, id)).map((silence) => ({ id: silence.id, label: silence.reason }));
    }),
  ),
  budget: inFile(async (app) => {
    const { listBudgetRows } = await import('../../src/core/budgets/index.ts');
    return (await listBudgetRows(app)).map(({ id, name }) => ({ id, label: name }));
  }),
  report: inFile((app) =>
    eachOrganization(app, async (id) => {
      const { listReports } = await import('../../src/features/scheduled-reports/index.ts');
      return (await listReports(app, id)).map((report) => ({ id: report.id, label: report.name }));
    }),
  ),
  price: inFile((app) =>
    eachOrganization(app, async (id) => {
      const { listPrices } = await import('../../src/core/pricing/index.ts');
      const prices = await listPrices(app, id);
      return prices.map((price) => ({ id: price.id, label: `${price.provider ?? '*'}/${price.model}` }));
    }),
  ),
  channel: inFile((app) =>
    eachOrganization(app, async (id) => {
      const { listChannels } = await import('../../src/core/deliveries/index.ts');
      return (await listChannels(app, id)).map((channel) => ({ id: channel.id, label: channel.name }));
    }),
  ),
  delivery: inFile((app) =>
    eachOrganization(app, async (id) => {
      const { listDeliveries } = await import('../../src/core/deliveries/index.ts');
      const { deliveries } = await listDeliveries(app, id, { limit: MOST_RECENT });
      return deliveries.map((delivery) => ({ id: delivery.id, label: delivery.title }));
    }),
  ),
  comparison: inFile((app) =>
    eachProject(app, async ({ id }) => {
      const { listKept } = await import('../../src/features/reconcile/index.ts');
      return (await listKept(app, id)).map((kept) => ({ id: kept.id, label: `${kept.month} ${kept.name}` }));
    }),
  ),
  repricing: inFile((app) =>
    eachProject(app, async ({ no }) => {
      const { listRepricings } = await import('../../src/features/repricing/index.ts');
      return (await listRepricings(app, no)).map(({ id, state }) => ({ id, label: state }));
    }),
  ),
  recommendation: async (ctx, project) => {
    const { readRecommendations } = await import('../ai/read-recommendations.ts');
    const { recommendations } = await readRecommendations(ctx, project);
    return recommendations.map(({ id, title }) => ({ id, label: title }));
  },
  trace: async (ctx, project) => {
    const [{ eventsOf }, { listTracesEndpoint }, { firstRows }] = await Promise.all([
      import('../../src/core/events/index.ts'),
      import('../../src/features/traces/contract.ts'),
      import('../list/first-rows.ts'),
    ]);
    const window = { from: 0, to: Number.MAX_SAFE_INTEGER };
    const found = await readOfProject(ctx, project, {
      file: (app, scope) =>
        firstRows(MOST_RECENT, async (cursor) => {
          const query = { filters: {}, calls: false, window, limit: 200, cursor };
          const { traces, nextCursor } = (await eventsOf(app).traces(scope, query)).parse();
          return { rows: traces, nextCursor };
        }),
      server: (server, { id: projectId }) =>
        firstRows(MOST_RECENT, async (cursor) => {
          const query = { projectId, kind: 'all', limit: 200, cursor: cursor ?? undefined };
          const { traces, nextCursor } = await server.get(listTracesEndpoint, { query });
          return { rows: traces, nextCursor };
        }),
    });
    return found.map(({ trace_id, name }) => ({ id: trace_id, label: name ?? '' }));
  },
  event: async (ctx, project) => {
    const { eventPages, firstEvents, remoteEventPages } = await import('../events/pages.ts');
    const window = { from: 0, to: Number.MAX_SAFE_INTEGER };
    const query = { filters: {}, calls: false, window, limit: 200 };
    const { events } = await readOfProject(ctx, project, {
      file: (app, scope) => firstEvents(eventPages(app, scope, query), MOST_RECENT),
      server: (server, { id: projectId }) =>
        firstEvents(remoteEventPages(server, { projectId, calls: false, limit: 200 }), MOST_RECENT),
    });
    return events.map(({ event_id, timestamp, model }) => ({
      id: event_id,
      label: `${timestamp.slice(0, 19)} ${model ?? ''}`.trim(),
    }));
  },
} as const satisfies Record<IdKind, ListCandidates>;

import { type Connector, listConnectorsEndpoint } from '../../src/features/reconcile/connectors/contract.ts';
import { defineCommand } from '../command.ts';
import { shortTime } from '../moment.ts';
import { readOfOrganization } from '../organization.ts';
import type { Column } from '../output.ts';
import { orgOption } from '../prices/fields.ts';

export const connectorsList = defineCommand({
  name: 'connectors list',
  summary: "List connectors to the providers' own figures, with their last fetch and error",
  options: orgOption,
  examples: ['spanledger connectors list', 'spanledger connectors list --org acme --json'],
  run: async (ctx) => {
    const { connectorsWithin, listConnectorStates } = await import('../../src/features/reconcile/index.ts');
    const connectors = await readOfOrganization<readonly Connector[]>(ctx, ctx.options.org, {
      file: async (app, { id }) => listConnectorStates(app, id, await connectorsWithin(app, id)),
      server: async (server, { id: organizationId }) =>
        (await server.get(listConnectorsEndpoint, { query: { organizationId } })).connectors,
    });
    ctx.output.result({ connectors }, () => {
      if (connectors.length === 0)
        return ctx.output.info('No connectors: set CONNECTORS_FILE as the README describes');
      ctx.output.table(columns, connectors);
      for (const { id, error } of connectors) if (error !== null) ctx.output.warn(`${id}: ${error}`);
    });
  },
});

const columns: readonly Column<Connector>[] = [
  { header: 'id', value: ({ id }) => id, fixed: true },
  { header: 'provider', value: ({ provider }) => provider },
  { header: 'projects', value: ({ projects }) => (projects.length === 0 ? 'all' : projects.join(', ')) },
  {
    header: 'last fetch',
    value: ({ succeededAt }) => (succeededAt === null ? null : shortTime(Date.parse(succeededAt))),
  },
  { header: 'days', value: ({ from, to }) => (from === null ? null : `${from} – ${to}`) },
  { header: 'figures', value: ({ figures }) => figures },
  { header: 'restated', value: ({ restated }) => restated },
  {
    header: 'state',
    value: ({ error, attemptedAt }) =>
      error !== null
        ? { text: 'failed', tone: 'bad' }
        : { text: attemptedAt === null ? 'never fetched' : 'ok', tone: 'dim' },
  },
];

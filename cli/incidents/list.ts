import { INCIDENT_SEVERITIES, INCIDENT_STATUSES } from '../../src/features/incidents/contract.ts';
import { defineCommand } from '../command.ts';
import { columnsThatFit } from '../list/columns.ts';
import { wholeNumber } from '../list/limit.ts';
import { projectOption, readOfProject } from '../project.ts';
import { parseWindow, toQuery, windowOptions } from '../window.ts';
import { incidentColumns } from './columns.ts';

export const incidentsList = defineCommand({
  name: 'incidents list',
  summary: 'List incidents, those that are not resolved first',
  options: {
    ...projectOption,
    status: {
      value: 'STATUS',
      summary: 'Only this status; unresolved: open and acknowledged',
      choices: [...INCIDENT_STATUSES, 'unresolved'],
    },
    severity: { value: 'SEVERITY', summary: 'Only this severity', choices: INCIDENT_SEVERITIES },
    start: { ...windowOptions.start, summary: 'Started after: 7d, 24h, 2026-01-31 or an ISO 8601 time' },
    end: windowOptions.end,
    limit: {
      value: 'N',
      summary: 'Most incidents to list, 1 to 200',
      short: 'n',
      type: wholeNumber(1, 200),
      default: '50',
    },
  },
  examples: ['spanledger incidents list', 'spanledger incidents list --status unresolved --json'],
  run: async (ctx) => {
    const { options, output } = ctx;
    const { status, severity, limit } = options;
    const window = parseWindow(options, Date.now());
    const [{ listIncidents }, { listIncidentsEndpoint }] = await Promise.all([
      import('../../src/features/incidents/index.ts'),
      import('../../src/features/incidents/contract.ts'),
    ]);
    const which = { status, severity } as const;
    const { incidents, nextCursor } = await readOfProject(ctx, options.project, {
      file: (app, _scope, { id }) =>
        listIncidents(app, id, { ...which, ...window, limit, assigneeId: undefined, cursor: undefined }),
      server: (server, { id }) =>
        server.get(listIncidentsEndpoint, {
          query: { projectId: id, ...which, ...toQuery(window), limit: String(limit) },
        }),
    });
    output.result({ incidents, more: nextCursor !== null }, () => {
      if (incidents.length === 0) return output.info('No incidents');
      output.table(columnsThatFit(incidentColumns, incidents, output.columns), incidents);
      if (nextCursor !== null) output.info(`the first ${limit}, more with --limit`);
    });
  },
});

import { defineCommand } from '../command.ts';
import { projectOption, readOfProject } from '../project.ts';
import { section, warnLeftOut } from '../report/pieces.ts';
import { printIncident } from './columns.ts';

export const incidentsShow = defineCommand({
  name: 'incidents show',
  summary: 'Show an incident with its alerts, its timeline and what explains it',
  args: { id: { summary: 'Number or id of the incident' } },
  options: projectOption,
  examples: ['spanledger incidents show 12', 'spanledger incidents show 12 --json'],
  run: async (ctx) => {
    const { args, options, output } = ctx;
    const [{ findIncident, showIncident, readIncidentCause }, contract, { operatorScope }] =
      await Promise.all([
        import('../../src/features/incidents/index.ts'),
        import('../../src/features/incidents/contract.ts'),
        import('../../src/core/tenancy/index.ts'),
      ]);
    const { incident, rootCause } = await readOfProject(ctx, options.project, {
      file: async (app, _scope, project) => {
        const found = await findIncident(app, project.id, args.id);
        const scope = operatorScope(project);
        return {
          incident: await showIncident(app, found),
          rootCause: await readIncidentCause(app, scope, found, undefined),
        };
      },
      server: async (server, { id: projectId }) => {
        const ask = { params: { id: args.id }, query: { projectId } };
        return {
          incident: await server.get(contract.getIncidentEndpoint, ask),
          rootCause: await server.get(contract.incidentRootCauseEndpoint, ask),
        };
      },
    });
    output.result({ ...incident, rootCause }, () => {
      printIncident(output, incident);
      section(output, 'Root cause');
      output.line({ text: rootCause.summary });
    });
    warnLeftOut(output, rootCause);
  },
});

import type { TestApp } from '../helpers/app.ts';
import { type AuditScenarios, scenario } from '../helpers/audit.ts';

const put = ({ fetch, seed }: TestApp, path: string): Promise<Response> =>
  fetch(`${path}?projectId=${seed.projectId}`, {
    method: 'PUT',
    bearer: seed.bearer,
    json: { owner: 'Support team', hidden: true },
  });

export const scenarios: AuditScenarios = {
  'PUT /v1/agents/:name': scenario({
    act: (world) => put(world, '/v1/agents/planner'),
    tells: ['registry_entry.updated'],
  }),
  'PUT /v1/tools/:name': scenario({
    act: (world) => put(world, '/v1/tools/search'),
    tells: ['registry_entry.updated'],
  }),
};

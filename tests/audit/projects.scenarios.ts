import { type AuditScenarios, scenario } from '../helpers/audit.ts';

export const scenarios: AuditScenarios = {
  'PUT /v1/projects/:id/sdk-config': scenario({
    act: ({ fetch, seed }) =>
      fetch(`/v1/projects/${seed.projectId}/sdk-config`, {
        method: 'PUT',
        bearer: seed.bearer,
        json: { sampleRate: 0.5 },
      }),
    tells: ['sdk_config.updated'],
  }),
};

import { eraseUser } from '../../src/features/erasure/index.ts';
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
  'POST /v1/projects/:id/erasures': scenario({
    act: ({ fetch, seed }) =>
      fetch(`/v1/projects/${seed.projectId}/erasures`, { bearer: seed.bearer, json: { userId: 'u-1' } }),
    tells: ['end_user.erasure_requested'],
  }),
  'projects.erase_user': scenario({
    act: ({ app, seed }) => app.act(eraseUser, { project: seed.projectId, userId: 'u-1' }),
    tells: ['end_user.erasure_requested', 'end_user.erased'],
  }),
};

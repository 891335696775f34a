import { alertChanged } from '../../core/alerts/index.ts';
import { follow, type Module } from '../../module.ts';
import { incidentActions } from './actions.ts';
import { followAlert } from './alerts/follow-alerts.ts';
import { resolveHealthy } from './alerts/resolve-healthy.ts';
import { changeIncidentOp } from './change/change-op.ts';
import { incidentRoutes } from './routes.ts';

/** Incidents of a project: opened by alerts or people, with a timeline and a root cause. */
export const incidentsModule: Module = {
  name: 'incidents',
  tables: [
    {
      name: 'incidents',
      scope: 'project',
      by: 'project_id',
      key: ['id'],
      retention: { ends: 'resolved_at', keptDays: 730 },
      // An incident that an alert about this user opened.
      eraseUser: {
        deleteWhere: `EXISTS (SELECT 1 FROM json_each(dimensions) AS d WHERE d.value = ?)`,
      },
    },
    { name: 'incident_settings', scope: 'project', by: 'project_id', key: ['project_id'] },
  ],
  routes: incidentRoutes,
  writes: [changeIncidentOp],
  actions: incidentActions,
  jobs: [resolveHealthy],
  on: [follow(alertChanged, followAlert)],
};

export { changeIncident } from './change/change-incident.ts';
export { findIncident, listIncidents, showIncident } from './queries.ts';
export { readIncidentCause } from './root-cause-of.ts';
export { readStats } from './stats.ts';

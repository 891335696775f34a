import type { Connection, SqlValue } from '../../../db/connection.ts';
import type { Incident } from '../state.ts';

/** Columns of an incident, in the order of its fields below. */
const COLUMNS = [
  ['id', 'id'],
  ['organizationId', 'organization_id'],
  ['projectId', 'project_id'],
  ['number', 'number'],
  ['title', 'title'],
  ['severity', 'severity'],
  ['status', 'status'],
  ['measure', 'measure'],
  ['dimensions', 'dimensions'],
  ['alerts', 'alerts'],
  ['timeline', 'timeline'],
  ['channelIds', 'channel_ids'],
  ['notes', 'notes'],
  ['assigneeId', 'assignee_id'],
  ['mergedInto', 'merged_into'],
  ['startedAt', 'started_at'],
  ['acknowledgedAt', 'acknowledged_at'],
  ['resolvedAt', 'resolved_at'],
  ['healthySince', 'healthy_since'],
  ['createdAt', 'created_at'],
  ['updatedAt', 'updated_at'],
] as const satisfies readonly (readonly [keyof Incident, string])[];
const JSON_FIELDS: readonly (keyof Incident)[] = ['dimensions', 'alerts', 'timeline', 'channelIds'];
const NAMES = COLUMNS.map(([, column]) => column).join(', ');

/** A change is remembered in a timeline for longer than an outbox repeats it. */
const REPEATED_MS = 7 * 24 * 3_600_000;

/** Incidents in the open transaction of the writing connection. */
export type IncidentRows = {
  find(projectId: string, id: string): Incident | null;
  /** Those that are not resolved, newest first. */
  open(projectId: string): Incident[];
  /** Whether a timeline has an entry of this id. */
  knows(projectId: string, entryId: string, now: number): boolean;
  nextNumber(projectId: string): number;
  save(incident: Incident): void;
};

export function incidentRows(connection: Connection): IncidentRows {
  const select = (where: string) =>
    connection.prepare(`SELECT ${NAMES} FROM incidents WHERE ${where}`).raw(true);
  const byId = select('project_id = ? AND id = ?');
  const open = select("project_id = ? AND status <> 'resolved' ORDER BY started_at DESC LIMIT 200");
  const knows = connection
    .prepare(
      'SELECT 1 FROM incidents WHERE project_id = ? AND updated_at >= ? AND instr(timeline, ?) > 0 LIMIT 1',
    )
    .raw(true);
  const number = connection
    .prepare(
      `INSERT INTO incident_settings (project_id, last_number, auto_resolve_minutes) VALUES (?, 1, 15)
       ON CONFLICT (project_id) DO UPDATE SET last_number = last_number + 1 RETURNING last_number`,
    )
    .raw(true);
  const save = connection.prepare(
    `INSERT INTO incidents (${NAMES}) VALUES (${COLUMNS.map(() => '?').join(', ')})
     ON CONFLICT (id) DO UPDATE SET ${COLUMNS.slice(4)
       .map(([, column]) => `${column} = excluded.${column}`)
       .join(', ')}`,
  );
  return {
    find: (projectId, id) => (byId.all([projectId, id]) as SqlValue[][]).map(toIncident)[0] ?? null,
    open: (projectId) => (open.all([projectId]) as SqlValue[][]).map(toIncident),
    knows: (projectId, entryId, now) =>
      knows.all([projectId, now - REPEATED_MS, JSON.stringify(entryId)]).length > 0,
    nextNumber: (projectId) => Number((number.all([projectId]) as SqlValue[][])[0]?.[0] ?? 1),
    save: (incident) => void save.run(COLUMNS.map(([field]) => toSql(field, incident[field]))),
  };
}

const toSql = (field: keyof Incident, value: Incident[keyof Incident]): SqlValue =>
  JSON_FIELDS.includes(field) ? JSON.stringify(value) : (value as SqlValue);

const toIncident = (row: readonly SqlValue[]): Incident =>
  Object.fromEntries(
    COLUMNS.map(([field], i) => [
      field,
      JSON_FIELDS.includes(field) ? JSON.parse(String(row[i])) : (row[i] ?? null),
    ]),
  ) as Incident;

import { type AlertChange, alertChanged } from '../../../core/alerts/index.ts';
import { createNotifier, type Notification } from '../../../core/deliveries/index.ts';
import { createOutboxWriter } from '../../../core/outbox/index.ts';
import type { Connection } from '../../../db/connection.ts';
import type { WriteOp } from '../../../db/group-commit.ts';
import { MINUTE_MS } from '../../../lib/time.ts';
import type { GroupChange, GroupFigures, HistoryRow, Mark, Summary } from './round.ts';

/** A change of a group with what is told of it. */
export type SettledGroup = {
  readonly change: GroupChange;
  /** Ids of the entries of its history. */
  readonly ids: readonly string[];
  /** The end user, if the groups are users. */
  readonly userId: string | null;
  readonly notifications: readonly Notification[];
  readonly events: readonly AlertChange[];
};

/** A part of the outcome of a round; the last one has how far the project is judged. */
export type Settlement = {
  readonly projectId: string;
  /** Epoch milliseconds. */
  readonly now: number;
  /** The minute that the round judged to. */
  readonly at: number;
  readonly groups: readonly SettledGroup[];
  readonly summaries: readonly Summary[];
  readonly figures: readonly GroupFigures[];
  readonly progress: Progress | null;
};

/** How far a project is judged. */
export type Progress = {
  readonly at: number;
  readonly marks: readonly Mark[];
  /** JSON of the newest figure of each alert. */
  readonly figures: string;
  /** Whether alerts have an error from an earlier round. */
  readonly hadErrors: boolean;
};

/** Writes states, history, notifications and events of groups in one transaction. A rule that changed is left out. */
export const settleOp: WriteOp<Settlement, number> = {
  name: 'alerts.settle',
  open(connection) {
    const versionOf = connection.prepare('SELECT version FROM alerts WHERE id = ?').raw(true);
    const group = createGroupWriter(connection);
    const { summary, refresh } = createSummaryWriter(connection);
    const progress = createProgressWriter(connection);
    const isCurrent = (alertId: string, version: number): boolean =>
      Number((versionOf.all([alertId])[0] as number[] | undefined)?.[0]) === version;
    return {
      apply(settlement) {
        const { projectId, now, at, groups, summaries, figures } = settlement;
        let written = 0;
        for (const one of groups) {
          if (!isCurrent(one.change.alertId, one.change.version)) continue;
          group(projectId, now, one);
          written++;
        }
        for (const one of summaries) summary(one, at);
        for (const one of figures) refresh(one);
        if (settlement.progress !== null) progress(projectId, settlement.progress);
        return written;
      },
    };
  },
};

type WriteGroup = (projectId: string, now: number, group: SettledGroup) => void;

function createGroupWriter(connection: Connection): WriteGroup {
  const notifier = createNotifier(connection);
  const outbox = createOutboxWriter(connection);
  const insertHistory = connection.prepare(
    `INSERT INTO alert_history (id, alert_id, project_id, group_key, user_id, at, recorded_at, from_state, to_state,
       value, threshold, baseline, unpriced, calls, reason, notified)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const supersede = connection.prepare(
    `UPDATE alert_history SET superseded_at = ?
     WHERE alert_id = ? AND group_key = ? AND at = ? AND to_state = ? AND superseded_at IS NULL`,
  );
  const remove = connection.prepare('DELETE FROM alert_groups WHERE alert_id = ? AND group_key = ?');
  const upsert = connection.prepare(
    `INSERT OR REPLACE INTO alert_groups (alert_id, project_id, group_key, user_id, state, since, value, threshold,
       baseline, unpriced, calls, reason, told, told_at, trail)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  return (projectId, now, { change, ids, userId, notifications, events }) => {
    const { alertId, group, row } = change;
    for (const { at, state } of change.superseded)
      supersede.run([now, alertId, group, at * MINUTE_MS, state]);
    for (const [place, entry] of change.history.entries())
      insertHistory.run([ids[place] ?? '', alertId, projectId, group, userId, ...valuesOf(entry, now)]);
    if (row === null) remove.run([alertId, group]);
    else
      upsert.run([
        ...[alertId, projectId, group, userId, row.state, row.since * MINUTE_MS],
        ...[
          row.value,
          row.threshold,
          row.baseline,
          row.unpriced,
          row.calls,
          row.reason,
          row.told,
          row.toldAt,
          JSON.stringify(row.trail),
        ],
      ]);
    for (const notification of notifications) notifier.add(notification, now);
    for (const event of events) outbox.add(alertChanged, event, now);
  };
}

const valuesOf = (
  { at, from, to, value, threshold, baseline, unpriced, calls, reason, notified }: HistoryRow,
  now: number,
) => [at * MINUTE_MS, now, from, to, value, threshold, baseline, unpriced, calls, reason, notified];

function createSummaryWriter(connection: Connection): {
  summary(summary: Summary, at: number): void;
  refresh(figures: GroupFigures): void;
} {
  const update = connection.prepare(
    'UPDATE alerts SET state = ?, groups = ?, trend = ?, evaluated_at = ? WHERE id = ? AND version = ?',
  );
  const refresh = connection.prepare(
    `UPDATE alert_groups SET value = ?, threshold = ?, baseline = ?, unpriced = ?, calls = ?, reason = ?
     WHERE alert_id = ? AND group_key = ?`,
  );
  return {
    summary: ({ alertId, version, state, groups, trend }, at) =>
      void update.run([
        ...[state, JSON.stringify(groups), trend === null ? null : JSON.stringify(trend)],
        ...[at * MINUTE_MS, alertId, version],
      ]),
    refresh: ([alertId, group, ...figures]) => void refresh.run([...figures, alertId, group]),
  };
}

function createProgressWriter(connection: Connection): (projectId: string, progress: Progress) => void {
  const progress = connection.prepare(
    `INSERT INTO alert_progress (project_id, judged_to, marks) VALUES (?, ?, ?)
     ON CONFLICT (project_id) DO UPDATE SET judged_to = excluded.judged_to, marks = excluded.marks`,
  );
  const figures = connection.prepare(
    `INSERT INTO alert_figures (project_id, figures) VALUES (?, ?)
     ON CONFLICT (project_id) DO UPDATE SET figures = excluded.figures`,
  );
  const mend = connection.prepare(
    `UPDATE alerts SET error = NULL, error_since = NULL, error_told = 0
     WHERE project_id = ? AND enabled = 1 AND error IS NOT NULL`,
  );
  return (projectId, { at, marks, figures: text, hadErrors }) => {
    progress.run([projectId, at * MINUTE_MS, JSON.stringify(marks)]);
    if (text !== '{}') figures.run([projectId, text]);
    if (hadErrors) mend.run([projectId]);
  };
}

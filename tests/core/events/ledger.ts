import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrations } from '../../../migrations/index.ts';
import type { PricedEvent } from '../../../src/core/events/event.ts';
import {
  type RecordBatch,
  type RecordResult,
  recordOp,
} from '../../../src/core/events/stores/sqlite/ingest/record-op.ts';
import { packLabelsOp } from '../../../src/core/events/stores/sqlite/labels/label-packs.ts';
import { takeShapes, toRow } from '../../../src/core/events/stores/sqlite/rows/row.ts';
import { sealOp } from '../../../src/core/events/stores/sqlite/sealing/seal-op.ts';
import type { SqlValue } from '../../../src/db/connection.ts';
import { openDb } from '../../../src/db/open.ts';
import { openReadSession, type Reader } from '../../../src/db/reader.ts';
import { sqlOp } from '../../../src/db/sql-op.ts';
import { tables } from '../../../src/features.ts';
import { NOON } from '../../event-store/make-event.ts';

/** A file with one organization and some projects, that events are recorded in and read from directly. */
export type Ledger = {
  readonly path: string;
  /** Project numbers, from 1. */
  readonly projects: readonly number[];
  /** `spans`: as OTLP spans. */
  record(
    project: number,
    events: readonly PricedEvent[],
    how?: { keyId?: string | null; spans?: boolean },
  ): Promise<RecordResult>;
  /** Seals a project's oldest unsealed chunk, full or not; false when there is none. */
  seal(project: number): Promise<boolean>;
  /** Packs the sums of labels of what is over at an instant. */
  packLabels(project: number, now: number): Promise<void>;
  sql(sql: string): Promise<unknown>;
  reader(...projects: number[]): Reader;
  /** Opens the file anew: what a process held in memory is gone. */
  reopen(): Promise<void>;
  close(): Promise<void>;
};

export async function openLedger(projectCount = 1): Promise<Ledger> {
  const folder = mkdtempSync(join(tmpdir(), 'spanledger-'));
  const path = join(folder, 'ledger.db');
  const writes = { ops: [recordOp, sealOp, packLabelsOp, sqlOp] };
  const open = () => openDb({ path, migrations, tables, writes, now: NOON });
  let db = open();
  const sql = (text: string): Promise<unknown> => db.writer.write(sqlOp, [{ sql: text, args: [] }]);
  const projects = Array.from({ length: projectCount }, (_, i) => i + 1);
  await sql("INSERT INTO organizations (id, name, plan, created_at) VALUES ('org_1', 'Acme', 'scale', 0)");
  for (const no of projects) {
    await sql(
      `INSERT INTO projects (no, id, organization_id, name, created_at) VALUES (${no}, 'prj_${no}', 'org_1', 'p', 0)`,
    );
  }
  const session = openReadSession(path, tables);
  const write = (
    project: number,
    rows: readonly unknown[][],
    { keyId = null, spans = false }: { keyId?: string | null; spans?: boolean },
  ): Promise<RecordResult> => {
    const batch: RecordBatch = {
      project,
      keyId,
      shapes: takeShapes(rows as SqlValue[][]),
      rows: JSON.stringify(rows),
      spans,
      undated: [],
      effects: [],
    };
    return db.writer.write(recordOp, batch, rows.length);
  };
  return {
    path,
    projects,
    sql,
    record(project, events, how = {}) {
      const rows = events.map((event) => toRow(project, event, { ...event, price: null }));
      return write(project, rows, how);
    },
    seal: (project) => db.writer.write(sealOp, { project, before: Number.POSITIVE_INFINITY }),
    async packLabels(project, now) {
      while (await db.writer.write(packLabelsOp, { project, now }));
    },
    reader: (...scope) => session.open(scope),
    async reopen() {
      await db.close();
      db = open();
    },
    async close() {
      session.close();
      await db.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

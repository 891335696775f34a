import type { Connection } from '../../../db/connection.ts';
import type { WriteOp } from '../../../db/group-commit.ts';
import { newId } from '../../../db/new-id.ts';
import { AppError, conflict, notFound } from '../../../errors.ts';
import type { Actor } from '../../../module.ts';
import { createAuditAppender, draftEntry } from '../../audit/index.ts';
import type { ChangeOutcome } from '../contract.ts';
import { datasetSubject } from '../subject.ts';
import { type DatasetRows, datasetRows, type KnownDataset } from './dataset-rows.ts';
import type { ItemRow } from './item-row.ts';

type Counts = Omit<ChangeOutcome, 'version'>;

/**
 * A change of items. `all`: one request that makes a version. An import makes one of many slices: `begin` takes the
 * dataset, `slice` writes rows of the next version, which nobody sees, and `finish` makes it the newest.
 */
export type ItemsStep =
  | {
      readonly kind: 'all';
      readonly items: readonly ItemRow[];
      readonly remove: readonly string[];
      readonly message: string;
    }
  | { readonly kind: 'begin'; readonly name: string }
  | { readonly kind: 'slice'; readonly name: string; readonly items: readonly ItemRow[] }
  | { readonly kind: 'finish'; readonly name: string; readonly counts: Counts; readonly message: string };

export type ItemsChange = {
  /** Epoch milliseconds. */
  readonly now: number;
  readonly actor: Actor;
  /** Id of the author. */
  readonly by: string;
  readonly organizationId: string;
  readonly projectId: string;
  /** Number of the project. */
  readonly project: number;
  readonly datasetId: string;
  readonly limits: { readonly items: number; readonly bytes: number };
  /** `schemasText` of the schemas that the items were checked with. */
  readonly schemas: string | null;
  readonly step: ItemsStep;
};

const NOTHING: Counts = { added: 0, changed: 0, removed: 0, unchanged: 0 };

/**
 * Changes the items of a dataset in one transaction with its audit entry.
 * @throws AppError 404, 409 while an import runs, and over the limits of the plan
 */
export const changeItemsOp: WriteOp<ItemsChange, ChangeOutcome> = {
  name: 'datasets.items',
  open: (connection) => ({ apply: openChange(connection) }),
};

function openChange(connection: Connection): (change: ItemsChange) => ChangeOutcome {
  const rows = datasetRows(connection);
  const audit = createAuditAppender(connection);

  function publish(
    change: ItemsChange,
    dataset: KnownDataset,
    counts: Counts,
    message: string,
  ): ChangeOutcome {
    const { added, changed, removed } = counts;
    const { organizationId, projectId, actor, by, now } = change;
    if (added + changed + removed === 0) {
      rows.release(dataset.id);
      return { version: dataset.version, ...counts };
    }
    const version = dataset.version + 1;
    const note = { action: 'dataset.items_changed', organizationId, projectId };
    const subject = { of: datasetSubject, id: dataset.id };
    const draft = draftEntry({ now: () => now }, actor, { ...note, subject });
    const before = audit.stateOf(draft);
    rows.setVersion(dataset.id, version, now);
    rows.addVersion(dataset.id, projectId, version, added, changed, removed, message, by, now);
    audit.append(draft, { before, after: audit.stateOf(draft) });
    return { version, ...counts };
  }

  return (change) => {
    const { step, datasetId, now } = change;
    const dataset = findDataset(rows, change);
    if (step.kind === 'begin') {
      rows.setBusy(datasetId, step.name, now);
      return { version: dataset.version, ...NOTHING };
    }
    if (step.kind === 'finish') return publish(change, dataset, step.counts, step.message);
    const counts = writeItems(rows, change, dataset, step);
    if (step.kind === 'slice') {
      rows.setBusy(datasetId, step.name, now);
      return { version: dataset.version, ...counts };
    }
    return publish(change, dataset, counts, step.message);
  };
}

/** The dataset, if this change may write it: a slice of an import needs that import, all else that there is none. */
function findDataset(rows: DatasetRows, { projectId, datasetId, step, schemas }: ItemsChange): KnownDataset {
  const found = rows.find(projectId, datasetId);
  if (found === null) throw notFound(`There is no dataset ${datasetId}`);
  if (found.schemas !== schemas)
    throw conflict(`The schemas of ${found.name} were changed at the same time; try again`);
  const holder = step.kind === 'slice' || step.kind === 'finish' ? step.name : null;
  if (found.busy === holder) return found;
  if (holder !== null) throw conflict('The import was ended because it paused for too long; import again');
  throw new AppError(409, `An import of ${found.name} is running; try again when it has ended`, {
    headers: { 'Retry-After': '5' },
  });
}

type Written = Extract<ItemsStep, { readonly items: readonly ItemRow[] }>;

function writeItems(rows: DatasetRows, change: ItemsChange, dataset: KnownDataset, step: Written): Counts {
  const { datasetId, project, now } = change;
  const version = dataset.version + 1;
  const counts = { ...NOTHING };
  const size = { rows: 0, bytes: 0 };
  let lastNo = dataset.lastNo;
  if (step.kind === 'all') counts.removed = removeItems(rows, datasetId, step.remove, version);
  for (const item of step.items) {
    const id = item.id ?? newId('item', now);
    const place = { datasetId, project, id, version, now };
    const held = item.id === null ? null : rows.held(datasetId, id, item);
    if (held?.isSame) {
      counts.unchanged++;
      continue;
    }
    if (held === null) counts.added++;
    // An id that the same change gave before counts as what it was then.
    else if (held.fromVersion === version) {
      size.bytes -= rows.drop(datasetId, held);
      size.rows--;
    } else {
      rows.close(datasetId, id, version);
      counts.changed++;
    }
    const no = held?.no ?? (item.id === null ? null : rows.earlierNo(datasetId, id)) ?? ++lastNo;
    rows.insert({ ...place, no }, item);
    size.rows++;
    size.bytes += item.bytes;
  }
  rows.count(datasetId, lastNo, size);
  checkLimits(rows, change);
  return counts;
}

function removeItems(rows: DatasetRows, datasetId: string, ids: readonly string[], version: number): number {
  let removed = 0;
  for (const id of new Set(ids)) removed += rows.close(datasetId, id, version);
  return removed;
}

function checkLimits(rows: DatasetRows, { projectId, limits }: ItemsChange): void {
  const usage = rows.usage(projectId);
  if (usage.rows > limits.items)
    throw conflict(
      `The datasets of a project of this plan have at most ${limits.items.toLocaleString('en-US')} items, those of old versions among them; delete a dataset first`,
    );
  if (usage.bytes > limits.bytes)
    throw conflict(
      `The datasets of a project of this plan have at most ${Math.round(limits.bytes / 1e6).toLocaleString('en-US')} MB, old versions among them; delete a dataset first`,
    );
}

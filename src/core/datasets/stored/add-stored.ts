import type { Ctx } from '../../../context.ts';
import { badRequest, notFound } from '../../../errors.ts';
import { type EventSubject, eventsOf } from '../../events/index.ts';
import { ofProject, type ProjectScope } from '../../tenancy/index.ts';
import { changeItems, type DatasetEditor } from '../change/change-dataset.ts';
import type { ChangeOutcome, NewItem } from '../contract.ts';
import { newItemSchema, type StoredItems } from '../input/contract.ts';
import { findDataset } from '../queries.ts';

type Target = StoredItems['targets'][number];
type Wish = StoredItems & { readonly datasetId: string };
type Found = { readonly target: Target; readonly subject: EventSubject };

/**
 * Adds stored traces and spans to a dataset: one version.
 * @throws AppError 400 without stored content, 404 for an unknown dataset, trace or span, 409
 */
export async function addStored(
  ctx: Ctx,
  by: DatasetEditor,
  { datasetId, targets, expected, split, skipMissing, message }: Wish,
): Promise<ChangeOutcome & { skipped: string[] }> {
  const { version } = await findDataset(ctx, by.scope, datasetId);
  const found = await lookUp(ctx, by.scope, targets);
  const read = found.map((one) => ({ ...one, ...contentOf(one.subject) }));
  const missing = read.filter(({ input }) => input === undefined).map(({ target }) => target.traceId);
  if (missing.length > 0 && !skipMissing)
    throw badRequest(
      `${missing.length} of ${targets.length} traces have no stored content, the first ${missing[0]}; turn on storePrompts for new ones, or set skipMissing`,
    );
  const items = read
    .filter(({ input }) => input !== undefined)
    .map(({ target, subject, input, output }) =>
      checked({
        id: target.spanId === undefined ? target.traceId : `${target.traceId}:${target.spanId}`,
        input,
        ...(expected === 'output' && output !== undefined && { expectedOutput: output }),
        ...(split != null && { split }),
        sourceTraceId: target.traceId,
        sourceSpanId: target.spanId ?? subject.root.span_id,
        ...(subject.userId !== null && { userId: subject.userId }),
      }),
    );
  const skipped = [...new Set(missing)];
  if (items.length === 0) return { version, added: 0, changed: 0, removed: 0, unchanged: 0, skipped };
  return { ...(await changeItems(ctx, by, { datasetId, items, remove: [], message })), skipped };
}

async function lookUp(ctx: Ctx, scope: ProjectScope, targets: readonly Target[]): Promise<Found[]> {
  const unique = [...new Map(targets.map((one) => [`${one.traceId} ${one.spanId ?? ''}`, one])).values()];
  const subjects = await eventsOf(ctx).subjects(ofProject(scope), { of: unique, content: true });
  return unique.map((target, place) => {
    const subject = subjects[place] ?? null;
    if (subject === null)
      throw notFound(
        `There is no ${target.spanId === undefined ? `trace ${target.traceId}` : `span ${target.spanId} of ${target.traceId}`} in this project`,
      );
    return { target, subject };
  });
}

/** What was asked and answered: of the root, or where that says nothing of the last call. */
function contentOf({ root, call }: EventSubject): { input: unknown; output: unknown } {
  const said = root.input == null && call !== null ? call : root;
  return { input: said.input ?? undefined, output: said.output ?? undefined };
}

/** Throws AppError 400 for content that is too large for an item. */
function checked(item: NewItem): NewItem {
  const read = newItemSchema.safeParse(item);
  if (!read.success)
    throw badRequest(`${item.sourceTraceId}: ${read.error.issues[0]?.message}; it cannot be an item`);
  return read.data;
}

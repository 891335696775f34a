import type { Ctx } from '../../context.ts';
import { intakeOf, redactorOf, senderOf } from '../../core/events/index.ts';
import { guardrailEffects } from '../../core/guardrails/index.ts';
import { type Arrival, arrivalOf } from '../../core/online-rules/index.ts';
import { keepLines } from '../../core/quarantine/index.ts';
import { type KeyScope, route } from '../../core/tenancy/index.ts';
import { recordCounted, refuseExhausted } from '../../core/usage/index.ts';
import { badRequest } from '../../errors.ts';
import { type IngestReply, ingestEndpoint } from './contract.ts';
import { type Batch, readBatch } from './read-batch.ts';

/** `POST /v1/ingest`: records valid lines and quarantines the others. Fails with 400 if no line is valid. */
export const ingestRoute = route(ingestEndpoint, async (ctx, { request }, key): Promise<IngestReply> => {
  refuseExhausted(ctx, key);
  const of = { limits: ingestEndpoint.bodyLimits, sender: senderOf(key) };
  return await intakeOf(ctx).run(request, of, async (bytes, pause) => {
    const redact = redactorOf(ctx, key.redactKeys);
    const arrival = await arrivalOf(ctx, key);
    const { passesContent } = arrival;
    const parsing = { redact, storePrompts: key.storePrompts, passesContent, now: ctx.now() };
    return ingest(ctx, key, { ...(await readBatch(bytes, parsing, pause)), arrival });
  });
});

async function ingest(
  ctx: Ctx,
  key: KeyScope,
  { events: read, refused, warnings, arrival }: Batch & { readonly arrival: Arrival },
): Promise<IngestReply> {
  const { events, effects: queued } = arrival.note(read);
  const effects = [...keepLines(ctx, key, refused), ...guardrailEffects(key, events), ...queued];
  const { accepted, duplicates } = await recordCounted(ctx, key, events, { effects });
  const rejected = refused.map(({ line, error }) => ({ line, error }));
  if (events.length === 0) throw badRequest(`No valid event in the batch: ${describe(rejected)}`);
  const reply = { accepted, duplicates, rejected, configVersion: key.configVersion };
  if (warnings.size === 0) return reply;
  return { ...reply, warnings: Array.from(warnings, ([message, where]) => ({ ...where, message })) };
}

/** Describes the first refused lines; the quarantine lists all of them. */
function describe(rejected: IngestReply['rejected']): string {
  const shown = rejected.slice(0, 3).map(({ line, error }) => `line ${line}: ${error}`);
  const more = rejected.length - shown.length;
  return shown.join('; ') + (more > 0 ? `; and ${more} more` : '');
}

import { createHash, randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Ctx } from '../../../context.ts';
import { formatInstant } from '../../../lib/time.ts';
import { signatureHeaders } from '../../deliveries/index.ts';
import { OutboundError, outboundOf } from '../../outbound/index.ts';
import type { ProjectScope } from '../../tenancy/index.ts';
import type { JudgeOutput, RulesOf } from '../config/contract.ts';
import { type Judgement, scored, skipped } from '../run/judgement.ts';
import type { Sample } from '../run/sample.ts';
import { openWebhook } from './webhook-secrets.ts';

/** Time limit in milliseconds, if the evaluator names none. */
const TIMEOUT_MS = 10_000;
/** Most bytes of a request and of its reply. */
const MAX_BODY = 1_000_000;
const MAX_REPLY = 64_000;
const MAX_REASON = 2_000;

type Asked = {
  readonly rules: RulesOf<'webhook'>;
  readonly sample: Sample;
  /** The caller's name for this judgement; null for one that is not repeated. */
  readonly key: string | null;
  readonly tags: Readonly<Record<string, string>>;
};

const failed = (reason: string): Judgement => ({ status: 'failed', reason, costUsd: 0, eventId: null });

/**
 * Asks a webhook for a score. The request is signed as Standard Webhooks say; a repetition of the same judgement, such as
 * after a crash, has the same `webhook-id`. Nothing of the reply is shown but a value and reason of the agreed form.
 * @throws the signal's reason if it ended the wait
 */
export async function askWebhook(
  ctx: Ctx,
  { projectId }: ProjectScope,
  { rules, sample, key, tags }: Asked,
  signal: AbortSignal | undefined,
): Promise<Judgement> {
  if (sample.output === undefined || sample.output === null) return skipped('there is no output');
  const config = openWebhook(ctx, projectId, rules.config);
  if (config === null)
    return failed('the secret of the server has changed: write link and signing secret of the webhook again');
  const now = ctx.now();
  const { input = null, output, expected = null, context = null, latencyMs = null, costUsd = null } = sample;
  const data = { input, output, expected, context, latencyMs, costUsd, tags };
  const body = JSON.stringify({ type: 'evaluation.requested', timestamp: formatInstant(now), data });
  if (Buffer.byteLength(body) > MAX_BODY) return skipped('the example has more than a million bytes');
  const messageId = idOf(projectId, key);
  const { url, secret, timeoutMs = TIMEOUT_MS } = config;
  try {
    const response = await outboundOf(ctx).fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...signatureHeaders({ messageId, body }, [secret], now),
      },
      body,
      timeoutMs,
      maxBytes: MAX_REPLY,
      ...(signal !== undefined && { signal }),
    });
    const text = await response.text();
    return response.ok ? readReply(text, rules.output) : failed(`the webhook answered ${response.status}`);
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof OutboundError) return failed(`the webhook: ${error.message}`);
    throw error;
  }
}

const idOf = (projectId: string, key: string | null): string =>
  key === null
    ? `evl_${randomUUID()}`
    : `evl_${createHash('sha256').update(`${projectId} ${key}`).digest('hex').slice(0, 32)}`;

const replySchema = z.object({
  value: z.union([z.number(), z.boolean(), z.string()]).nullable(),
  reason: z.string().nullish(),
});

function readReply(text: string, output: JudgeOutput): Judgement {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return failed('the webhook did not answer with JSON');
  }
  const reply = replySchema.safeParse(json);
  if (!reply.success)
    return failed('the webhook must answer { "value": …, "reason": "…" }; a value of null gives no score');
  const { value, reason } = reply.data;
  const why = reason?.slice(0, MAX_REASON) ?? null;
  if (value === null) return skipped(why ?? 'the webhook gave no score');
  const problem = problemOf(value, output);
  return problem === null ? scored(value, why) : failed(`the webhook answered a value that ${problem}`);
}

/** Why a value is none of the scores; it is not quoted, because it may be any text. */
function problemOf(
  value: number | boolean | string,
  { type, min, max, categories }: JudgeOutput,
): string | null {
  if (type === 'boolean') return typeof value === 'boolean' ? null : 'is neither true nor false';
  if (type === 'category')
    return typeof value === 'string' && categories?.includes(value) === true
      ? null
      : `is none of ${categories?.join(', ')}`;
  if (typeof value !== 'number') return 'is not a number';
  if (min !== null && value < min) return `is below ${min}`;
  return max !== null && value > max ? `is above ${max}` : null;
}

import type { Ctx } from '../../../context.ts';
import { formatInstant } from '../../../lib/time.ts';
import { mailOf } from '../../mail/index.ts';
import { OutboundError, outboundOf } from '../../outbound/index.ts';
import type { ChannelRow } from '../channels/queries.ts';
import { PAGERDUTY_HOSTS } from '../channels/read-config.ts';
import { type ChannelSecrets, unsealSecrets } from '../channels/secrets.ts';
import type { Attempt } from '../contract.ts';
import { toDiscord } from '../formats/discord.ts';
import { toMail } from '../formats/mail.ts';
import { toPagerDuty } from '../formats/pagerduty.ts';
import type { Sent } from '../formats/sent.ts';
import { toSlack } from '../formats/slack.ts';
import { toTeams } from '../formats/teams.ts';
import { signatureHeaders, toWebhook } from '../formats/webhook.ts';

/** Result of one attempt. */
export type Outcome = Attempt & {
  readonly ok: boolean;
  /** No further attempt can succeed. */
  readonly final: boolean;
  /** The endpoint wants no more notifications. */
  readonly gone: boolean;
  /** Delay that the reply asked for, in milliseconds. */
  readonly askedMs: number;
  /** The server is stopping; the attempt does not count. */
  readonly interrupted: boolean;
};

type Result = Partial<Pick<Outcome, 'status' | 'error' | 'final' | 'gone' | 'askedMs' | 'interrupted'>>;

const TIMEOUT_MS = 15_000;
const MAX_REPLY_BYTES = 65_536;

/** Sends a notification to a channel with one attempt. Never rejects. */
export async function sendOnce(ctx: Ctx, channel: ChannelRow, sent: Sent): Promise<Outcome> {
  const at = formatInstant(ctx.now());
  const started = performance.now();
  const result = await attempt(ctx, channel, sent).catch(failed);
  const { status = null, error = null, final = false, gone = false, askedMs = 0 } = result;
  const { interrupted = false } = result;
  const durationMs = Math.round(performance.now() - started);
  return { at, durationMs, status, error, ok: error === null, final, gone, askedMs, interrupted };
}

const failed = (error: unknown): Result => ({
  error: error instanceof OutboundError ? error.message : 'The message could not be sent',
  interrupted: error instanceof OutboundError && error.code === 'aborted',
});

async function attempt(ctx: Ctx, channel: ChannelRow, sent: Sent): Promise<Result> {
  if (channel.kind === 'email') return sendMail(ctx, channel.settings.to ?? [], sent);
  const secrets = unsealSecrets(ctx, channel);
  if (secrets === null)
    return {
      error:
        'The secrets of the channel cannot be read, because the server has another secret. Set them again',
    };
  const { url, body, headers = {} } = requestOf(ctx, channel, secrets, sent);
  const reply = await outboundOf(ctx).fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_REPLY_BYTES,
  });
  // The status decides. The text is read so that the other side can finish it, and forgotten.
  await reply.arrayBuffer().catch(() => {});
  return resultOf(reply);
}

/** What to POST, and where. */
type ChannelRequest = { url: string; body: string; headers?: Record<string, string> };

/** The request of a channel that is not for mail. */
export function requestOf(
  ctx: Pick<Ctx, 'now'>,
  { kind, settings }: Pick<ChannelRow, 'kind' | 'settings'>,
  secrets: ChannelSecrets,
  sent: Sent,
): ChannelRequest {
  const { url = '', routingKey = '' } = secrets;
  switch (kind) {
    case 'slack':
      return { url, body: JSON.stringify(toSlack(sent)) };
    case 'discord':
      return { url, body: JSON.stringify(toDiscord(sent)) };
    case 'teams':
      return { url, body: JSON.stringify(toTeams(sent)) };
    case 'pagerduty': {
      const host = PAGERDUTY_HOSTS[settings.region ?? 'us'];
      return { url: `https://${host}/v2/enqueue`, body: JSON.stringify(toPagerDuty(sent, routingKey)) };
    }
    default: {
      const body = JSON.stringify(toWebhook(sent));
      const now = ctx.now();
      const { secret, previous } = secrets;
      const signing = [secret, previous !== undefined && previous.until > now ? previous.secret : undefined];
      const known = signing.filter((one) => one !== undefined);
      const headers = signatureHeaders({ messageId: sent.messageId, body }, known, now);
      return { url, body, headers };
    }
  }
}

function resultOf({ status, headers }: Response): Result {
  if (status >= 200 && status < 300) return { status };
  const error =
    status >= 300 && status < 400
      ? `The endpoint replied ${status}; redirects are not followed. Use the final address`
      : `The endpoint replied ${status}`;
  const seconds = Number(headers.get('retry-after') ?? '');
  return { status, error, gone: status === 410, askedMs: seconds > 0 ? seconds * 1000 : 0 };
}

async function sendMail(ctx: Ctx, to: readonly string[], sent: Sent): Promise<Result> {
  const mail = mailOf(ctx);
  if (mail === null) return { error: 'The server sends no mail. The operator can set SMTP_URL' };
  try {
    const refusal = await mail.deliver(toMail(sent, to));
    return refusal === null ? {} : { error: `The mail server refused the mail (${refusal})`, final: true };
  } catch {
    return { error: 'The mail server did not take the mail' };
  }
}

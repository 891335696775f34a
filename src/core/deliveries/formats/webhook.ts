import { createHmac } from 'node:crypto';
import { formatInstant } from '../../../lib/time.ts';
import type { Sent } from './sent.ts';

/** Body of a webhook: the same bytes at each attempt. */
export const toWebhook = ({ type, data, at }: Sent): object => ({ type, timestamp: formatInstant(at), data });

/**
 * Headers of Standard Webhooks, with a signature for each secret.
 * Source: github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 * @param secrets `whsec_` and the key in base64
 * @param now epoch milliseconds
 */
export function signatureHeaders(
  { messageId, body }: { readonly messageId: string; readonly body: string },
  secrets: readonly string[],
  now: number,
): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    return `v1,${createHmac('sha256', key).update(`${messageId}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    'webhook-id': messageId,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}

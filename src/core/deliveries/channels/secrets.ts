import { randomBytes } from 'node:crypto';
import type { Ctx } from '../../../context.ts';
import { type Sealing, seal, unseal } from '../../../db/seal.ts';

/** Secret settings of a channel. */
export type ChannelSecrets = {
  /** Address of a chat channel. */
  readonly url?: string;
  /** Of PagerDuty. */
  readonly routingKey?: string;
  /** Signing secret of a webhook. */
  readonly secret?: string;
  /** The signing secret before it; it signs until `until` (epoch milliseconds). */
  readonly previous?: { readonly secret: string; readonly until: number };
};

const sealingOf = (channelId: string): Sealing => ({ purpose: 'channel', context: channelId });

/** Encrypts the secrets of a channel; null if it has none. */
export function sealSecrets(ctx: Ctx, channelId: string, secrets: ChannelSecrets): string | null {
  if (Object.keys(secrets).length === 0) return null;
  return seal(ctx.secret, sealingOf(channelId), JSON.stringify(secrets));
}

/** Decrypts them; null if the server's secret has changed since. */
export function unsealSecrets(
  ctx: Ctx,
  { id, sealed }: { readonly id: string; readonly sealed: string | null },
): ChannelSecrets | null {
  if (sealed === null) return {};
  const text = unseal(ctx.secret, sealingOf(id), sealed);
  return text === null ? null : (JSON.parse(text) as ChannelSecrets);
}

const SECRET_BYTES = 32;

/** A new signing secret in the form of Standard Webhooks. */
export const newSigningSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;

import { randomBytes } from 'node:crypto';
import type { Ctx } from '../../../context.ts';
import { type Sealing, seal, unseal } from '../../../db/seal.ts';
import type { channels } from '../table.ts';

/** Secret settings of a channel. */
export type ChannelSecrets = {
  /** Address of a webhook or of a chat channel. */
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

type Sealed = Pick<typeof channels.$inferSelect, 'id' | 'sealed' | 'settings'>;

/** Decrypts them; null if the server's secret has changed since. */
export function unsealSecrets(ctx: Ctx, { id, sealed, settings }: Sealed): ChannelSecrets | null {
  if (sealed === null) return {};
  const text = unseal(ctx.secret, sealingOf(id), sealed);
  if (text === null) return null;
  // Webhooks that were last changed by an older version have their URL beside what is encrypted.
  const { url } = settings;
  return { ...(url !== undefined && { url }), ...(JSON.parse(text) as ChannelSecrets) };
}

const SECRET_BYTES = 32;

/** A new signing secret in the form of Standard Webhooks. */
export const newSigningSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;

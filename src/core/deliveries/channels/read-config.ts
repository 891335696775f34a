import type { Ctx } from '../../../context.ts';
import { badRequest } from '../../../errors.ts';
import { OutboundError, outboundOf } from '../../outbound/index.ts';
import type { ChannelConfig, ChannelInput, ChannelKind, ChannelSettings } from './contract.ts';
import { type ChannelSecrets, newSigningSecret } from './secrets.ts';

/** Settings of a channel as they are stored. */
export type ReadConfig = {
  readonly target: string;
  readonly settings: ChannelSettings;
  readonly secrets: ChannelSecrets;
};

const FIELDS: Readonly<Record<ChannelKind, readonly (keyof ChannelConfig)[]>> = {
  email: ['to'],
  webhook: ['url'],
  slack: ['url'],
  discord: ['url'],
  teams: ['url'],
  pagerduty: ['routingKey', 'region'],
};

/** Hosts of the Events API v2 by region. */
export const PAGERDUTY_HOSTS = { us: 'events.pagerduty.com', eu: 'events.eu.pagerduty.com' } as const;

/**
 * Checks the settings of a channel and separates the secret ones.
 * @param kept secrets of the channel before the change; those that the input leaves out stay
 * @throws AppError 400
 */
export function readConfig(ctx: Ctx, { kind, config }: ChannelInput, kept: ChannelSecrets): ReadConfig {
  for (const field of Object.keys(config))
    if (!FIELDS[kind].some((known) => known === field))
      throw badRequest(`config.${field}: a channel of kind ${kind} has no such setting`);
  if (kind === 'email') {
    const to = [...new Set(required(config.to, 'to').map((address) => address.toLowerCase()))];
    return { target: to.join(', '), settings: { to }, secrets: {} };
  }
  if (kind === 'pagerduty') {
    const { region = 'us' } = config;
    const routingKey = required(config.routingKey ?? kept.routingKey, 'routingKey');
    return { target: PAGERDUTY_HOSTS[region], settings: { region }, secrets: { routingKey } };
  }
  const url = required(config.url ?? kept.url, 'url');
  const target = checkUrl(ctx, url);
  if (kind !== 'webhook') return { target, settings: {}, secrets: { url } };
  return { target, settings: {}, secrets: { ...kept, url, secret: kept.secret ?? newSigningSecret() } };
}

function checkUrl(ctx: Ctx, url: string): string {
  try {
    outboundOf(ctx).check(url);
  } catch (error) {
    if (error instanceof OutboundError) throw badRequest(`config.url: ${error.message}`);
    throw error;
  }
  return new URL(url).host;
}

function required<T>(value: T | undefined, field: string): T {
  if (value === undefined) throw badRequest(`config.${field}: is required`);
  return value;
}

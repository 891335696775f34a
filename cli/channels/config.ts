import type { ChannelKind } from '../../src/core/deliveries/channels/contract.ts';
import type { BaseContext } from '../command.ts';

/** Options that set where a channel sends to. */
export const targetOptions = {
  to: { value: 'EMAIL', summary: 'Recipient of an e-mail channel; repeat for several', repeat: true },
  url: { value: 'URL', summary: 'Address of a webhook' },
  secretStdin: { summary: 'Read the address of a webhook or chat channel, or the PagerDuty key, from stdin' },
  region: { value: 'REGION', summary: 'us or eu, for PagerDuty', choices: ['us', 'eu'] },
} as const;

interface Given {
  readonly to: readonly string[];
  readonly url: string | undefined;
  readonly secretStdin: boolean;
  readonly region: string | undefined;
}

/** The part of a channel's settings that the options give; undefined without any of them. */
export const readTarget = async (
  ctx: BaseContext,
  { to, url, secretStdin, region }: Given,
  kindOf: () => ChannelKind | Promise<ChannelKind>,
): Promise<Record<string, unknown> | undefined> => {
  const secret = secretStdin ? (await ctx.input.readAll()).trim() : undefined;
  const config = {
    ...(to.length > 0 && { to }),
    ...(url !== undefined && { url }),
    ...(region !== undefined && { region }),
    ...(secret !== undefined &&
      ((await kindOf()) === 'pagerduty' ? { routingKey: secret } : { url: secret })),
  };
  return Object.keys(config).length === 0 ? undefined : config;
};

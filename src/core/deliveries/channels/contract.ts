import { z } from 'zod';
import { displayName } from '../../orgs/contract.ts';
import { defineEndpoint, organizationQuery } from '../../tenancy/contract.ts';
import { attemptSchema } from '../contract.ts';

/** How a channel sends. */
export const CHANNEL_KINDS = ['email', 'webhook', 'slack', 'discord', 'teams', 'pagerduty'] as const;
export type ChannelKind = (typeof CHANNEL_KINDS)[number];
export const DISABLED_REASONS = ['gone', 'failing'] as const;

/** Notifications of the organization. Rules, such as those of alerts, name their channels themselves. */
export const SUBSCRIBED_TYPES = [
  'budget.crossed',
  'quota.warned',
  'model.unpriced',
  'reconcile.drift',
  'prompt.published',
] as const;
export type SubscribedType = (typeof SUBSCRIBED_TYPES)[number];

const MAX_RECIPIENTS = 20;
const MAX_URL = 2_000;
const url = z.string().min(1).max(MAX_URL);

/** Settings of a channel that are shown. A URL is none: who knows that of a chat channel can post there. */
const shownConfig = z.object({
  to: z.array(z.string()).optional().describe('Recipients of an e-mail channel.'),
  region: z.enum(['us', 'eu']).optional().describe('Region of the PagerDuty account.'),
});
export type ChannelSettings = z.output<typeof shownConfig>;

/** Settings as they are sent; a secret that is left out of a change stays. */
const configInput = z.strictObject({
  to: z
    .array(z.email().max(320))
    .min(1)
    .max(MAX_RECIPIENTS)
    .optional()
    .describe(`Recipients of an e-mail channel, 1 to ${MAX_RECIPIENTS}.`),
  url: url
    .optional()
    .describe(
      'Address of a webhook or of a chat channel. It is a secret and never shown; `target` is its host.',
    ),
  routingKey: z
    .string()
    .regex(/^[A-Za-z0-9]{32}$/, 'must be the 32 characters of an Events API v2 integration')
    .optional()
    .describe('Integration key of a PagerDuty service (Events API v2). Never shown.'),
  region: z.enum(['us', 'eu']).optional().describe('Region of the PagerDuty account. Default: `us`.'),
});
export type ChannelConfig = z.output<typeof configInput>;

/** Body of `POST` and `PUT /v1/channels`. */
export const channelInput = z.strictObject({
  name: displayName.describe('Name of the channel, unique in the organization.'),
  kind: z.enum(CHANNEL_KINDS).describe('How the channel sends. It cannot be changed.'),
  config: configInput.describe('Where it sends. A change keeps the secrets that it leaves out.'),
  enabled: z.boolean().default(true).describe('Whether notifications are sent. Default: true.'),
  types: z
    .array(z.enum(SUBSCRIBED_TYPES))
    .max(SUBSCRIBED_TYPES.length)
    .transform((types) => [...new Set(types)])
    .default([...SUBSCRIBED_TYPES])
    .describe(
      'Notifications of the organization that the channel gets. Default: all. Alerts name their channels.',
    ),
});
export type ChannelInput = z.output<typeof channelInput>;

const time = z.string().nullable();

export const channelSchema = z
  .object({
    id: z.string().describe('Id of the channel.'),
    organizationId: z.string().describe('Id of the organization.'),
    name: z.string().describe('Name of the channel.'),
    kind: z.enum(CHANNEL_KINDS).describe('How the channel sends.'),
    target: z.string().describe('The recipients, or the host that gets the requests.'),
    config: shownConfig.describe('The settings that are not secret.'),
    enabled: z.boolean().describe('Whether notifications are sent.'),
    types: z
      .array(z.enum(SUBSCRIBED_TYPES))
      .describe('Notifications of the organization that the channel gets.'),
    disabledReason: z
      .enum(DISABLED_REASONS)
      .nullable()
      .describe(
        'Why the server disabled it: `gone`, the endpoint replied 410; `failing`, all attempts failed. Else null.',
      ),
    failingSince: time.describe(
      'First failure since the last delivery, ISO 8601 UTC; null if the last one arrived.',
    ),
    lastDeliveredAt: time.describe('Last delivery that arrived, ISO 8601 UTC; null if none.'),
    createdAt: z.string().describe('When the channel was created, ISO 8601 UTC.'),
    updatedAt: z.string().describe('When it was changed last, ISO 8601 UTC.'),
  })
  .meta({ id: 'Channel' });
export type Channel = z.infer<typeof channelSchema>;

const secret = z
  .string()
  .nullable()
  .describe('Signing secret of a webhook (`whsec_…`). Only this reply shows it; null for other kinds.');
/** A new channel. */
export const createdChannel = channelSchema.extend({ secret });
export type CreatedChannel = z.infer<typeof createdChannel>;

const ofOrganization = { auth: 'organization', scopes: [] } as const;
const channelParams = z.object({ id: z.string().max(100).describe('Id of the channel.') });

export const listChannelsEndpoint = defineEndpoint({
  ...ofOrganization,
  method: 'GET',
  path: '/v1/channels',
  summary: 'List the channels of an organization, without their secrets',
  query: organizationQuery,
  reply: z.object({
    channels: z.array(channelSchema).describe('Channels of the organization, by name.'),
    nextCursor: z.null().describe('Always null: an organization has at most 50 channels.'),
  }),
});

export const getChannelEndpoint = defineEndpoint({
  ...ofOrganization,
  method: 'GET',
  path: '/v1/channels/:id',
  summary: 'Get one channel, without its secrets',
  query: organizationQuery,
  params: channelParams,
  reply: channelSchema,
});

export const createChannelEndpoint = defineEndpoint({
  ...ofOrganization,
  method: 'POST',
  path: '/v1/channels',
  role: 'admin',
  recent: true,
  summary: 'Create a channel; the reply shows the signing secret of a webhook once',
  query: organizationQuery,
  body: channelInput,
  example: { name: 'on-call', kind: 'webhook', config: { url: 'https://example.com/hooks/spanledger' } },
  reply: createdChannel,
  status: 201,
});

export const updateChannelEndpoint = defineEndpoint({
  ...ofOrganization,
  method: 'PUT',
  path: '/v1/channels/:id',
  role: 'admin',
  recent: true,
  summary: 'Replace a channel; secrets that are left out stay',
  description:
    'Disabling a channel gives up its waiting deliveries; they can be retried after it is enabled.',
  query: organizationQuery,
  params: channelParams,
  body: channelInput,
  example: {
    name: 'on-call',
    kind: 'webhook',
    config: { url: 'https://example.com/hooks/spanledger' },
    types: ['budget.crossed'],
  },
  reply: channelSchema,
});

export const deleteChannelEndpoint = defineEndpoint({
  ...ofOrganization,
  method: 'DELETE',
  path: '/v1/channels/:id',
  role: 'admin',
  summary: 'Delete a channel with its deliveries',
  query: organizationQuery,
  params: channelParams,
  status: 204,
});

export const rotateSecretEndpoint = defineEndpoint({
  ...ofOrganization,
  method: 'POST',
  path: '/v1/channels/:id/rotate-secret',
  role: 'admin',
  recent: true,
  summary: 'Give a webhook a new signing secret; both sign for 24 hours',
  query: organizationQuery,
  params: channelParams,
  reply: z.object({
    secret: z.string().describe('The new secret. Only this reply shows it.'),
    previousValidUntil: z.string().describe('Until when the previous one signs too, ISO 8601 UTC.'),
  }),
});

/** What became of a test. */
export const testOutcome = attemptSchema.extend({ ok: z.boolean().describe('Whether the message arrived.') });
export type TestOutcome = z.infer<typeof testOutcome>;

export const testChannelEndpoint = defineEndpoint({
  ...ofOrganization,
  method: 'POST',
  path: '/v1/channels/:id/test',
  role: 'admin',
  summary: 'Send one test message at once, also to a disabled channel',
  query: organizationQuery,
  params: channelParams,
  reply: testOutcome,
});

import { z } from 'zod';
import { textParam } from '../events/contract.ts';
import { defineEndpoint, organizationIdParam, organizationQuery } from '../tenancy/contract.ts';

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;

/** One attempt of a delivery. */
export const attemptSchema = z.object({
  at: z.string().describe('When it began, ISO 8601 UTC.'),
  durationMs: z.int().describe('How long it took, in milliseconds.'),
  status: z.int().nullable().describe('HTTP status of the reply; null without one, and for e-mail.'),
  error: z.string().nullable().describe('Why it failed; null if it arrived. Replies are never shown.'),
});
export type Attempt = z.infer<typeof attemptSchema>;

export const deliverySchema = z
  .object({
    id: z.string().describe('Id of the delivery.'),
    messageId: z.string().describe('Id of the notification, the `webhook-id` of every attempt and channel.'),
    channelId: z.string().describe('Id of the channel.'),
    channel: z.string().describe('Name of the channel.'),
    kind: z.string().describe('Kind of the channel.'),
    projectId: z
      .string()
      .nullable()
      .describe('Id of the project that the notification is about; null for none.'),
    type: z.string().describe('Type of the notification, such as `budget.crossed`.'),
    title: z.string().describe('Its first line.'),
    status: z.enum(DELIVERY_STATUSES).describe('`pending`: waits for its first or next attempt.'),
    attempts: z.array(attemptSchema).describe('The newest attempts, at most 20, oldest first.'),
    nextAt: z.string().nullable().describe('When the next attempt begins, ISO 8601 UTC; null if none will.'),
    createdAt: z.string().describe('When the notification was written, ISO 8601 UTC.'),
    finishedAt: z.string().nullable().describe('When it arrived or was given up, ISO 8601 UTC; else null.'),
  })
  .meta({ id: 'Delivery' });
export type Delivery = z.infer<typeof deliverySchema>;

export const deliveriesPage = z.object({
  deliveries: z.array(deliverySchema).describe('Deliveries, newest first.'),
  nextCursor: z.string().nullable().describe('Pass it as `cursor` for the next page; null on the last one.'),
});
export type DeliveriesPage = z.infer<typeof deliveriesPage>;

export const listDeliveriesEndpoint = defineEndpoint({
  auth: 'organization',
  method: 'GET',
  path: '/v1/deliveries',
  summary: 'List deliveries of notifications with their attempts',
  description: 'Finished deliveries are kept for 30 days.',
  query: z.object({
    organizationId: organizationIdParam,
    projectId: textParam(100).describe('Only notifications about this project.'),
    channelId: textParam(100).describe('Only deliveries of this channel.'),
    status: z.enum(DELIVERY_STATUSES).optional().describe('Only deliveries in this state.'),
    type: textParam(100).describe('Only notifications of this type.'),
    cursor: textParam(100).describe('`nextCursor` of the previous page; without one, the first page.'),
    limit: z.coerce
      .number()
      .int()
      .min(1)
      .max(200)
      .default(50)
      .describe('Most deliveries in a page, 1 to 200. Default: 50.'),
  }),
  reply: deliveriesPage,
});
export type DeliveryQuery = Omit<z.output<typeof listDeliveriesEndpoint.query>, 'organizationId'>;

export const retryDeliveryEndpoint = defineEndpoint({
  auth: 'organization',
  method: 'POST',
  path: '/v1/deliveries/:id/retry',
  role: 'admin',
  summary: 'Send a delivery again, with the same `webhook-id`; a pending one is tried at once',
  query: organizationQuery,
  params: z.object({ id: z.string().max(100).describe('Id of the delivery.') }),
  reply: deliverySchema,
});

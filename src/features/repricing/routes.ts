import { z } from 'zod';
import { defineRoute } from '../../core/tenancy/index.ts';
import { Reply } from '../../http/reply.ts';
import { actorOf } from '../../module.ts';
import { applyRepricing, createRepricing, undoRepricing } from './change.ts';
import { repricingListSchema, repricingRequestSchema, repricingSchema } from './contract.ts';
import { findRepricing, listRepricings, toReply } from './queries.ts';

const ofProject = z.object({ projectId: z.string() });
const one = z.object({ id: z.string().max(100) });

export const listRepricingsRoute = defineRoute({
  method: 'GET',
  path: '/v1/repricings',
  auth: 'project',
  summary: "The project's re-pricings, the newest first",
  query: ofProject,
  reply: repricingListSchema,
  handler: async (ctx, _input, { scope }) => ({ repricings: await listRepricings(ctx, scope.no) }),
});

export const getRepricingRoute = defineRoute({
  method: 'GET',
  path: '/v1/repricings/:id',
  auth: 'project',
  summary: 'One re-pricing: how far it is, and what it changes by day and model',
  query: ofProject,
  params: one,
  reply: repricingSchema,
  handler: async (ctx, { params }, { scope }) => toReply(await findRepricing(ctx, params.id, scope.no), true),
});

export const createRepricingRoute = defineRoute({
  method: 'POST',
  path: '/v1/repricings',
  auth: 'project',
  role: 'admin',
  summary: 'A dry run: what would change if calls were priced anew by the prices in force',
  query: ofProject,
  body: repricingRequestSchema,
  reply: repricingSchema,
  status: 202,
  handler: async (ctx, input, caller) =>
    toReply(await createRepricing(ctx, actorOf(caller, input), { scope: caller.scope, request: input.body })),
});

export const applyRepricingRoute = defineRoute({
  method: 'POST',
  path: '/v1/repricings/:id/apply',
  auth: 'project',
  role: 'admin',
  summary: 'Apply what the dry run has shown; all sums follow, and it can be undone',
  query: ofProject,
  params: one,
  reply: repricingSchema,
  status: 202,
  handler: async (ctx, input, caller) => {
    const row = await findRepricing(ctx, input.params.id, caller.scope.no);
    return new Reply(202, toReply(await applyRepricing(ctx, actorOf(caller, input), row)));
  },
});

export const undoRepricingRoute = defineRoute({
  method: 'POST',
  path: '/v1/repricings/:id/undo',
  auth: 'project',
  role: 'admin',
  summary: 'Give every event back what it cost before',
  query: ofProject,
  params: one,
  reply: repricingSchema,
  status: 202,
  handler: async (ctx, input, caller) => {
    const row = await findRepricing(ctx, input.params.id, caller.scope.no);
    return new Reply(202, toReply(await undoRepricing(ctx, actorOf(caller, input), row)));
  },
});

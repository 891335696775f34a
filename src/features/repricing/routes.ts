import { route } from '../../core/tenancy/index.ts';
import { Reply } from '../../http/reply.ts';
import { actorOf } from '../../module.ts';
import { applyRepricing, createRepricing, undoRepricing } from './change.ts';
import {
  applyRepricingEndpoint,
  createRepricingEndpoint,
  getRepricingEndpoint,
  listRepricingsEndpoint,
  undoRepricingEndpoint,
} from './contract.ts';
import { findRepricing, listRepricings, toReply } from './queries.ts';

export const listRepricingsRoute = route(listRepricingsEndpoint, async (ctx, _input, { scope }) => ({
  repricings: await listRepricings(ctx, scope.no),
}));

export const getRepricingRoute = route(getRepricingEndpoint, async (ctx, { params }, { scope }) =>
  toReply(await findRepricing(ctx, params.id, scope.no), true),
);

export const createRepricingRoute = route(createRepricingEndpoint, async (ctx, input, caller) =>
  toReply(await createRepricing(ctx, actorOf(caller, input), { scope: caller.scope, request: input.body })),
);

export const applyRepricingRoute = route(applyRepricingEndpoint, async (ctx, input, caller) => {
  const row = await findRepricing(ctx, input.params.id, caller.scope.no);
  return new Reply(202, toReply(await applyRepricing(ctx, actorOf(caller, input), row)));
});

export const undoRepricingRoute = route(undoRepricingEndpoint, async (ctx, input, caller) => {
  const row = await findRepricing(ctx, input.params.id, caller.scope.no);
  return new Reply(202, toReply(await undoRepricing(ctx, actorOf(caller, input), row)));
});

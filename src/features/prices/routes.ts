import {
  catalogueOf,
  endingPrevious,
  findPrice,
  listPrices,
  removePrice,
  setPrice,
  setPrices,
  stateOf,
} from '../../core/pricing/index.ts';
import { route } from '../../core/tenancy/index.ts';
import { actorOf } from '../../module.ts';
import {
  createPriceEndpoint,
  deletePriceEndpoint,
  listPricesEndpoint,
  updatePriceEndpoint,
} from './contract.ts';

export const listPricesRoute = route(listPricesEndpoint, async (ctx, _input, { organizationId }) => ({
  catalogue: stateOf(await catalogueOf(ctx), ctx.now()),
  prices: await listPrices(ctx, organizationId),
}));

export const createPriceRoute = route(createPriceEndpoint, async (ctx, input, caller) => {
  const { organizationId } = caller;
  const write = { organizationId, input: input.body, id: null };
  const known = input.query.endPrevious === 'true' ? await listPrices(ctx, organizationId) : [];
  const made = await setPrices(ctx, actorOf(caller, input), endingPrevious(known, write));
  const price = made.at(-1);
  if (price === undefined) throw new Error('the price that was written is not there');
  return price;
});

export const updatePriceRoute = route(updatePriceEndpoint, async (ctx, input, caller) => {
  const { organizationId } = caller;
  const { id } = await findPrice(ctx, organizationId, input.params.id);
  return setPrice(ctx, actorOf(caller, input), { organizationId, input: input.body, id });
});

export const deletePriceRoute = route(deletePriceEndpoint, async (ctx, input, caller) => {
  const { organizationId } = caller;
  await removePrice(ctx, actorOf(caller, input), { organizationId, id: input.params.id });
  return null;
});

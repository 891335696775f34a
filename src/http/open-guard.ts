import { addressGroup } from './address-group.ts';
import type { Limits } from './limits.ts';
import type { Asked } from './route.ts';

/** The guard of routes without sign-in: it limits the requests of a network address. Throws AppError 429 or 503. */
export const createOpenGuard =
  (limits: Limits) =>
  async ({ endpoint, address }: Asked): Promise<null> => {
    if (endpoint.limit !== 'off') await limits.hit('open', addressGroup(address));
    return null;
  };

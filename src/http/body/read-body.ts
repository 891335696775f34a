import type { BodyLimits } from './body-limits.ts';
import { inflateBody } from './inflate-body.ts';
import { receiveBody } from './receive-body.ts';

/** Reads and decompresses a request's body; throws like `receiveBody` and `inflateBody`. */
export const readBody = async (request: Request, limits: BodyLimits): Promise<Uint8Array> =>
  await inflateBody(await receiveBody(request, limits), limits);

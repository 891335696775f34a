import type { z } from 'zod';
import type { Ctx } from '../../context.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import type { Route } from '../../http/route.ts';
import type { Callers } from './caller.ts';
import type { Access } from './contract.ts';

type Input<Q extends z.ZodType, P extends z.ZodType, B extends z.ZodType> = {
  readonly query: z.output<Q>;
  readonly params: z.output<P>;
  readonly body: z.output<B>;
  readonly request: Request;
  readonly address: string | null;
};

/** For modules whose endpoints do not stand in their contract yet. New code uses `defineEndpoint` and `route`. */
export function defineRoute<
  A extends Access['auth'],
  Q extends z.ZodType,
  P extends z.ZodType,
  B extends z.ZodType,
>(
  spec: Omit<Endpoint, 'auth' | 'query' | 'params' | 'body'> & {
    readonly auth: A;
    readonly query?: Q;
    readonly params?: P;
    readonly body?: B;
    readonly handler: (ctx: Ctx, input: Input<Q, P, B>, caller: Callers[A]) => unknown;
  },
): Route {
  return spec;
}

import type { Call } from '../call.ts';

/**
 * An object through which a reply is read. Once it has handed the reply on (a stream to its generator), its
 * collection means nothing. Promises are not tracked this way: a collected promise may live on in a derived one.
 */
export type Holder = { readonly call: Pick<Call, 'cancel'>; handedOn: boolean };

const collected =
  typeof FinalizationRegistry === 'function'
    ? new FinalizationRegistry<Holder>(({ call, handedOn }) => {
        if (!handedOn) call.cancel('unread');
      })
    : undefined;

/** Ends a call when the last object through which its reply could be read is garbage-collected. */
export const endWhenCollected = (object: object, call: Pick<Call, 'cancel'>): Holder => {
  const holder: Holder = { call, handedOn: false };
  collected?.register(object, holder);
  return holder;
};

import type { Call } from '../call.ts';

/**
 * An object through which an answer is read. When it has handed that on (a stream to the generator behind
 * it) it may be collected, and that means nothing any more. Promises are not followed so: one that is
 * collected may live on in another that was made of it.
 */
export type Holder = { readonly call: Call; handedOn: boolean };

const collected =
  typeof FinalizationRegistry === 'function'
    ? new FinalizationRegistry<Holder>(({ call, handedOn }) => {
        if (!handedOn) call.cancel('unread');
      })
    : undefined;

/** Ends a call when the object through which its answer could still be read is collected. */
export const endWhenCollected = (object: object, call: Call): Holder => {
  const holder: Holder = { call, handedOn: false };
  collected?.register(object, holder);
  return holder;
};

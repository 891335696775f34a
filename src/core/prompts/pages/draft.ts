import type { NewVersion } from '../contract.ts';

/** A version that is being written. `config` is JSON text. */
export type Draft = {
  readonly type: 'text' | 'chat';
  readonly template: string;
  readonly messages: NonNullable<NewVersion['messages']>;
  readonly config: string;
};

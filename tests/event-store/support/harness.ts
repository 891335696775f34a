import type { EventStore } from '../../../src/core/events/store.ts';
import type { ProjectScope } from '../../../src/core/tenancy/index.ts';
import type { EffectCall } from '../../../src/db/effects.ts';
import type { TestClock } from '../../helpers/app.ts';

/**
 * How much the random tests of the suite do: 1 unless `EVENT_STORE_ROUNDS` says otherwise. A long run:
 * `EVENT_STORE_ROUNDS=50 bun test --timeout 600000 tests/event-store`. `TEST_SEED=…` repeats a run.
 */
export const ROUNDS = Number(process.env.EVENT_STORE_ROUNDS ?? 1);
/** A long run has all files run against all stores. */
export const IS_LONG = ROUNDS > 1;

/** Two organizations, each with as many projects as a test asks for. */
export type Organization = 'Acme' | 'Globex';

/** A store that is open, with what a test needs around it. All that it tells lies in the folder, or belongs to it. */
export type OpenStore = {
  readonly store: EventStore;
  readonly clock: TestClock;
  /** The project of a name, made when it is first asked for. */
  project(name: string, of?: Organization): Promise<ProjectScope>;
  /** Sets what an organization pays for a model of any provider from now on: USD per million tokens. */
  setPrice(
    of: ProjectScope,
    model: string,
    price: { readonly input: number; readonly output: number },
  ): Promise<void>;
  readonly effects: {
    /** Notes a text with the outcome that it learned, and returns the text. */
    note(text: string): EffectCall;
    /** Refuses with AppError 409. */
    refuse(): EffectCall;
    /** What was noted and committed, in that order, as JSON of `[text, outcome]`. */
    notes(): Promise<string[]>;
  };
  /** Runs what the store does in the background (sealing, packing) to its end. No number may change with it. */
  settle(): Promise<void>;
  /** Ends as a server does. After it the folder may be opened again. */
  close(): Promise<void>;
};

/** A way to open a store under test. Opening a folder a second time finds what was stored in it. */
export type StoreKind = {
  readonly name: string;
  open(folder: string): Promise<OpenStore>;
};

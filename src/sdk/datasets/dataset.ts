import { newEventId } from '../ids.ts';
import { ApiError, type Ask } from './api.ts';

/** An item of a dataset. */
export type DatasetItem<Input = unknown, Expected = unknown> = {
  readonly id: string;
  readonly input: Input;
  /** Null without one. */
  readonly expectedOutput: Expected;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly split: string | null;
};

/** An item to add. One with a known id is changed. */
export type NewDatasetItem<Input = unknown, Expected = unknown> = {
  readonly id?: string | undefined;
  readonly input: Input;
  readonly expectedOutput?: Expected | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  readonly split?: string | undefined;
  /** Where it is from. */
  readonly sourceTraceId?: string | undefined;
  readonly sourceSpanId?: string | undefined;
  /** End user whose data it is: erasing them deletes it. */
  readonly userId?: string | undefined;
};

/** Which items to read. Default: all of the newest version. */
export type ItemsOptions = { readonly version?: number | undefined; readonly split?: string | undefined };

/** A dataset of the project, by its name. Its methods reject with ApiError. */
export type Dataset<Input = unknown, Expected = unknown> = {
  readonly name: string;
  /** Reads the items of one version in their order, page by page; changes meanwhile make no difference. */
  items(options?: ItemsOptions): AsyncIterable<DatasetItem<Input, Expected>>;
  /**
   * Adds items, or changes those with a known id; the dataset is created if there is none. Up to 500 items are one
   * version, more are several. Returns the newest version.
   */
  add(
    items: readonly NewDatasetItem<Input, Expected>[],
    options?: { readonly message?: string | undefined },
  ): Promise<{ readonly version: number; readonly added: number; readonly changed: number }>;
};

type Page = {
  readonly version: number;
  readonly items: readonly DatasetItem<never, never>[];
  readonly nextCursor: string | null;
};
type Found = { readonly id: string; readonly name: string };

const PAGE = 500;

/** The dataset with this name; null if there is none. */
const findDataset = async (ask: Ask, name: string): Promise<Found | null> => {
  const { datasets } = await ask<{ datasets: Found[] }>('GET', '/v1/datasets', { query: { name } });
  return datasets[0] ?? null;
};

const makeDataset = async (ask: Ask, name: string): Promise<Found> => {
  try {
    return await ask<Found>('POST', '/v1/datasets', { body: { name } });
  } catch (error) {
    // Created meanwhile, or by an attempt whose reply was lost.
    const isTaken = error instanceof ApiError && error.status === 409;
    const found = isTaken ? await findDataset(ask, name) : null;
    if (found !== null) return found;
    throw error;
  }
};

export const openDataset = <Input, Expected>(ask: Ask, name: string): Dataset<Input, Expected> => ({
  name,
  async *items({ version, split } = {}) {
    const found = await findDataset(ask, name);
    if (found === null) throw new ApiError(`there is no dataset ${name}`, 404);
    let read = version;
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const query = { version: read, split, cursor, limit: PAGE };
      const page: Page = await ask('GET', `/v1/datasets/${found.id}/items`, { query });
      // An empty dataset has version 0, which cannot be asked for.
      read = page.version || undefined;
      yield* page.items;
      cursor = page.nextCursor;
    }
  },
  async add(items, { message = '' } = {}) {
    const { id } = (await findDataset(ask, name)) ?? (await makeDataset(ask, name));
    const done = { version: 0, added: 0, changed: 0 };
    for (let from = 0; from < items.length; from += PAGE) {
      // With an id of its own, an item is not added twice if the request is repeated.
      const part = items.slice(from, from + PAGE).map((item) => ({ ...item, id: item.id ?? newEventId() }));
      const reply = await ask<typeof done>('POST', `/v1/datasets/${id}/items`, {
        body: { items: part, message },
      });
      done.version = reply.version;
      done.added += reply.added;
      done.changed += reply.changed;
    }
    return done;
  },
});

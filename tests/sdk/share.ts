import { afterAll, afterEach, beforeAll } from 'bun:test';
import { type MockProvider, startProvider } from './mock-provider.ts';
import { openSdkWorld, type SdkWorld } from './world.ts';

/** What the tests of a file share: starting a server for each would take most of their time. */
export type Shared = { provider: MockProvider; world: SdkWorld };

/** Starts a mock provider and a world before the tests of a file, and forgets their replies and problems after each. */
export const share = (): Shared => {
  const shared = {} as Shared;
  beforeAll(async () => {
    shared.provider = startProvider();
    shared.world = await openSdkWorld();
  });
  afterEach(() => {
    shared.provider.reset();
    shared.world.problems.length = 0;
  });
  afterAll(async () => {
    await shared.world.close();
    await shared.provider.stop();
  });
  return shared;
};

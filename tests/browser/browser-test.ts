import { test as bunTest } from 'bun:test';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

/** Kept when the tests have ended, and ignored by git. */
const FOLDER = join(import.meta.dir, '../../dist/failed-tests');

/** The pages that are open, for the pictures of a test that fails. */
export const openPages = new Set<Page>();

/** A test of the browser: when it fails, its message says where the pictures of the open pages are. */
export const test = (name: string, run: () => Promise<unknown> | undefined, timeout = 60_000): void =>
  bunTest(
    name,
    async () => {
      try {
        await run();
      } catch (error) {
        if (error instanceof Error) error.message += `\n${(await takePictures(name)).join('\n')}`;
        throw error;
      }
    },
    timeout,
  );

async function takePictures(name: string): Promise<string[]> {
  await mkdir(FOLDER, { recursive: true });
  const file = name.replaceAll(/[^a-z0-9]+/gi, '-').slice(0, 80);
  return Promise.all(
    [...openPages].map(async (page, place) => {
      const path = join(FOLDER, `${file}-${place + 1}.png`);
      return page.screenshot({ path, timeout: 5_000 }).then(
        () => `${page.url()}: ${path}`,
        (reason: Error) => `${page.url()}: no picture, ${reason.message}`,
      );
    }),
  );
}

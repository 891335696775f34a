import { afterAll, expect, test } from 'bun:test';
import { chownSync, mkdirSync, unlinkSync, writeFileSync } from 'node:fs';
import { actThroughServer, commandSocket } from '../src/serve.ts';
import { openFolder } from './helpers/folder.ts';

const folder = openFolder();
afterAll(() => folder.remove());

/** A database path too long for a socket beside it. */
const deep = folder.path('d'.repeat(100));
mkdirSync(deep);
const database = `${deep}/ledger.db`;
writeFileSync(database, '');

test('the socket of a deep folder is placed where its path fits', () => {
  expect(commandSocket(folder.path('x.db'))).toBe(folder.path('x.db.sock'));
  expect(commandSocket(database).length).toBeLessThan(104);
});

test('nothing is sent to a socket of another user', async () => {
  const heard: string[] = [];
  const socket = commandSocket(database);
  const stranger = Bun.serve({
    unix: socket,
    fetch: (request) => {
      heard.push(request.url);
      return Response.json({ result: 'told me' });
    },
  });
  try {
    expect(await actThroughServer(database, 'init', {})).toEqual({ result: 'told me' });
    // Without the right to give files away nobody can play the stranger.
    if (process.getuid?.() === 0) chownSync(socket, 65534, 65534);
    else unlinkSync(database);
    expect(await actThroughServer(database, 'init', {})).toBeNull();
    expect(heard).toHaveLength(1);
  } finally {
    await stranger.stop(true);
  }
});

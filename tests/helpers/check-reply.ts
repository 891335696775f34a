import { isDeepStrictEqual } from 'node:util';
import type { ReplyCheck } from '../../src/http/server.ts';

/**
 * Compares each JSON reply of success with the schema that its endpoint declares: it must parse, and parsing must
 * change nothing, so that no undeclared field goes out.
 */
export const checkReply: ReplyCheck = async ({ method, path, reply, status = 200 }, response) => {
  if (!response.ok) return;
  const at = `${method} ${path}`;
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  if (reply === undefined) {
    if (isJson) throw new Error(`${at} replies JSON that its endpoint does not declare`);
    return;
  }
  if (!isJson) return;
  if (response.status !== status && response.status !== 202)
    throw new Error(`${at} replies ${response.status}; its endpoint declares ${status}`);
  const sent: unknown = JSON.parse(await response.clone().text(), withoutProto);
  const parsed = reply.safeParse(sent);
  if (!parsed.success) throw new Error(`${at} replies what its schema forbids: ${parsed.error.message}`);
  const read: unknown = JSON.parse(JSON.stringify(parsed.data));
  if (!isDeepStrictEqual(read, sent))
    throw new Error(`${at} replies more than its schema: ${difference(sent, read)}`);
};

/** Tags may have a key named `__proto__`, which replies keep and zod drops: it is not compared. */
const withoutProto = (key: string, value: unknown): unknown => (key === '__proto__' ? undefined : value);

/** Where two JSON values first differ, for the message. */
function difference(sent: unknown, read: unknown, path = 'reply'): string {
  if (typeof sent !== 'object' || typeof read !== 'object' || sent === null || read === null)
    return `${path} is ${JSON.stringify(sent)}, its schema makes it ${JSON.stringify(read)}`;
  const names = new Set([...Object.keys(sent), ...Object.keys(read)]);
  const values = (of: object, name: string): unknown => Object.entries(of).find(([key]) => key === name)?.[1];
  for (const name of names) {
    const [a, b] = [values(sent, name), values(read, name)];
    if (!isDeepStrictEqual(a, b)) return difference(a, b, `${path}.${name}`);
  }
  return path;
}

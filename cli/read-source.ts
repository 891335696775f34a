import { readFileSync } from 'node:fs';
import type { BaseContext } from './command.ts';
import { EXIT, UserError, usageError } from './user-error.ts';

const MAX_BYTES = 30_000_000;
const PATIENCE_MS = 30_000;

/**
 * The text of a file, of standard input (`-`), or of an address if `urls` are allowed.
 * @throws {UserError} usage (2) if it cannot be read, `unreachable` (1) if the address does not answer
 */
export const readSource = async (
  ctx: BaseContext,
  from: string,
  { urls = false }: { urls?: boolean } = {},
): Promise<string> => {
  if (from === '-') return ctx.input.readAll();
  if (/^https?:\/\//.test(from)) {
    if (!urls) throw usageError(`${from} is an address`, 'Pass the path of a file, or - for standard input');
    return download(from);
  }
  try {
    return readFileSync(from, 'utf8');
  } catch {
    throw usageError(`Cannot read ${from}`, 'Pass the path of a file, or - for standard input');
  }
};

const download = async (url: string): Promise<string> => {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) });
    if (!response.ok) throw new Error(`it answered ${response.status}`);
    const bytes = await response.arrayBuffer();
    if (bytes.byteLength > MAX_BYTES) throw new Error(`it is larger than ${MAX_BYTES / 1e6} MB`);
    return new TextDecoder().decode(bytes);
  } catch (cause) {
    throw new UserError({
      what: `Cannot read ${url}: ${cause instanceof Error ? cause.message : String(cause)}`,
      fix: 'Check the address, or download the file and pass its path',
      code: 'unreachable',
      exit: EXIT.failure,
      cause,
    });
  }
};

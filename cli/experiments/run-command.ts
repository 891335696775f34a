import { z } from 'zod';
import type { DatasetItem } from '../../src/core/datasets/contract.ts';
import type { ReportedResult } from '../../src/features/experiments/contract.ts';
import { resultSchema } from '../../src/features/experiments/input/contract.ts';
import { EXIT, UserError } from '../user-error.ts';

/** What the program gets of an item, one line of JSON each. */
const toLine = ({ id, input, expectedOutput, metadata, split }: DatasetItem): string =>
  `${JSON.stringify({ itemId: id, input, expectedOutput, metadata, split })}\n`;

/**
 * Runs a program of the project over items. It reads them as JSON lines from its standard input and prints a result for
 * each as a JSON line; other output belongs on standard error.
 * @throws UserError (1) if the program fails or prints something else
 */
export async function runProgram(
  command: readonly string[],
  {
    items,
    cwd,
    signal,
  }: { readonly items: readonly DatasetItem[]; readonly cwd: string; readonly signal: AbortSignal },
): Promise<ReportedResult[]> {
  const child = Bun.spawn([...command], {
    cwd,
    stdin: new TextEncoder().encode(items.map(toLine).join('')),
    stdout: 'pipe',
    stderr: 'inherit',
    signal,
  });
  const [text, code] = await Promise.all([new Response(child.stdout).text(), child.exited]);
  if (code !== 0)
    throw failure(`${command.join(' ')} ended with ${code}`, 'Correct the program; its messages are above');
  return text.split('\n').flatMap((line, i) => (line.trim() === '' ? [] : [parseLine(line, i + 1, command)]));
}

function parseLine(line: string, number: number, command: readonly string[]): ReportedResult {
  const read = resultSchema.safeParse(parseJson(line));
  if (read.success) return read.data;
  throw failure(
    `Line ${number} of the output of ${command.join(' ')} is no result: ${z.prettifyError(read.error).split('\n')[0]}`,
    'Print one JSON object a line, such as {"itemId":"q-1","output":"4"}',
  );
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

const failure = (what: string, fix: string): UserError =>
  new UserError({ what, fix, code: 'program_failed', exit: EXIT.failure });

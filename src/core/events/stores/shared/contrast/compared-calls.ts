import type { ContrastDimension } from '../../../contrast.ts';
import { namedProvider } from '../metrics/dimensions.ts';
import type { WindowPart } from './compare-windows.ts';
import type { Having, Source } from './values.ts';

/** A call, or a score of one: what it adds, and its value in each dimension. */
export type ComparedCall = {
  readonly part: number;
  readonly whole: number;
  readonly model: string | null;
  readonly provider: string | null;
  readonly environment: string;
  readonly user: string | null;
  readonly error: string | null;
  readonly release: string | null;
  readonly agent: string | null;
  readonly tool: string | null;
  readonly prompt: string | null;
  readonly version: string | null;
  readonly key: string | null;
  readonly labels: Readonly<Record<string, string>>;
};

/** The dimensions of one value each. */
const DIMENSIONS = [
  ['model', 'model'],
  ['provider', 'provider'],
  ['environment', 'environment'],
  ['user', 'userId'],
  ['error', 'errorCode'],
  ['release', 'release'],
  ['agent', 'agent'],
  ['tool', 'tool'],
  ['prompt', 'promptName'],
  ['version', 'promptVersion'],
  ['key', 'keyId'],
] as const satisfies readonly (readonly [keyof ComparedCall, ContrastDimension])[];

/** The calls of a window as they are compared. */
export const toPart = (of: WindowPart['of'], calls: readonly ComparedCall[]): WindowPart => ({
  of,
  mask: new Uint8Array(calls.length).fill(1),
  parts: Float64Array.from(calls, ({ part }) => part),
  wholes: Float64Array.from(calls, ({ whole }) => whole),
  sources: [
    ...DIMENSIONS.map(([column, dimension]) =>
      sourceOf(
        calls,
        (call) => (column === 'provider' ? namedProvider(call[column] ?? '') : (call[column] ?? '')),
        (value) => (value === '' ? [] : [[dimension, value]]),
      ),
    ),
    sourceOf(
      calls,
      ({ labels }) => JSON.stringify(labels),
      (json) =>
        Object.entries(JSON.parse(json) as Record<string, string>).flatMap(([name, value]): Having[] =>
          value === '' ? [] : [[`tag:${name}`, value]],
        ),
    ),
  ],
});

/** A code per call for a text of it, and what a code stands for. */
function sourceOf(
  calls: readonly ComparedCall[],
  textOf: (call: ComparedCall) => string,
  having: (text: string) => readonly Having[],
): Source {
  const known = new Map<string, number>();
  const values: (readonly Having[])[] = [];
  const codes = Uint32Array.from(calls, (call) => {
    const text = textOf(call);
    const code = known.get(text) ?? values.push(having(text)) - 1;
    known.set(text, code);
    return code;
  });
  return { codes, valuesOf: (code) => values[code] ?? [] };
}

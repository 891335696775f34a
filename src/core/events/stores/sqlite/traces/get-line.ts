import type { Reader } from '../../../../../db/reader.ts';
import type { TraceLine } from '../../../contract.ts';
import { ALL_TIME } from '../scan/open-chunks.ts';
import { readTraceLines } from './trace-lines.ts';

/** What a trace adds up to, in the first project of the scope that has it; null if there is none. */
export function getTraceLine(reader: Reader, traceId: string): TraceLine | null {
  const query = { filters: {}, calls: false, window: ALL_TIME };
  for (const project of reader.projects) {
    const found = readTraceLines(reader, { project, query }, [traceId]).get(traceId);
    if (found !== undefined) return found.line;
  }
  return null;
}

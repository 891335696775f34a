import { frame, unframe } from '../codecs/frame.ts';
import { decodeNumbers, encodeNumbers } from '../codecs/numbers.ts';
import { joinSections, splitSections } from '../codecs/sections.ts';
import { ID_WORDS } from '../columns.ts';
import type { RunRows } from './run-rows.ts';

/** Encodes rows in columns, some 35 bytes per run. Only agents with rows are named. */
export function encodeRunRows({ agents, calls, heads }: RunRows): Uint8Array {
  const used = [...new Set(Array.from(calls.agent))];
  const numberOf = new Map(used.map((agent, number) => [agent, number]));
  const head = {
    agents: used.map((agent) => agents[agent] ?? ''),
    calls: calls.count,
    heads: heads.count,
  };
  const columns = [
    Float64Array.from(calls.agent, (agent) => numberOf.get(agent) ?? 0),
    calls.hour,
    calls.costNano,
    calls.state,
    ...HEAD_COLUMNS.map((column) => heads[column]),
  ];
  return frame(
    joinSections([
      new TextEncoder().encode(JSON.stringify(head)),
      new Uint8Array(calls.trace.buffer, calls.trace.byteOffset, calls.trace.byteLength),
      ...columns.map((column) => encodeNumbers(Float64Array.from(column))),
    ]),
  );
}

const HEAD_COLUMNS = ['call', 'ts', 'latency', 'status', 'link', 'place'] as const;

/** Decodes what `encodeRunRows` gave. @throws DamagedBlob if the checksum is wrong */
export function decodeRunRows(blob: Uint8Array): RunRows {
  const [head = EMPTY, trace = EMPTY, ...columns] = splitSections(unframe(blob));
  const { agents, ...counts } = JSON.parse(new TextDecoder().decode(head)) as {
    agents: string[];
    calls: number;
    heads: number;
  };
  const numbers = columns.map((bytes, place) =>
    decodeNumbers(bytes, place < CALL_COLUMNS ? counts.calls : counts.heads),
  );
  const at = (place: number): Float64Array => numbers[place] ?? new Float64Array();
  // A copy, because the blob may not be aligned.
  const words = new Uint8Array(trace);
  return {
    agents,
    calls: {
      count: counts.calls,
      trace: new Int32Array(words.buffer, 0, counts.calls * ID_WORDS.trace_id),
      agent: at(0),
      hour: at(1),
      costNano: at(2),
      state: at(3),
    },
    heads: {
      count: counts.heads,
      call: at(4),
      ts: at(5),
      latency: at(6),
      status: at(7),
      link: at(8),
      place: at(9),
    },
  };
}

const EMPTY = new Uint8Array();
const CALL_COLUMNS = 4;

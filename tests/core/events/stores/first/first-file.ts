import Libsql from 'libsql';
import { EVENT_KINDS, EVENT_STATUSES } from '../../../../../src/core/events/contract.ts';
import { createRandom, TEST_SEED } from '../../../../helpers/random.ts';

/** A small file that version 0.1 made. */
const FIXTURE = `${import.meta.dir}/../../../../db/fixtures/ledger-0.1.db.gz`;
const START = Date.UTC(2026, 2, 28);
const DAY_MS = 86_400_000;

/** An event as the API of 0.1 returned it, as far as it is compared. */
export type FirstEvent = {
  readonly event_id: string;
  readonly trace_id: string;
  readonly span_id: string;
  readonly parent_span_id: string | null;
  readonly timestamp: string;
  readonly model: string | null;
  readonly user_id: string | null;
  readonly input_tokens: number;
  readonly latency_ms: number | null;
  readonly cost_usd: number | null;
  readonly prompt_hash: string | null;
  readonly tags: Record<string, unknown>;
  readonly metadata: Record<string, unknown>;
};

/** Writes a file of 0.1 with some more events of its project, over three days, and returns these. */
export async function writeFirstFile(path: string, count: number): Promise<FirstEvent[]> {
  await Bun.write(path, Bun.gunzipSync(await Bun.file(FIXTURE).bytes()));
  const db = new Libsql(path);
  const random = createRandom(TEST_SEED);
  const int = (max: number): number => Math.floor(random() * max);
  const hex = (digits: number): string => Array.from({ length: digits }, () => int(16).toString(16)).join('');
  const shape = JSON.stringify({ name: 'answer', tags: { team: 'support', ü: ['a', 1] } });
  db.prepare('INSERT INTO event_shapes (id, project, json) VALUES (77, 1, ?)').run([shape]);
  const insert = db.prepare(
    `INSERT INTO events (project, ts, event_id, trace_id, span_id, parent_span_id, kind, is_call, status, stream,
       provider, model, environment, operation, user_id, session_id, error_code, latency_ms, ttft_ms, fresh_tokens,
       cache_read_tokens, cache_write_tokens, cache_write_1h_tokens, output_tokens, reasoning_tokens, cost_nano,
       cost_status, chunk, shape, detail, price, label)
     VALUES (${Array(32).fill('?').join(', ')})`,
  );
  const stored = (id: string): Uint8Array | string =>
    /^([0-9a-f]{16}|[0-9a-f]{32})$/.test(id) ? Uint8Array.fromHex(id) : id;
  db.exec('BEGIN');
  const events = Array.from({ length: count }, (_, i): FirstEvent => {
    const id = hex(32);
    const ts = START + int(3 * DAY_MS);
    // Ids as OTLP has them, some of the length of the other kind, and any text.
    const trace_id = [hex(32), hex(16), `trace ${i}`][int(3)] as string;
    const span_id = [hex(16), hex(32), ''][int(3)] as string;
    const parent_span_id = [null, hex(16), 'the parent'][int(3)] as string | null;
    const user_id = int(3) === 0 ? null : `user ${int(9)}`;
    const latency_ms = int(4) === 0 ? null : int(1e7) / 1000;
    const cost = int(5) === 0 ? null : int(1e9);
    const fresh = int(5_000);
    const cached = int(500);
    const prompt_hash = [null, hex(64), 'no hash'][int(3)] as string | null;
    const metadata = int(2) === 0 ? {} : { prompt_hash: 'of the sender', note: `𝄞 ${i}` };
    const detail = {
      ...(prompt_hash === null ? {} : { prompt_hash }),
      ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
    };
    insert.run([
      1, ts, Uint8Array.fromHex(id), stored(trace_id), stored(span_id),
      parent_span_id === null ? null : stored(parent_span_id),
      0, 1, int(EVENT_STATUSES.length), int(2), 'openai', 'gpt-4o', 'production', 'chat', user_id, null, null,
      latency_ms, null, fresh, cached, 0, 0, 7, 0, cost, cost === null ? 1 : 0, 0, 77,
      Object.keys(detail).length === 0 ? null : JSON.stringify(detail), null, 1,
    ]); // biome-ignore format: as the columns
    return {
      event_id: `${id.slice(0, 8)}-${id.slice(8, 12)}-${id.slice(12, 16)}-${id.slice(16, 20)}-${id.slice(20)}`,
      trace_id,
      span_id,
      parent_span_id,
      timestamp: new Date(ts).toISOString(),
      model: 'gpt-4o',
      user_id,
      input_tokens: fresh + cached,
      latency_ms,
      cost_usd: cost === null ? null : cost / 1e9,
      prompt_hash,
      tags: { team: 'support', ü: ['a', 1] },
      metadata,
    };
  });
  db.exec('COMMIT');
  db.close();
  return events;
}

/** Kinds are stored by index: the rows above have the first. */
if (EVENT_KINDS[0] !== 'llm') throw new Error('the order of kinds has changed');

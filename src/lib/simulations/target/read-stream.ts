import type { ToolCall } from '../definition.ts';

type Streamed = {
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  readonly events: readonly unknown[];
  readonly error: string | null;
};

/**
 * Reads a stream that has ended: events of the server (`data: {…}`) or JSON lines. OpenAI's pieces of tool calls are put
 * together.
 */
export function readStream(body: string, deltaOf: (event: unknown) => string | undefined): Streamed {
  const lines = body.split(/\r\n|\r|\n/);
  const isEvents = lines.some((line) => line.startsWith('data:'));
  const data = lines.flatMap((line) => {
    const text = isEvents ? (line.startsWith('data:') ? line.slice(5).trim() : '') : line.trim();
    return text === '' || text === '[DONE]' ? [] : [text];
  });
  const events: unknown[] = [];
  const pieces: string[] = [];
  for (const text of data) {
    const event = parse(text);
    if (event === undefined) {
      if (isEvents) pieces.push(text);
      else
        return {
          text: '',
          toolCalls: [],
          events,
          error: `The stream has a line that is not JSON: ${text.slice(0, 200)}`,
        };
      continue;
    }
    events.push(event);
    const piece = typeof event === 'string' ? event : deltaOf(event);
    if (piece !== undefined) pieces.push(piece);
  }
  if (data.length === 0) return { text: '', toolCalls: [], events, error: 'The stream is empty' };
  return { text: pieces.join(''), toolCalls: callsOf(events), events, error: null };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type Piece = { index?: number; id?: string; function?: { name?: string; arguments?: string } };
type Chunk = { choices?: { delta?: { tool_calls?: Piece[] } }[] } | null;

function callsOf(events: readonly unknown[]): ToolCall[] {
  const calls = new Map<number, { id?: string; name: string; text: string }>();
  for (const event of events as readonly Chunk[]) {
    const pieces = event?.choices?.[0]?.delta?.tool_calls;
    if (!Array.isArray(pieces)) continue;
    for (const { index = 0, id, function: called } of pieces) {
      const call = calls.get(index) ?? { name: '', text: '' };
      calls.set(index, {
        ...call,
        ...(id !== undefined && { id }),
        name: call.name + (called?.name ?? ''),
        text: call.text + (called?.arguments ?? ''),
      });
    }
  }
  return [...calls.values()].map(({ name, text, id }) => ({
    name,
    arguments: parse(text) ?? text,
    ...(id !== undefined && { id }),
  }));
}

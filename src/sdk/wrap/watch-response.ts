import type { Call } from '../call.ts';
import type { AnswerReader } from './reader.ts';
import { takePiece } from './watch-iterator.ts';

type Watched = { readonly call: Call; readonly reader: AnswerReader; readonly streamed: boolean };

/** Bytes of a reply beyond this are passed on but not recorded. */
const MOST_BYTES = 16 * 1_048_576;

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The data of server-sent events (HTML standard, 9.2.6) that parses as JSON. */
const eventData = (text: string): unknown[] =>
  text
    .split(/\r\n|\r|\n/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => parse(line.slice(5).trim()))
    .filter((value) => value !== undefined);

const readText = (text: string, { call, reader, streamed }: Watched) => {
  if (!streamed) return reader.answer(parse(text));
  for (const piece of eventData(text)) takePiece(reader, { ...call, firstToken() {} }, piece);
  return reader.result();
};

type Bytes = Uint8Array<ArrayBuffer>;

/** Removes hidden events from a stream; call it without bytes at the end. */
const createFilter = (hides: (value: unknown) => boolean): ((bytes?: Bytes) => Bytes) => {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let rest = '';
  return (bytes) => {
    rest += bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
    const events = rest.split(/(?<=\n\r?\n)/);
    rest = bytes === undefined ? '' : (events.pop() ?? '');
    return encoder.encode(events.filter((event) => !eventData(event).some(hides)).join(''));
  };
};

/** Passes on a body as it is read, and calls `done` with the recorded bytes at its end. */
const passOn = (
  body: ReadableStream<Bytes>,
  { call, done, hides }: { call: Call; done: (text: string) => void; hides: AnswerReader['hides'] },
): ReadableStream<Bytes> => {
  const filter = hides === undefined ? (bytes?: Bytes) => bytes : createFilter(hides);
  const from = body.getReader();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const text = (): string => {
    const decoder = new TextDecoder();
    return chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join('') + decoder.decode();
  };
  return new ReadableStream(
    {
      async pull(to) {
        try {
          let passed: Bytes | undefined;
          // Repeats until there is something to pass on: an event may come in parts or be hidden.
          do {
            const { done: over, value } = await from.read();
            if (!over) {
              call.firstToken();
              bytes += value.length;
              if (bytes <= MOST_BYTES) chunks.push(value);
            }
            passed = filter(value);
            if (passed !== undefined && passed.length > 0) to.enqueue(passed);
            if (over) {
              done(text());
              to.close();
              return;
            }
          } while (passed === undefined || passed.length === 0);
        } catch (error) {
          call.fail(error);
          to.error(error);
        }
      },
      cancel(reason) {
        call.cancel('stream_abandoned');
        return from.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
};

/**
 * Records a response whose body the caller reads directly. The object stays the same; its reading methods and `body`
 * are wrapped.
 */
export const watchResponse = (response: Response, watched: Watched): void => {
  const { call, reader, streamed } = watched;
  const finish = (text: string): void => call.end(() => readText(text, watched));
  // If events are hidden, the caller reads a filtered copy of the body.
  const source = (): Response => (reader.hides === undefined ? response : new Response(response.body));
  const cover = <T>(name: 'json' | 'text' | 'arrayBuffer' | 'bytes', look: (value: T) => void): void => {
    const read = (response as unknown as Record<string, unknown>)[name];
    if (typeof read !== 'function') return;
    const covered = async (): Promise<T> => {
      try {
        const value = (await read.call(source())) as T;
        look(value);
        return value;
      } catch (error) {
        call.fail(error);
        throw error;
      }
    };
    Object.defineProperty(response, name, { value: covered, configurable: true, writable: true });
  };
  cover<unknown>('json', (value) => call.end(() => (streamed ? {} : reader.answer(value))));
  cover<string>('text', finish);
  cover<ArrayBuffer>('arrayBuffer', (value) => finish(new TextDecoder().decode(value)));
  cover<Uint8Array>('bytes', (value) => finish(new TextDecoder().decode(value)));
  let body: ReadableStream | null | undefined;
  const own = response.body;
  if (!(own instanceof ReadableStream)) return;
  Object.defineProperty(response, 'body', {
    configurable: true,
    get: () => {
      // If the caller is already reading the body, leave it alone.
      if (body === undefined)
        body = own.locked ? own : passOn(own, { call, done: finish, hides: reader.hides });
      return body;
    },
  });
};

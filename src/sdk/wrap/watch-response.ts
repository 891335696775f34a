import type { Call } from '../call.ts';
import type { AnswerReader } from './reader.ts';
import { endWhenCollected, type Holder } from './unread.ts';
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

type Passing = {
  readonly call: Call;
  readonly done: (text: string) => void;
  readonly hides: AnswerReader['hides'];
  /** Called when the caller reads no further. */
  readonly left: () => void;
};

/**
 * Passes on a body as it is read, and calls `done` with the recorded bytes at its end. Until then the body stays free:
 * whoever only looks at it can still read the response in another way.
 */
const passOn = (body: ReadableStream<Bytes>, { call, done, hides, left }: Passing): ReadableStream<Bytes> => {
  const filter = hides === undefined ? (bytes?: Bytes) => bytes : createFilter(hides);
  const read = () => body.getReader();
  let from: ReturnType<typeof read> | undefined;
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
          from ??= read();
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
        left();
        return (from ?? read()).cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
};

/** The methods that read a whole response, and the text that is recorded of what they give. */
const METHODS: Readonly<Record<string, (value: unknown) => string | Promise<string>>> = {
  json: () => '',
  text: String,
  arrayBuffer: (value) => new TextDecoder().decode(value as ArrayBuffer),
  bytes: (value) => new TextDecoder().decode(value as Uint8Array),
  blob: (value) => (value as Blob).text(),
};

/**
 * Records a response whose body the caller reads directly. The object stays the same; its reading methods, `clone` and
 * `body` are wrapped. The first copy that is read to its end is recorded.
 */
export const watchResponse = (response: Response, watched: Watched): void =>
  cover(response, watched, { holder: endWhenCollected(response, watched.call), isCopied: false });

type Shared = {
  /** A body or a copy that was taken out of the response can be read without it. */
  readonly holder: Holder;
  /** Whoever leaves one copy may read another. */
  isCopied: boolean;
};

const cover = (response: Response, watched: Watched, shared: Shared): void => {
  const { call, reader, streamed } = watched;
  const finish = (text: string): void => call.end(() => readText(text, watched));
  const set = (name: string, change: PropertyDescriptor): void =>
    void Object.defineProperty(response, name, { configurable: true, ...change });
  // If events are hidden, the caller reads a filtered copy of the body.
  const source = (): Response => (reader.hides === undefined ? response : new Response(response.body));
  for (const [name, textOf] of Object.entries(METHODS)) {
    const read: unknown = Reflect.get(response, name);
    if (typeof read !== 'function') continue;
    const value = async (): Promise<unknown> => {
      shared.holder.handedOn = true;
      try {
        const given: unknown = await read.call(source());
        if (name === 'json') call.end(() => (streamed ? {} : reader.answer(given)));
        else finish(await textOf(given));
        return given;
      } catch (error) {
        call.fail(error);
        throw error;
      }
    };
    set(name, { value, writable: true });
  }
  const { clone } = response;
  const copied = (): Response => {
    const copy = Reflect.apply(clone, response, []) as unknown as Response;
    shared.holder.handedOn = true;
    shared.isCopied = true;
    cover(copy, watched, shared);
    return copy;
  };
  set('clone', { value: copied, writable: true });
  const left = (): void => {
    if (!shared.isCopied) call.cancel('stream_abandoned');
  };
  let passed: { readonly from: ReadableStream<Bytes>; readonly to: ReadableStream<Bytes> } | undefined;
  const body = (): ReadableStream<Bytes> | null => {
    // Another one after each `clone`.
    const own: unknown = Reflect.get(Object.getPrototypeOf(response), 'body', response);
    if (!(own instanceof ReadableStream)) return null;
    const from = own as ReadableStream<Bytes>;
    if (passed?.from === from) return passed.to;
    // If the caller is already reading the body, leave it alone.
    if (from.locked) return from;
    shared.holder.handedOn = true;
    passed = { from, to: passOn(from, { call, done: finish, hides: reader.hides, left }) };
    return passed.to;
  };
  if (response.body instanceof ReadableStream) set('body', { get: body });
};

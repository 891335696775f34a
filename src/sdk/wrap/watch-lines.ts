type Bytes = Uint8Array<ArrayBuffer>;
type Take = (lines: readonly string[]) => Promise<void>;

/** An exception of the SDK must not reach the caller, who reads the same body. */
const guard =
  (take: Take): Take =>
  (lines) =>
    take(lines).catch(() => {});

/** Splits text that comes in parts into lines; call it without bytes at the end. */
const createSplitter = (): ((bytes?: Bytes) => string[]) => {
  const decoder = new TextDecoder();
  let rest = '';
  return (bytes) => {
    rest += bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
    const lines = rest.split('\n');
    rest = bytes === undefined ? '' : (lines.pop() ?? '');
    return lines;
  };
};

/** Passes on a body as it is read, and its lines before the bytes that end them. */
const passOn = (body: ReadableStream<Bytes>, take: Take): ReadableStream<Bytes> => {
  const from = body.getReader();
  const split = createSplitter();
  return new ReadableStream(
    {
      async pull(to) {
        try {
          const { done, value } = await from.read();
          await take(split(value));
          if (done) to.close();
          else to.enqueue(value);
        } catch (error) {
          to.error(error);
        }
      },
      cancel: (reason) => from.cancel(reason),
    },
    { highWaterMark: 0 },
  );
};

/** Hands over the lines of a response while the caller reads it, however it is read. The object stays the same. */
export const watchLines = (response: Response, given: Take): void => {
  const take = guard(given);
  const cover = <T>(
    name: 'text' | 'arrayBuffer' | 'bytes' | 'blob',
    textOf: (value: T) => string | Promise<string>,
  ): void => {
    const read = (response as unknown as Record<string, unknown>)[name];
    if (typeof read !== 'function') return;
    const value = async (): Promise<T> => {
      const got = (await read.call(response)) as T;
      await take((await textOf(got)).split('\n'));
      return got;
    };
    Object.defineProperty(response, name, { value, configurable: true, writable: true });
  };
  cover<string>('text', (text) => text);
  cover<ArrayBuffer>('arrayBuffer', (bytes) => new TextDecoder().decode(bytes));
  cover<Uint8Array>('bytes', (bytes) => new TextDecoder().decode(bytes));
  cover<Blob>('blob', (blob) => blob.text());
  const own = response.body;
  if (!(own instanceof ReadableStream)) return;
  let body: ReadableStream | undefined;
  const get = (): ReadableStream => {
    // If the caller is already reading the body, leave it alone.
    body ??= own.locked ? own : passOn(own, take);
    return body;
  };
  Object.defineProperty(response, 'body', { configurable: true, get });
};

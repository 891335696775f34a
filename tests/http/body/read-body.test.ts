import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { crc32, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { AppError } from '../../../src/errors.ts';
import { ingestEndpoint } from '../../../src/features/ingest/contract.ts';
import type { BodyLimits } from '../../../src/http/body/body-limits.ts';
import { inflateAtOnce } from '../../../src/http/body/inflate-body.ts';
import { readBody } from '../../../src/http/body/read-body.ts';

const MB = 1_048_576;
const INGEST_BODY_LIMITS = ingestEndpoint.bodyLimits;
const limits: BodyLimits = { maxCompressed: 1000, maxRaw: 5000, encodings: ['gzip', 'deflate'] };
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const hello = bytes('hello\n');
const join = (...parts: Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));
/** Bytes that do not compress. */
const noise = (length: number): Uint8Array => {
  const out = new Uint8Array(length);
  for (let at = 0; at < length; at += 65_536) crypto.getRandomValues(out.subarray(at, at + 65_536));
  return out;
};

type Sent = { status: number; text: string };

/** The body that is read, or the error, as `status message`. */
const read = async (
  body: Uint8Array | ReadableStream | null,
  headers: Record<string, string> = {},
  within: BodyLimits = limits,
): Promise<Sent> => {
  const request = new Request('http://localhost/', { method: 'POST', body, headers });
  try {
    return { status: 200, text: Buffer.from(await readBody(request, within)).toString('latin1') };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { status: error.status, text: error.message };
  }
};
const ok = (text: string): Sent => ({ status: 200, text });
const gzip = { 'content-encoding': 'gzip' };
const flip = (source: Uint8Array, at: number): Uint8Array => {
  const copy = Uint8Array.from(source);
  const index = at < 0 ? copy.length + at : at;
  copy[index] = (copy[index] ?? 0) ^ 1;
  return copy;
};

describe('readBody', () => {
  const zipped = new Uint8Array(gzipSync(hello));
  const notGzip = 'The body is not gzip, though Content-Encoding says so';
  const truncated = 'The gzip body is truncated';
  const damaged = 'The gzip body is damaged: its checksum is wrong';
  const trailing = 'The gzip body is followed by bytes that are not part of it';
  const known = 'Content-Encoding must be one of gzip, deflate, identity';

  test.each<[string, Uint8Array | null, Record<string, string>, Sent]>([
    ['plain text', hello, {}, ok('hello\n')],
    ['identity', hello, { 'content-encoding': 'identity' }, ok('hello\n')],
    ['no body', null, {}, ok('')],
    ['an empty body', new Uint8Array(0), {}, ok('')],
    ['gzip that is stated', zipped, gzip, ok('hello\n')],
    ['gzip in capitals', zipped, { 'content-encoding': ' GZip ' }, ok('hello\n')],
    ['x-gzip', zipped, { 'content-encoding': 'x-gzip' }, ok('hello\n')],
    ['gzip that is not stated', zipped, {}, ok('hello\n')],
    ['gzip of nothing', gzipSync(''), gzip, ok('')],
    ['three gzip members', join(zipped, gzipSync(''), zipped), gzip, ok('hello\nhello\n')],
    ['deflate', deflateSync(hello), { 'content-encoding': 'deflate' }, ok('hello\n')],
    ['deflate without its header', deflateRawSync(hello), { 'content-encoding': 'deflate' }, ok('hello\n')],
    ['brotli', hello, { 'content-encoding': 'br' }, { status: 415, text: known }],
    ['two encodings', zipped, { 'content-encoding': 'gzip, gzip' }, { status: 415, text: known }],
    ['text said to be gzip', hello, gzip, { status: 400, text: notGzip }],
    ['deflate said to be gzip', deflateSync(hello), gzip, { status: 400, text: notGzip }],
    ['nothing said to be gzip', new Uint8Array(0), gzip, { status: 400, text: truncated }],
    ['gzip magic alone', zipped.subarray(0, 2), {}, { status: 400, text: truncated }],
    ['gzip without its last byte', zipped.subarray(0, -1), gzip, { status: 400, text: truncated }],
    ['a second member cut off', join(zipped, zipped.subarray(0, -9)), gzip, { status: 400, text: truncated }],
    ['a wrong CRC', flip(zipped, -8), gzip, { status: 400, text: damaged }],
    ['a wrong length', flip(zipped, -1), gzip, { status: 400, text: damaged }],
    [
      'a wrong CRC in the second member',
      join(zipped, flip(zipped, -8)),
      gzip,
      { status: 400, text: damaged },
    ],
    ['an unknown method', flip(zipped, 2), gzip, { status: 400, text: 'The gzip body is damaged' }],
    ['text after the end', join(zipped, hello), gzip, { status: 400, text: trailing }],
    ['zeros after the end', join(zipped, new Uint8Array(8)), gzip, { status: 400, text: trailing }],
    ['one byte after the end', join(zipped, new Uint8Array(1)), gzip, { status: 400, text: trailing }],
    [
      'bytes after deflate',
      join(deflateSync(hello), hello),
      { 'content-encoding': 'deflate' },
      { status: 400, text: 'The deflate body is followed by bytes that are not part of it' },
    ],
  ])('answers %s', async (_, body, headers, expected) => {
    expect(await read(body, headers)).toEqual(expected);
  });

  test('names the accepted encodings in the message and in a header', async () => {
    const request = new Request('http://localhost/', {
      method: 'POST',
      body: 'x',
      headers: { 'content-encoding': 'zstd' },
    });
    const error = await readBody(request, { ...limits, encodings: ['gzip'] }).catch((e: unknown) => e);
    expect(error).toMatchObject({ status: 415, headers: { 'Accept-Encoding': 'gzip, identity' } });
  });

  test('without gzip among the encodings, gzip is read as it is', async () => {
    expect((await read(zipped, {}, { ...limits, encodings: [] })).text.length).toBe(zipped.length);
  });

  test.each<[string, Uint8Array, Sent]>([
    ['plain at the limit', new Uint8Array(5000), ok('\0'.repeat(5000))],
    [
      'plain over it',
      new Uint8Array(5001),
      { status: 413, text: 'The body is over the limit of 5000 bytes' },
    ],
    ['gzip that fills the limit', gzipSync(new Uint8Array(5000)), ok('\0'.repeat(5000))],
    [
      'gzip that inflates over it',
      gzipSync(new Uint8Array(5001)),
      { status: 413, text: 'The decompressed body is over the limit of 5000 bytes' },
    ],
    [
      'members that only together inflate over it',
      join(gzipSync(new Uint8Array(2500)), gzipSync(new Uint8Array(2501))),
      { status: 413, text: 'The decompressed body is over the limit of 5000 bytes' },
    ],
    [
      'gzip that is too long as it is sent',
      gzipSync(noise(1100)),
      { status: 413, text: 'The compressed body is over the limit of 1000 bytes' },
    ],
  ])('holds to the limits: %s', async (_, body, expected) => {
    const length = { 'content-length': String(body.length) };
    expect(await read(body)).toEqual(expected);
    expect(await read(body, length)).toEqual(expected);
    expect(await read(new Blob([new Uint8Array(body)]).stream(), {})).toEqual(expected);
  });

  test('refuses by a declared length without reading', async () => {
    let pulled = 0;
    const body = new ReadableStream({ pull: () => void pulled++ }, { highWaterMark: 0 });
    expect((await read(body, { 'content-length': '5001' })).status).toBe(413);
    expect(pulled).toBe(0);
  });

  test('decompresses on the serving thread only what is small', () => {
    const open = { ...limits, maxRaw: 10 * MB };
    const zeros = (length: number) => ({ bytes: gzipSync(new Uint8Array(length)), coding: 'gzip' as const });
    expect(inflateAtOnce(zeros(100_000), open)?.length).toBe(100_000);
    expect(inflateAtOnce(zeros(200_000), open)).toBeNull();
    expect(inflateAtOnce(zeros(10 * MB + 1), open)).toBeNull();
    expect(inflateAtOnce({ bytes: gzipSync(noise(40_000)), coding: 'gzip' }, open)).toBeNull();
    expect(inflateAtOnce({ bytes: new Uint8Array(200_000), coding: null }, open)).toBeNull();
  });

  test('stops reading an endless stream at the limit, and earlier if it starts like gzip', async () => {
    for (const [start, most] of [
      [[120, 120], 5000],
      [[0x1f, 0x8b], 1000],
    ] as const) {
      let sent = 0;
      let cancelled = false;
      const body = new ReadableStream({
        pull(controller) {
          const chunk = new Uint8Array(100);
          chunk.set(start);
          sent += chunk.length;
          controller.enqueue(chunk);
        },
        cancel: () => {
          cancelled = true;
        },
      });
      expect((await read(body)).status).toBe(413);
      expect(sent).toBeLessThanOrEqual(most + 300);
      expect(cancelled).toBe(true);
    }
  });

  test('a body that ends early is a bad request', async () => {
    const body = new ReadableStream({ pull: (controller) => controller.error(new Error('gone')) });
    expect(await read(body)).toEqual({ status: 400, text: 'The body ended early' });
  });

  test('reads back whatever is compressed, in one member or several, in any chunks', async () => {
    const part = fc.uint8Array({ maxLength: 300 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(part, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 50 }),
        async (parts, size) => {
          const body = join(...parts.map((data) => gzipSync(data)));
          const stream = new ReadableStream({
            start(controller) {
              for (let at = 0; at < body.length; at += size) controller.enqueue(body.slice(at, at + size));
              controller.close();
            },
          });
          expect(await read(stream, gzip)).toEqual(ok(Buffer.concat(parts).toString('latin1')));
        },
      ),
    );
  });

  test('no damage to a gzip body goes unnoticed or becomes another kind of error', async () => {
    const whole = new Uint8Array(gzipSync(bytes('the quick brown fox '.repeat(20))));
    const expected = (await read(whole, gzip)).text;
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 0, max: 7 }), async (at, bit) => {
        const body = Uint8Array.from(whole);
        body[at] = (body[at] ?? 0) ^ (1 << bit);
        const result = await read(body, gzip);
        // The header's time, level and system are in no checksum.
        if (result.status === 200) expect(result.text).toBe(expected);
        else expect([400, 413]).toContain(result.status);
        expect(await read(whole.subarray(0, at), gzip)).toMatchObject({ status: 400 });
      }),
      { numRuns: 500 },
    );
  });

  test('inflates a large body off the serving thread to the same bytes', async () => {
    const data = noise(600_000);
    const request = new Request('http://localhost/', { method: 'POST', body: gzipSync(data), headers: gzip });
    expect(crc32(await readBody(request, INGEST_BODY_LIMITS))).toBe(crc32(data));
    const cut = await read(gzipSync(data).subarray(0, -1), gzip, INGEST_BODY_LIMITS);
    expect(cut).toEqual({ status: 400, text: truncated });
    const more = await read(join(gzipSync(data), new Uint8Array(3)), gzip, INGEST_BODY_LIMITS);
    expect(more).toEqual({ status: 400, text: trailing });
  });
});

describe('a gzip bomb', () => {
  const bomb = gzipSync(new Uint8Array(1000 * MB), { level: 9 });
  const members = Buffer.concat(Array(10).fill(gzipSync(new Uint8Array(100 * MB))));
  const small = gzipSync(new Uint8Array(200 * MB));

  test.each([
    ['of 1 MB that would be 1,000 MB', bomb],
    ['in ten members', members],
    ['small enough to be inflated at once', small],
  ])('%s is refused within twice the limit of memory', async (_, body) => {
    expect(body.length).toBeLessThan(MB);
    Bun.gc(true);
    const before = process.memoryUsage.rss();
    for (let run = 0; run < 5; run++) {
      const result = await read(body, gzip, INGEST_BODY_LIMITS);
      expect(result).toEqual({ status: 413, text: 'The decompressed body is over the limit of 10 MB' });
    }
    expect((process.memoryUsage.rss() - before) / MB).toBeLessThan(5 * 20);
  });
});

describe('over a socket', () => {
  let server: ReturnType<typeof Bun.serve>;
  beforeAll(() => {
    server = Bun.serve({
      port: 0,
      fetch: async (request) => {
        const body = await readBody(request, limits).catch((error: unknown) => error);
        if (body instanceof AppError) return new Response(body.message, { status: body.status });
        return body instanceof Uint8Array ? new Response(body.slice()) : new Response(null, { status: 500 });
      },
    });
  });
  afterAll(() => server.stop(true));

  const post = async (
    body: Uint8Array | ReadableStream,
    headers: Record<string, string> = {},
  ): Promise<Sent> => {
    const reply = await fetch(server.url, { method: 'POST', body, headers });
    return { status: reply.status, text: await reply.text() };
  };
  const chunked = (body: Uint8Array): ReadableStream =>
    new ReadableStream({
      async pull(controller) {
        for (let at = 0; at < body.length; at += 7) {
          controller.enqueue(body.slice(at, at + 7));
          // A pause, so that the server receives the body in several parts.
          if (at % 70 === 0) await Bun.sleep(1);
        }
        controller.close();
      },
    });

  test('reads a declared and a chunked body alike', async () => {
    const body = gzipSync('hello '.repeat(100));
    expect(await post(body, gzip)).toEqual(ok('hello '.repeat(100)));
    expect(await post(chunked(body), gzip)).toEqual(ok('hello '.repeat(100)));
    expect(await post(chunked(body))).toEqual(ok('hello '.repeat(100)));
  });

  test('answers 413 to a chunked body that never ends', async () => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const socket = connect(server.port ?? 0, server.hostname);
    let timer: ReturnType<typeof setInterval> | undefined;
    socket.on('connect', () => {
      socket.write('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
      // The sender's pace: it goes on for as long as nobody replies.
      timer = setInterval(() => socket.write(`3e8\r\n${'x'.repeat(1000)}\r\n`), 5);
    });
    socket.on('data', (data) => resolve(data.toString()));
    socket.on('error', reject);
    const reply = await promise;
    clearInterval(timer);
    socket.destroy();
    expect(reply).toStartWith('HTTP/1.1 413');
  });
});

import { describe, expect, test } from 'bun:test';
import { readFailure } from '../../src/sdk/failure.ts';
import { judge } from '../../src/sdk/send/reply.ts';
import { backoff, retryAfter } from '../../src/sdk/send/retry.ts';
import { isSampled, traceFraction } from '../../src/sdk/send/sample.ts';

describe('waiting', () => {
  test('doubles from a second to half a minute, half of it random', () => {
    expect([1, 2, 3, 6, 50].map((failures) => backoff(failures, () => 0))).toEqual([
      500, 1_000, 2_000, 15_000, 15_000,
    ]);
    expect([1, 2, 3, 6, 50].map((failures) => backoff(failures, () => 1))).toEqual([
      1_000, 2_000, 4_000, 30_000, 30_000,
    ]);
  });

  test('Retry-After is seconds or a date, at most an hour', () => {
    const now = Date.UTC(2026, 0, 1);
    const given = [
      '2',
      ' 0 ',
      new Date(now + 5_000).toUTCString(),
      new Date(now - 5_000).toUTCString(),
      '1209600',
      'soon',
      '',
      null,
    ];
    expect(given.map((header) => retryAfter(header, now))).toEqual([
      2_000,
      0,
      5_000,
      0,
      3_600_000,
      null,
      null,
      null,
    ]);
  });

  test('each status has one meaning', () => {
    const kinds = [200, 202, 204, 301, 400, 401, 403, 404, 408, 413, 429, 500, 502, 503, 504].map(
      (status) => {
        const { kind } = judge({ status, retryAfter: null, etag: null, body: null }, 2, 1);
        return `${status} ${kind}`;
      },
    );
    expect(kinds).toEqual([
      '200 again',
      '202 again',
      '204 again',
      '301 refused',
      '400 refused',
      '401 unauthorized',
      '403 refused',
      '404 refused',
      '408 again',
      '413 split',
      '429 again',
      '500 again',
      '502 again',
      '503 again',
      '504 again',
    ]);
    // Only a receipt says that events are stored, and not the page of a proxy.
    const receipt = { accepted: 2, duplicates: 0, rejected: [], configVersion: 1 };
    expect(judge({ status: 202, retryAfter: null, etag: null, body: receipt }, 2, 1).kind).toBe('stored');
    expect(judge({ status: 413, retryAfter: null, etag: null, body: null }, 1, 1).kind).toBe('refused');
    expect(judge({ status: null, reason: 'ECONNRESET' }, 1, 1).kind).toBe('again');
  });
});

test('a sample has whole traces and the requested size, and contains every smaller sample', () => {
  const ids = Array.from({ length: 20_000 }, () => crypto.randomUUID().replaceAll('-', ''));
  for (const rate of [0.01, 0.3, 0.9]) {
    const share = ids.filter((id) => isSampled(id, rate)).length / ids.length;
    expect(Math.abs(share - rate)).toBeLessThan(0.02);
  }
  expect(ids.every((id) => isSampled(id, 1) && !isSampled(id, 0))).toBe(true);
  expect(ids.every((id) => !isSampled(id, 0.1) || isSampled(id, 0.2))).toBe(true);
  // This value must stay the same in every version, process and other client.
  expect(traceFraction('0af7651916cd43dd8448eb211c80319c')).toBeCloseTo(0.07976333, 8);
});

test('any thrown value is classified', () => {
  const thrown: [unknown, string, string][] = [
    [
      Object.assign(new Error('x'), { status: 429, code: 'insufficient_quota' }),
      'rate_limited',
      'insufficient_quota',
    ],
    [Object.assign(new Error('x'), { status: 500 }), 'error', '500'],
    [Object.assign(new Error('x'), { statusCode: 504 }), 'timeout', '504'],
    [
      Object.assign(new Error('x'), { lastError: Object.assign(new Error('y'), { statusCode: 429 }) }),
      'rate_limited',
      '429',
    ],
    [new DOMException('The operation was aborted.', 'AbortError'), 'cancelled', 'AbortError'],
    [new DOMException('The operation timed out.', 'TimeoutError'), 'timeout', 'TimeoutError'],
    [new TypeError('fetch failed'), 'error', 'TypeError'],
    [new Error('Request timed out.'), 'timeout', 'Error'],
    ['text', 'error', 'Error'],
    [undefined, 'error', 'Error'],
    [
      new Proxy(
        {},
        {
          get: () => {
            throw new Error('no');
          },
        },
      ),
      'error',
      'Error',
    ],
  ];
  expect(
    thrown.map(([error]) => readFailure(error)).map(({ status, error_code }) => [status, error_code]),
  ).toEqual(thrown.map(([, status, code]) => [status, code]));
});

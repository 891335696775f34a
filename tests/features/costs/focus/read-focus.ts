import { expect } from 'bun:test';
import { parse } from 'csv-parse/sync';
import type { Tenant, TestApp } from '../../../helpers/app.ts';
import type { Row } from './check-focus.ts';

/** A month's dataset as the API answers it. */
export const askFocus = (
  world: TestApp,
  { organizationId, bearer }: Pick<Tenant, 'organizationId' | 'bearer'>,
  { month, format }: { readonly month: string; readonly format: string },
): Promise<Response> =>
  world.fetch(`/v1/organizations/${organizationId}/focus?month=${month}&format=${format}`, { bearer });

/** The rows of its CSV. */
export async function readFocus(
  world: TestApp,
  tenant: Pick<Tenant, 'organizationId' | 'bearer'>,
  month: string,
): Promise<{ names: string[]; rows: Row[] }> {
  const response = await askFocus(world, tenant, { month, format: 'csv' });
  expect(response.status).toBe(200);
  const [names = [], ...cells] = parse(await response.text()) as string[][];
  const rows = cells.map((row) =>
    Object.fromEntries(names.map((name, i) => [name, row[i] === '' ? null : (row[i] ?? null)])),
  );
  return { names, rows };
}

/** Nano-dollars of an amount in digits, exactly. */
export function nanoOf(text: string | null): bigint {
  const [, sign, whole, fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text ?? '') ?? [];
  if (whole === undefined || fraction.length > 9) throw new Error(`${text} is no amount in nano-dollars`);
  const size = BigInt(whole) * 1_000_000_000n + BigInt(fraction.padEnd(9, '0'));
  return sign === '-' ? -size : size;
}

/** The sum of what rows bill, in nano-dollars. */
export const billedOf = (rows: readonly Row[]): bigint =>
  rows.reduce((sum, row) => sum + nanoOf(row.BilledCost ?? null), 0n);

/** Sums of nano-dollars by a text. */
export function sums<T>(
  of: readonly T[],
  key: (one: T) => string,
  nano: (one: T) => bigint,
): Map<string, bigint> {
  const found = new Map<string, bigint>();
  for (const one of of) found.set(key(one), (found.get(key(one)) ?? 0n) + nano(one));
  return new Map([...found].filter(([, sum]) => sum !== 0n).sort(([a], [b]) => (a < b ? -1 : 1)));
}

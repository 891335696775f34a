import { expect } from 'bun:test';
import type { Alert, AlertDraft } from '../../../src/features/alerts/contract.ts';
import type { TestApp } from '../../helpers/app.ts';

/** A rule that fires above 5 percent errors. */
export const ERRORS: AlertDraft = {
  name: 'Errors',
  measure: 'errorRate',
  window: '5m',
  condition: { kind: 'threshold', operator: 'gt', warning: 0.2, critical: 0.5 },
};

type Reply<T> = { readonly status: number; readonly body: T };

/** A request to a route of a project, as its owner unless another bearer is given. */
export async function ask<T = { readonly error?: string }>(
  { fetch, seed }: TestApp,
  method: string,
  path: string,
  json?: unknown,
  bearer = seed.bearer,
): Promise<Reply<T>> {
  const response = await fetch(`/v1/${path}${path.includes('?') ? '&' : '?'}projectId=${seed.projectId}`, {
    method,
    bearer,
    ...(json === undefined ? {} : { json }),
  });
  const text = await response.text();
  return { status: response.status, body: (text === '' ? null : JSON.parse(text)) as Reply<T>['body'] };
}

/** Creates an alert; fails the test if that is refused. */
export async function make(world: TestApp, draft: Partial<AlertDraft> = {}): Promise<Alert> {
  const { status, body } = await ask<Alert>(world, 'POST', 'alerts', { ...ERRORS, ...draft });
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
}

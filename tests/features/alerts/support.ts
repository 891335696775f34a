import { expect } from 'bun:test';
import { runJob } from '../../../src/core/jobs/index.ts';
import type { Alert, AlertDraft, AlertHistory } from '../../../src/features/alerts/contract.ts';
import { evaluateAlerts } from '../../../src/features/alerts/evaluate/jobs.ts';
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
/** Changes of an alert, oldest first. */
export async function historyOf(world: TestApp, id: string): Promise<AlertHistory['history']> {
  const { body } = await ask<{ history: AlertHistory['history'] }>(
    world,
    'GET',
    `alerts/${id}/history?limit=200`,
  );
  return body.history.toReversed();
}

/** Judges up to the clock, as the job does each minute. */
export const evaluate = (world: TestApp) => runJob(world.ctx, evaluateAlerts, 'schedule');

/** Lets minutes pass, judging each. */
export async function pass(world: TestApp, minutes: number): Promise<void> {
  for (let i = 0; i < minutes; i++) {
    world.clock.advance(60_000);
    expect((await evaluate(world)).status).toBe('ok');
  }
}

/** Sends calls at a time, in epoch milliseconds, by default now. */
export async function calls(
  world: TestApp,
  count: number,
  fields: object = {},
  ts = world.clock.now(),
): Promise<void> {
  const events = Array.from({ length: count }, () => ({
    provider: 'openai',
    model: 'gpt-4o',
    status: 'success',
    input_tokens: 10,
    output_tokens: 10,
    latency_ms: 100,
    timestamp: new Date(ts).toISOString(),
    ...fields,
  }));
  const response = await world.fetch('/v1/ingest', { apiKey: world.seed.apiKey, events });
  expect(response.status).toBe(202);
}

import { JsonText } from '../lib/json-text.ts';

/** A reply that is not a plain 200 with JSON: handlers return it, `toResponse` writes it. */
export class Reply<T = unknown> {
  readonly status: number;
  readonly body: T;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, body: T, headers: Readonly<Record<string, string>> = {}) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** What a handler may return for JSON of type `T`. */
export type Result<T> = T | JsonText<T> | Reply<T | JsonText<T>> | Response;

/** The one place that turns what a handler returned into a Response. */
export function toResponse(result: unknown): Response {
  if (result instanceof Response) return result;
  if (result instanceof Reply) return jsonResponse(result.status, result.body, result.headers);
  return jsonResponse(200, result, {});
}

function jsonResponse(status: number, body: unknown, headers: Readonly<Record<string, string>>): Response {
  if (body === null || body === undefined) return new Response(null, { status, headers });
  const text = body instanceof JsonText ? body.text : JSON.stringify(body);
  return new Response(text, { status, headers: { 'Content-Type': 'application/json', ...headers } });
}

/** What the body of a response is: texts in JSON, one text, a stream of pieces, or bytes such as sound. */
export function bodyKind({ headers }: Response): 'json' | 'text' | 'stream' | 'bytes' {
  const type = headers.get('content-type') ?? 'application/json';
  if (/event-stream|ndjson|jsonl/i.test(type)) return 'stream';
  if (/json/i.test(type)) return 'json';
  return /^(?:text\/|application\/x-subrip)/i.test(type) ? 'text' : 'bytes';
}

/** The value of a JSON text; undefined if it is none. */
export function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** A response with another body, or with none. */
export function withBody(response: Response, body: string | null): Response {
  const headers = new Headers(response.headers);
  for (const name of ['content-length', 'content-encoding']) headers.delete(name);
  const { status, statusText, url } = response;
  const copy = new Response(body, { status, statusText, headers });
  return Object.defineProperty(copy, 'url', { value: url });
}

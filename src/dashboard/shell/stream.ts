import type { Endpoint } from '../../http/endpoint.ts';
import { type Handle, pathOf, type Sent } from './endpoint.ts';
import { request } from './request.ts';

/**
 * Calls an endpoint that replies with server-sent events, and gives the JSON of each.
 * @throws ApiError for a refusal, and what the signal has as its reason
 */
export async function streamed<E extends Endpoint, Part>(
  { method, path }: Handle<E>,
  { params, query, body, signal }: Sent<E> & { readonly signal: AbortSignal },
  onPart: (part: Part) => void,
): Promise<void> {
  const response = await request(pathOf(path, params), { method, params: query ?? {}, body, signal });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (let next = await reader?.read(); next?.done === false; next = await reader?.read()) {
    const events = (text + next.value).split('\n\n');
    text = events.pop() ?? '';
    for (const event of events)
      if (event.startsWith('data: ')) onPart(JSON.parse(event.slice('data: '.length)) as Part);
  }
}

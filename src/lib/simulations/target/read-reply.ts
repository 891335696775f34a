import type { ReplyMapping, Target, ToolCall } from '../definition.ts';
import { readStream } from './read-stream.ts';

/** A reply of HTTP. */
export type HttpReply = {
  readonly status: number;
  readonly contentType: string;
  /** Of the header `traceparent` or `x-trace-id`; null without one. */
  readonly traceId: string | null;
  readonly text: string;
};

/** What a target said, or why it cannot be read. */
export type Read = {
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  readonly costUsd: number | null;
  readonly traceId: string | null;
  readonly error: string | null;
};

/** Longest answer that is kept and checked. */
export const MAX_ANSWER = 50_000;
const SHOWN = 200;

const OPENAI: ReplyMapping = {
  text: 'choices.0.message.content',
  delta: 'choices.0.delta.content',
  toolCalls: 'choices.0.message.tool_calls',
  toolName: 'function.name',
  toolArguments: 'function.arguments',
  costUsd: 'usage.cost',
};
const TEXTS = [
  'text',
  'answer',
  'reply',
  'message',
  'output',
  'content',
  'response',
  'choices.0.message.content',
];
const CALLS = ['toolCalls', 'tool_calls', 'choices.0.message.tool_calls'];
const DELTAS = ['delta', 'text', 'content', 'choices.0.delta.content', 'delta.text'];

/** The value at a path such as `choices.0.message` or `items[2].name`; undefined without one. */
export function valueAt(value: unknown, path: string): unknown {
  let found = value;
  for (const step of path.replaceAll(/\[(\d+)\]/g, '.$1').split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined;
    found = (found as Record<string, unknown>)[step];
  }
  return found;
}

const firstOf = <T>(
  value: unknown,
  paths: readonly string[],
  is: (one: unknown) => one is T,
): T | undefined => paths.map((path) => valueAt(value, path)).find(is);
const isText = (value: unknown): value is string => typeof value === 'string';
const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/** Reads what a target answered: JSON, or a stream of events or of JSON lines. */
export function readReply(target: Extract<Target, { readonly url: string }>, reply: HttpReply): Read {
  const nothing: Read = { text: '', toolCalls: [], costUsd: null, traceId: reply.traceId, error: null };
  const mapping = target.kind === 'openai' ? OPENAI : (target.reply ?? {});
  const shown = reply.text.slice(0, SHOWN);
  if (reply.status < 200 || reply.status >= 300)
    return { ...nothing, error: `The target answered ${reply.status}${shown === '' ? '' : `: ${shown}`}` };
  if (/event-stream|ndjson|jsonl/.test(reply.contentType)) {
    const paths = mapping.delta === undefined ? DELTAS : [mapping.delta];
    const streamed = readStream(reply.text, (event) => firstOf(event, paths, isText));
    if (streamed.error !== null) return { ...nothing, error: streamed.error };
    const body =
      streamed.events.findLast((event) => costOf(event, mapping) !== null) ?? streamed.events.at(-1);
    const calls = [...streamed.toolCalls, ...streamed.events.flatMap((event) => callsOf(event, mapping))];
    return { ...nothing, ...partsOf(body, mapping, reply), text: cut(streamed.text), toolCalls: calls };
  }
  const body = parseJson(reply.text);
  if (body === undefined)
    return /^text\/plain/.test(reply.contentType) && target.kind === 'http'
      ? { ...nothing, text: cut(reply.text) }
      : { ...nothing, error: `The reply is not JSON: ${shown}` };
  const text = textIn(body, mapping);
  const toolCalls = callsOf(body, mapping);
  if (text === undefined && toolCalls.length === 0)
    return { ...nothing, error: `${missing(mapping)}: ${shown}` };
  return { ...nothing, ...partsOf(body, mapping, reply), text: cut(text ?? ''), toolCalls };
}

const missing = ({ text }: ReplyMapping): string =>
  text === undefined
    ? 'The reply has no text; name its path in reply.text'
    : `The reply has no text at ${text}`;

function textIn(body: unknown, { text: path }: ReplyMapping): string | undefined {
  if (path === undefined) return isText(body) ? body : firstOf(body, TEXTS, isText);
  const found = valueAt(body, path);
  if (found === undefined || found === null) return undefined;
  return isText(found) ? found : JSON.stringify(found);
}

const partsOf = (
  body: unknown,
  mapping: ReplyMapping,
  { traceId }: HttpReply,
): Pick<Read, 'costUsd' | 'traceId'> => {
  const told = valueAt(body, mapping.traceId ?? 'traceId');
  return { costUsd: costOf(body, mapping), traceId: isText(told) ? told.slice(0, 128) : traceId };
};

function costOf(body: unknown, { costUsd: path = 'costUsd' }: ReplyMapping): number | null {
  const found = valueAt(body, path);
  return typeof found === 'number' && Number.isFinite(found) && found >= 0 && found < 1e6 ? found : null;
}

function callsOf(body: unknown, { toolCalls: path, toolName, toolArguments }: ReplyMapping): ToolCall[] {
  const list = firstOf(body, path === undefined ? CALLS : [path], isList) ?? [];
  return list.slice(0, 100).flatMap((call): ToolCall[] => {
    const name = firstOf(
      call,
      toolName === undefined ? ['name', 'function.name', 'tool'] : [toolName],
      isText,
    );
    if (name === undefined) return [];
    const paths =
      toolArguments === undefined ? ['arguments', 'function.arguments', 'args', 'input'] : [toolArguments];
    const given = paths.map((one) => valueAt(call, one)).find((one) => one !== undefined);
    const id = valueAt(call, 'id');
    return [
      {
        name,
        arguments: isText(given) ? (parseJson(given) ?? given) : (given ?? {}),
        ...(isText(id) && { id }),
      },
    ];
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const cut = (text: string): string =>
  text.length > MAX_ANSWER ? `${text.slice(0, MAX_ANSWER)} … cut` : text;

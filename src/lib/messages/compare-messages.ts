import type { Message, ToolCall, ToolResult } from './message.ts';

const keyOf = ({ role, parts }: Message): string =>
  JSON.stringify([role, parts.filter(({ kind }) => kind !== 'reasoning')]);

/**
 * Which messages of a call were not said before: those that do not follow, in the same order, among the messages of
 * an earlier call and its answer. Reasoning is left out of the comparison, because providers do not take it back. A
 * history that was shortened at its beginning is recognised.
 * @param before input and output of the earlier call
 * @returns true at the place of each new message
 */
export function newMessages(before: readonly Message[], now: readonly Message[]): boolean[] {
  const places = new Map<string, number[]>();
  for (const [place, message] of before.entries()) {
    const key = keyOf(message);
    const known = places.get(key);
    if (known === undefined) places.set(key, [place]);
    else known.push(place);
  }
  let next = 0;
  return now.map((message) => {
    const found = places.get(keyOf(message))?.find((place) => place >= next);
    if (found === undefined) return true;
    next = found + 1;
    return false;
  });
}

/** Where no earlier call is known: all up to the last answer of the model was said before. */
export function afterLastAnswer(now: readonly Message[]): boolean[] {
  const last = now.findLastIndex(({ role }) => role === 'assistant');
  return now.map((_, place) => place > last);
}

/** Which result belongs to which tool call. */
export type ToolPairs = {
  readonly resultOf: ReadonlyMap<ToolCall, ToolResult>;
  readonly callOf: ReadonlyMap<ToolResult, ToolCall>;
};

/**
 * Pairs tool calls with the results that follow them: by id, and where ids are missing by name, else in order. A call
 * has one result.
 */
export function pairTools(messages: readonly Message[]): ToolPairs {
  const resultOf = new Map<ToolCall, ToolResult>();
  const callOf = new Map<ToolResult, ToolCall>();
  const waiting = new Set<ToolCall>();
  for (const part of messages.flatMap(({ parts }) => parts)) {
    if (part.kind === 'call') waiting.add(part);
    if (part.kind !== 'result') continue;
    const call = callFor(part, [...waiting]);
    if (call === undefined) continue;
    waiting.delete(call);
    resultOf.set(call, part);
    callOf.set(part, call);
  }
  return { resultOf, callOf };
}

function callFor({ id, name }: ToolResult, waiting: readonly ToolCall[]): ToolCall | undefined {
  const same = waiting.find((call) => id !== null && call.id === id);
  if (same !== undefined) return same;
  const unnamed = waiting.filter((call) => call.id === null || id === null);
  return unnamed.find((call) => call.name === name) ?? (name === null ? unnamed[0] : undefined);
}

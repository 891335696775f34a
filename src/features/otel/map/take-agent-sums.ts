import type { ParsedEvent } from '../../../core/events/index.ts';
import { toTokens } from '../read/source.ts';
import type { Span } from '../read/span.ts';
import { isCallKind } from './kind-of.ts';
import type { Links } from './link-spans.ts';

const SCOPE = '@voltagent/core';
/**
 * VoltAgent makes one span for all calls of a tool's loop, with the tokens of the last call; the agent's span has the
 * sum. A call that is the only one of its agent therefore gets the agent's sum.
 */
export function takeAgentSums(spans: readonly Span[], events: ParsedEvent[], { parents }: Links): void {
  if (!spans.some(({ scope }) => scope.name === SCOPE)) return;
  const calls = Map.groupBy(events.keys(), (place) => {
    const event = events[place];
    return event !== undefined && isCallKind(event.kind) ? (parents[place] ?? -1) : -1;
  });
  for (const [agent, [only = -1, ...others]] of calls) {
    const [span, call] = [spans[agent], events[only]];
    if (span?.scope.name !== SCOPE || call === undefined || others.length > 0) continue;
    const sum = (name: string, own: number): number => toTokens(span.attributes.get(`usage.${name}`)) ?? own;
    const input_tokens = sum('prompt_tokens', call.input_tokens);
    if (input_tokens <= call.input_tokens) continue;
    events[only] = {
      ...call,
      input_tokens,
      output_tokens: sum('completion_tokens', call.output_tokens),
      cached_input_tokens: sum('cached_tokens', call.cached_input_tokens),
      reasoning_tokens: sum('reasoning_tokens', call.reasoning_tokens),
    };
  }
}

import type { EventKind } from '../../../core/events/contract.ts';
import { readField } from '../read/source.ts';
import type { Span } from '../read/span.ts';
import { KINDS, NAMES_ITS_CALLS } from './kinds.ts';
import { MODEL, PROVIDER, TOKENS, USAGE_DETAILS } from './mapping.ts';

/** The kind of a span, and the attribute that states it; `by` is null if none does. */
export type Kind = { readonly kind: EventKind; readonly by: string | null };

/** Whether a kind is a model call, which costs money. */
export const isCallKind = (kind: EventKind): boolean => kind === 'llm' || kind === 'embedding';

/**
 * The kind that a span states in one of the dialects. A span that states none is a call if it has at least two of
 * provider, model and tokens; otherwise it is a plain span.
 */
export function kindOf(span: Span): Kind {
  let unknown: string | null = null;
  for (const { attribute, shared, values } of KINDS) {
    const value = span.attributes.get(attribute);
    if (typeof value !== 'string') continue;
    if (shared !== true) unknown ??= attribute;
    const name = value.toLowerCase();
    const kind = Object.hasOwn(values, name) ? values[name] : undefined;
    if (kind !== undefined) return { kind: kind === 'llm' ? callKind(span) : kind, by: attribute };
  }
  return unknown === null ? { kind: unstatedKind(span), by: null } : { kind: 'span', by: unknown };
}

/** Some clients call each request to a model an LLM's, also those for embeddings (Bedrock's InvokeModel). */
const callKind = (span: Span): EventKind =>
  /(?:^|[^a-z])embed/i.test(readField(span, MODEL) ?? '') ? 'embedding' : 'llm';

function unstatedKind(span: Span): EventKind {
  const { attributes } = span;
  // Most spans of a trace are not calls, so the table is not consulted for them.
  if (!hasCallAttributes(span) || NAMES_ITS_CALLS.has(span.scope.name)) return 'span';
  const model = readField(span, MODEL);
  const tokens =
    attributes.has(USAGE_DETAILS) ||
    readField(span, TOKENS.input_tokens) !== null ||
    readField(span, TOKENS.output_tokens) !== null;
  const signs = [readField(span, PROVIDER) !== null, model !== null, tokens].filter(Boolean).length;
  if (signs < 2) return 'span';
  return /embed/i.test(span.name) || /embed/i.test(model ?? '') ? 'embedding' : 'llm';
}

function hasCallAttributes(span: Span): boolean {
  for (const name of span.attributes.keys()) {
    if (/^(?:gen_ai|llm|ai|langfuse|langsmith|embedding)\./.test(name)) return true;
  }
  return false;
}

import { useEffect } from 'react';
import type { getEventEndpoint } from '../../core/events/list/contract.ts';
import type { compiledEndpoint } from '../../core/prompts/contract.ts';
import { useApi } from '../../dashboard/shell/api.ts';
import type { ApiError } from '../../dashboard/shell/api-error.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { useScope } from '../../dashboard/shell/scope/scope.ts';
import { readMessages } from '../../lib/messages/read-messages.ts';
import { type Column, type Draft, type DraftMessage, newKey, toDraftMessages } from './draft.ts';
import { settingsOf, toolsAndSchema } from './from-config.ts';

const eventApi = endpointOf<typeof getEventEndpoint>('GET /v1/events/:id');
const compiledApi = endpointOf<typeof compiledEndpoint>('GET /v1/prompts/:name/compiled');

/** What is opened in the playground; `model` as its source names it, without the name of a provider setting. */
export type Loaded = {
  readonly draft: Partial<Draft>;
  readonly model: string | null;
  readonly column: Partial<Column>;
};

/**
 * Opens the stored call or the version of a prompt that the address names, once.
 * @param isWanted whether what it names is not open yet
 */
export function useLoadedDraft(
  onLoad: (loaded: Loaded) => void,
  isWanted: boolean,
): { error: ApiError | null } {
  const { projectId, search } = useScope('playground');
  const { event, at, prompt, version, label } = search;
  const call = useApi(
    eventApi,
    { params: { id: event ?? '' }, query: { projectId, timestamp: at } },
    { enabled: isWanted && event !== undefined },
  );
  const text = useApi(
    compiledApi,
    {
      params: { name: prompt ?? '' },
      query: { projectId, version, label: version === undefined ? label : undefined },
    },
    { enabled: isWanted && prompt !== undefined },
  );
  // Until its own reply is there, a query has that of the address before.
  const reply = event === undefined ? text : call;
  const found = isWanted && !reply.isPlaceholderData ? reply.data : undefined;
  useEffect(() => {
    if (found === undefined) return;
    onLoad('event_id' in found ? fromEvent(found) : fromPrompt(found));
  }, [found, onLoad]);
  return { error: call.error ?? text.error };
}

type StoredCall = NonNullable<ReturnType<typeof useApi<typeof getEventEndpoint>>['data']>;
type Compiled = NonNullable<ReturnType<typeof useApi<typeof compiledEndpoint>>['data']>;

function fromEvent({ input, model, metadata }: StoredCall): Loaded {
  const messages = toDraftMessages(readMessages(input, 'user'));
  const { temperature, max_tokens } = metadata as { temperature?: unknown; max_tokens?: unknown };
  return {
    // Stored text is no template: its braces are shown as they are.
    draft: {
      ...(messages.length > 0 && { messages: messages.map(asTemplate) }),
      prompt: null,
      variables: {},
    },
    model,
    column: {
      ...(typeof temperature === 'number' && { temperature }),
      ...(typeof max_tokens === 'number' && { maxOutputTokens: max_tokens }),
    },
  };
}

const asTemplate = (message: DraftMessage): DraftMessage => ({
  ...message,
  content: message.content.replaceAll('{{', "{{'{{'}}"),
});

function fromPrompt({ name, version, template, messages = [], config }: Compiled): Loaded {
  const said = template === undefined ? messages : [{ role: 'user', content: template }];
  return {
    draft: {
      messages: said.map(({ role, content }) => ({
        key: newKey(),
        role: role === 'user' || role === 'assistant' ? role : 'system',
        content,
      })),
      ...toolsAndSchema(config),
      prompt: { name, version },
    },
    model: config.model ?? null,
    column: settingsOf(config),
  };
}

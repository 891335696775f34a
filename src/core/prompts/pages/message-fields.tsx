import { Button, NativeSelect, Textarea } from '@mantine/core';
import type { JSX } from 'react';
import type { NewVersion } from '../contract.ts';
import type { Draft } from './draft.ts';

const ROLES = ['system', 'developer', 'user', 'assistant', 'tool'];
type Message = NonNullable<NewVersion['messages']>[number];
type Props = { readonly draft: Draft; readonly onChange: (draft: Draft) => void };

/** The text of a prompt, or its messages. */
export function MessageFields({ draft, onChange }: Props): JSX.Element {
  const { type, template, messages } = draft;
  if (type === 'text')
    return (
      <Textarea
        label="Text"
        description="{{name}} is a variable, {{> other@label}} includes another prompt"
        value={template}
        onChange={(event) => onChange({ ...draft, template: event.currentTarget.value })}
        autosize
        minRows={6}
        maxRows={24}
        required
      />
    );
  const set = (place: number, change: Partial<Message>): void =>
    onChange({ ...draft, messages: messages.map((one, i) => (i === place ? { ...one, ...change } : one)) });
  return (
    <>
      {messages.map((message, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a message is its place
        <div key={i} className="form">
          <div className="inline-form">
            <NativeSelect
              size="xs"
              aria-label={`Role of message ${i + 1}`}
              data={ROLES}
              value={message.role}
              onChange={(event) => set(i, { role: event.currentTarget.value as Message['role'] })}
            />
            {messages.length > 1 && (
              <Button
                variant="default"
                size="compact-xs"
                onClick={() => onChange({ ...draft, messages: messages.filter((_, place) => place !== i) })}
              >
                Remove message {i + 1}
              </Button>
            )}
          </div>
          <Textarea
            aria-label={`Text of message ${i + 1}`}
            value={message.content}
            onChange={(event) => set(i, { content: event.currentTarget.value })}
            autosize
            minRows={3}
            maxRows={20}
          />
        </div>
      ))}
      <div>
        <Button
          variant="default"
          size="compact-xs"
          onClick={() => onChange({ ...draft, messages: [...messages, { role: 'user', content: '' }] })}
        >
          Add message
        </Button>
      </div>
    </>
  );
}

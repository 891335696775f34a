import { Button, NativeSelect, Textarea } from '@mantine/core';
import type { JSX } from 'react';
import { type DraftMessage, newKey } from './draft.ts';
import { MessageImages } from './message-images.tsx';
import css from './playground.module.css';

type Props = {
  readonly messages: readonly DraftMessage[];
  readonly onChange: (messages: readonly DraftMessage[]) => void;
};

const ROLES = ['system', 'user', 'assistant'];

/** The messages of the conversation, each with its role and text. */
export function MessageEditor({ messages, onChange }: Props): JSX.Element {
  const set = (key: number, change: Partial<DraftMessage>): void =>
    onChange(messages.map((message) => (message.key === key ? { ...message, ...change } : message)));
  const last = messages.at(-1)?.role;
  return (
    <div className="stack">
      {messages.map((message, place) => (
        <div key={message.key} className={css.message}>
          <div className={css.messageHead}>
            {message.role === 'tool' ? (
              <span className="badge">tool result</span>
            ) : (
              <NativeSelect
                size="xs"
                aria-label={`Role of message ${place + 1}`}
                value={message.role}
                data={ROLES}
                onChange={({ currentTarget }) => {
                  const { toolCalls: _, images: __, ...rest } = message;
                  const role = currentTarget.value as DraftMessage['role'];
                  onChange(messages.map((one) => (one.key === message.key ? { ...rest, role } : one)));
                }}
              />
            )}
            {(message.toolCalls?.length ?? 0) > 0 && (
              <span className="dim">{`calls ${message.toolCalls?.map(({ name }) => name).join(', ')}`}</span>
            )}
            <Button
              size="compact-xs"
              variant="subtle"
              aria-label={`Remove message ${place + 1}`}
              disabled={messages.length === 1}
              onClick={() => onChange(messages.filter(({ key }) => key !== message.key))}
            >
              Remove
            </Button>
          </div>
          <Textarea
            aria-label={`Text of message ${place + 1}`}
            placeholder={message.role === 'system' ? 'Instructions' : 'Text with {{variables}}'}
            autosize
            minRows={2}
            maxRows={16}
            value={message.content}
            onChange={({ currentTarget }) => set(message.key, { content: currentTarget.value })}
          />
          {message.role === 'user' && (
            <MessageImages
              place={place + 1}
              images={message.images ?? []}
              onChange={(images) => {
                const { images: _, ...rest } = message;
                const changed = images === undefined ? rest : { ...rest, images };
                onChange(messages.map((one) => (one.key === message.key ? changed : one)));
              }}
            />
          )}
        </div>
      ))}
      <div>
        <Button
          size="compact-sm"
          variant="default"
          onClick={() =>
            onChange([
              ...messages,
              { key: newKey(), role: last === 'user' ? 'assistant' : 'user', content: '' },
            ])
          }
        >
          Add message
        </Button>
      </div>
    </div>
  );
}

import { Button, Menu } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import type { JSX } from 'react';
import { Icon } from '../../../../dashboard/ui/icons.tsx';
import { conversationText } from '../../../../lib/messages/message-text.ts';
import { readMessages } from '../../../../lib/messages/read-messages.ts';
import { toCurl } from '../../../../lib/messages/to-curl.ts';
import type { StoredEvent } from '../../contract.ts';

/** What is copied is made when it is asked for: a call may hold a megabyte. */
export function CopyMenu({ event }: { event: StoredEvent }): JSX.Element {
  const { copied, copy } = useClipboard({ timeout: 1_500 });
  const isCall = event.kind === 'llm' || event.kind === 'embedding';
  const text = (): string =>
    conversationText([...readMessages(event.input, 'user'), ...readMessages(event.output, 'assistant')]);
  const json = (): string => JSON.stringify({ input: event.input, output: event.output }, null, 2);
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<Icon name={copied ? 'check' : 'copy'} size={13} />}
        >
          {copied ? 'Copied' : 'Copy'}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => copy(text())}>Messages as text</Menu.Item>
        <Menu.Item onClick={() => copy(json())}>Input and output as JSON</Menu.Item>
        {isCall && <Menu.Item onClick={() => copy(toCurl(event))}>Request as cURL</Menu.Item>}
        <Menu.Item onClick={() => copy(JSON.stringify(event, null, 2))}>Whole event as JSON</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

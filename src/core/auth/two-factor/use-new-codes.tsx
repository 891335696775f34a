import { Button, Group } from '@mantine/core';
import { type JSX, useState } from 'react';
import { CopyText } from '../../../dashboard/ui/copy-text.tsx';
import { Icon } from '../../../dashboard/ui/icons.tsx';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { saveFile } from '../../../dashboard/ui/save-file.ts';
import css from './security.module.css';

/** Recovery codes that were just made, shown until the person says that they have them. */
export function useNewCodes(): {
  newCodes: JSX.Element | null;
  showCodes: (codes: string[] | null) => void;
} {
  const [codes, setCodes] = useState<string[] | null>(null);
  return {
    newCodes: codes && <NewCodes codes={codes} onDone={() => setCodes(null)} />,
    showCodes: (made) => {
      if (made !== null) setCodes(made);
    },
  };
}

function NewCodes({ codes, onDone }: { codes: string[]; onDone: () => void }): JSX.Element {
  const text = codes.join('\n');
  return (
    <Panel title="Your recovery codes" detail="Shown only once">
      <div className="form">
        <p>
          Each code signs in once instead of the app or the passkey. Keep them where you find them without
          this device.
        </p>
        <ul className={css.codes} aria-label="Recovery codes">
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
        <Group gap="xs">
          <CopyText value={text} />
          <Button
            variant="default"
            leftSection={<Icon name="download" size={14} />}
            onClick={() => saveFile('spanledger-recovery-codes.txt', `${text}\n`, 'text/plain')}
          >
            Download
          </Button>
          <Button onClick={onDone}>I have saved them</Button>
        </Group>
      </div>
    </Panel>
  );
}

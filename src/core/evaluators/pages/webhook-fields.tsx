import { Button, TextInput } from '@mantine/core';
import type { JSX } from 'react';
import { SecretOnce } from '../../../dashboard/ui/secret-once.tsx';
import type { HIDDEN_SECRET } from '../config/contract.ts';
import type { Draft } from './draft.ts';
import { OutputFields } from './output-fields.tsx';

type Props = { readonly draft: Draft; readonly onChange: (change: Partial<Draft>) => void };

const HIDDEN: typeof HIDDEN_SECRET = '…';
const SECRET_BYTES = 32;
const newSecret = (): string =>
  `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(SECRET_BYTES))))}`;

/** The settings of a webhook: whom to ask, how the request is signed, and what it answers. */
export function WebhookFields({ draft, onChange }: Props): JSX.Element {
  const { url = '', secret = '', timeoutMs = '' } = draft.fields;
  const set = (field: Draft['fields']): void => onChange({ fields: { ...draft.fields, ...field } });
  return (
    <>
      <p className="dim">
        Input, output and expected output are sent to this server. It answers{' '}
        {'{ "value": …, "reason": "…" }'}.
      </p>
      <TextInput
        label="Link"
        description="Starts with https://. It is stored encrypted; what is shown of it means the same link."
        required
        maxLength={2_000}
        value={url}
        onChange={({ currentTarget: { value } }) => set({ url: value })}
      />
      <div className="inline-form">
        <TextInput
          label="Signing secret"
          description={
            secret === HIDDEN ? 'The stored one; it is never shown.' : 'whsec_ and random bytes in base64.'
          }
          required
          autoComplete="off"
          value={secret}
          onChange={({ currentTarget: { value } }) => set({ secret: value })}
        />
        <Button variant="default" onClick={() => set({ secret: newSecret() })}>
          New secret
        </Button>
      </div>
      {secret.startsWith('whsec_') && <SecretOnce value={secret} />}
      <TextInput
        label="Time limit in ms"
        description="Empty: 10,000."
        type="number"
        min={100}
        max={30_000}
        value={timeoutMs}
        onChange={({ currentTarget: { value } }) => set({ timeoutMs: value })}
      />
      <OutputFields
        output={draft.output}
        onChange={(change) => onChange({ output: { ...draft.output, ...change } })}
      />
    </>
  );
}

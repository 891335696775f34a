import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { JSX } from 'react';
import { EntryForm } from '../../../dashboard/ui/entry-form.tsx';
import { useSubmit } from '../../../dashboard/ui/use-submit.ts';

export type CodeProps = {
  /** Label of the button. */
  readonly submit: string;
  readonly onCode: (code: string) => Promise<void>;
};

/** Asks for the code of the authenticator app. */
export function CodeForm({ submit, onCode }: CodeProps): JSX.Element {
  const form = useSubmit(({ code = '' }) => onCode(code));
  return (
    <EntryForm form={form} submit={submit}>
      <TextInput
        label="Code of the authenticator app"
        name="code"
        autoComplete="one-time-code"
        inputMode="numeric"
        placeholder="123 456"
        maxLength={7}
        required
        autoFocus
      />
    </EntryForm>
  );
}

/** Asks the browser for a passkey. */
export function PasskeyButton({ onUse }: { onUse: () => Promise<void> }): JSX.Element {
  const use = useMutation({ mutationFn: onUse });
  return (
    <>
      <p role="alert" className="form-error">
        {use.error?.message}
      </p>
      <Button size="sm" fullWidth autoFocus loading={use.isPending} onClick={() => use.mutate()}>
        Use a passkey
      </Button>
    </>
  );
}

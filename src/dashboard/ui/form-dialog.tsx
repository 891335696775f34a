import { Button, Group } from '@mantine/core';
import type { JSX, ReactNode } from 'react';
import { FormModal } from './form-modal.tsx';
import type { useSubmit } from './use-submit.ts';

type Props = {
  readonly title: string;
  /** What `useSubmit` returns for this form. */
  readonly form: ReturnType<typeof useSubmit>;
  /** Label of the button that sends the form; null for a form that is only read. */
  readonly submit: string | null;
  readonly onClose: () => void;
  readonly size?: 'sm' | 'md';
  /** Stays in sight above the buttons, such as what sending would do. */
  readonly note?: ReactNode;
  /** The fields. */
  readonly children: ReactNode;
};

/** A dialog with one form: its fields, why it failed, and the buttons. */
export const FormDialog = ({ title, form, submit, onClose, note, children, ...more }: Props): JSX.Element => (
  <FormModal onClose={onClose} title={title} size={more.size ?? 'md'} busy={form.busy}>
    <form onSubmit={form.onSubmit} className="form">
      {submit === null ? (
        <fieldset disabled className="form">
          {children}
        </fieldset>
      ) : (
        children
      )}
      <div className="form-end">
        {note !== undefined && <div role="status">{note}</div>}
        <p role="alert" className="form-error">
          {form.failure}
        </p>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {submit === null ? 'Close' : 'Cancel'}
          </Button>
          {submit !== null && (
            <Button type="submit" loading={form.busy}>
              {submit}
            </Button>
          )}
        </Group>
      </div>
    </form>
  </FormModal>
);

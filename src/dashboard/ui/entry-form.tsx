import { Button } from '@mantine/core';
import type { JSX, ReactNode } from 'react';
import type { useSubmit } from './use-submit.ts';

type Props = {
  /** What `useSubmit` returns for this form. */
  readonly form: ReturnType<typeof useSubmit>;
  /** Label of the button that sends the form. */
  readonly submit: string;
  /** The fields. */
  readonly children: ReactNode;
};

/** A form that is a page of its own, such as the sign-in: its fields, why it failed, and one wide button. */
export const EntryForm = ({ form, submit, children }: Props): JSX.Element => (
  <form onSubmit={form.onSubmit} className="form">
    {children}
    <p role="alert" className="form-error">
      {form.failure}
    </p>
    <Button type="submit" size="sm" loading={form.busy} fullWidth>
      {submit}
    </Button>
  </form>
);

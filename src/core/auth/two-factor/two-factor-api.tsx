import { PasswordInput } from '@mantine/core';
import type { JSX } from 'react';
import { refresh } from '../../../dashboard/shell/api.ts';
import { endpointOf, type Handle } from '../../../dashboard/shell/endpoint.ts';
import { meApi } from '../../../dashboard/shell/member.ts';
import { FormDialog } from '../../../dashboard/ui/form-dialog.tsx';
import { useSubmit } from '../../../dashboard/ui/use-submit.ts';
import type { getTwoFactorEndpoint, TwoFactor } from './contract.ts';

/** The factors of the signed-in person. */
export const twoFactorApi: Handle<typeof getTwoFactorEndpoint> =
  endpointOf<typeof getTwoFactorEndpoint>('GET /v1/auth/two-factor');

/** Has the factors read again, and what depends on them. */
export const refreshFactors = (): Promise<void> => refresh(twoFactorApi, meApi);

/** What the panels of the page get. */
export type PanelProps = {
  readonly factors: TwoFactor;
  /** Shows new recovery codes; null for none. */
  readonly onCodes: (codes: string[] | null) => void;
};

/** The password again. People without one must have signed in recently, which the server says if it is not so. */
export const ProofField = ({ factors }: { factors: TwoFactor }): JSX.Element =>
  factors.hasPassword ? (
    <PasswordInput
      label="Your password"
      name="password"
      autoComplete="current-password"
      required
      data-autofocus
    />
  ) : (
    <p className="dim">You have no password, so this needs a sign-in within the last 10 minutes.</p>
  );

/** The proof of a form as the endpoints take it. */
export const proofOf = ({ password }: Record<string, string>): { password?: string } =>
  password === undefined ? {} : { password };

type ProofDialogProps = {
  readonly title: string;
  readonly submit: string;
  readonly factors: TwoFactor;
  /** What the change means. */
  readonly children: JSX.Element;
  readonly onClose: () => void;
  readonly onProof: (proof: { password?: string }) => Promise<void>;
};

/** A dialog that asks for the password before a change. */
export function ProofDialog(props: ProofDialogProps): JSX.Element {
  const { title, submit, factors, children, onClose, onProof } = props;
  const form = useSubmit(async (fields) => {
    await onProof(proofOf(fields));
    onClose();
  });
  return (
    <FormDialog title={title} form={form} submit={submit} onClose={onClose} size="sm">
      {children}
      <ProofField factors={factors} />
    </FormDialog>
  );
}

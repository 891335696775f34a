import { PasswordInput } from '@mantine/core';
import type { JSX } from 'react';

/** The field of a form in which a password is chosen: `password`, of 8 to 1,024 characters as the contract has it. */
export const NewPassword = ({
  autoFocus = false,
  label = 'Password',
}: {
  autoFocus?: boolean;
  label?: string;
}): JSX.Element => (
  <PasswordInput
    label={label}
    description="At least 8 characters; common passwords and your name are refused"
    name="password"
    autoComplete="new-password"
    required
    minLength={8}
    maxLength={1024}
    autoFocus={autoFocus}
  />
);

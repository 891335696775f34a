import type { JSX } from 'react';
import { useZone } from '../../../dashboard/shell/scope/scope.ts';
import { timeText } from '../../../dashboard/ui/format.ts';
import { Icon } from '../../../dashboard/ui/icons.tsx';
import css from './deleted-note.module.css';

type Props = {
  /** `deletedBefore` of a reply. */
  readonly before: string | undefined;
  /** Which figures, if not all that stand there. */
  readonly of?: string;
};

/** Which calls figures leave out because retention has deleted them; nothing as a rule. */
export function DeletedNote({
  before,
  of = 'These figures, and those that they are compared with,',
}: Props): JSX.Element | null {
  const zone = useZone();
  if (before === undefined) return null;
  return (
    <p className={css.deletedNote} role="note">
      <Icon name="calendar" size={15} />
      <span>
        Calls before {timeText.minute(before, zone)} have been deleted (retention). {of} leave them out.
      </span>
    </p>
  );
}

/** The same in a line beside a title. */
export function DeletedMark({ before }: Pick<Props, 'before'>): JSX.Element | null {
  const zone = useZone();
  if (before === undefined) return null;
  return (
    <span
      title={`Calls before ${timeText.minute(before, zone)} have been deleted (retention) and are in none of these figures`}
    >
      {' '}
      since {timeText.day(before, zone)}
    </span>
  );
}

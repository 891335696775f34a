import type { JSX } from 'react';
import { useZone } from '../../../dashboard/shell/scope/scope.ts';
import { timeText } from '../../../dashboard/ui/format.ts';
import { Icon } from '../../../dashboard/ui/icons.tsx';
import css from './deleted-note.module.css';

type Props = {
  /** `deletedBefore` of a reply. */
  readonly before: string | undefined;
};

/** Which calls figures leave out because retention has deleted them; nothing as a rule. */
export function DeletedNote({ before }: Props): JSX.Element | null {
  const zone = useZone();
  if (before === undefined) return null;
  return (
    <p className={css.deletedNote} role="note">
      <Icon name="calendar" size={15} />
      <span>
        Calls before {timeText.minute(before, zone)} have been deleted (retention). These figures, and those
        that they are compared with, leave them out.
      </span>
    </p>
  );
}

/** The same in a line beside a title. */
export function DeletedMark({ before }: Props): JSX.Element | null {
  const zone = useZone();
  if (before === undefined) return null;
  return (
    <span title="Older calls have been deleted (retention) and are in none of these figures">
      calls since {timeText.minute(before, zone)} only
    </span>
  );
}

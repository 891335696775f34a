import type { JSX } from 'react';
import { useZone } from '../../../dashboard/shell/scope/scope.ts';
import { timeText, type Zone } from '../../../dashboard/ui/format.ts';
import { Icon } from '../../../dashboard/ui/icons.tsx';
import type { MetricsReply } from '../query/contract.ts';
import css from './deleted-note.module.css';

type Props = {
  /** `deletedBefore` of a reply. */
  readonly before: string | undefined;
  /** `countedWhole` of a reply. */
  readonly whole?: MetricsReply['countedWhole'] | undefined;
  /** Which figures, if not all that stand there. */
  readonly of?: string;
};

/** Which calls figures leave out because retention has deleted them, or count as a whole; nothing as a rule. */
export function DeletedNote({
  before,
  whole = [],
  of = 'These figures, and those that they are compared with,',
}: Props): JSX.Element | null {
  const zone = useZone();
  if (before === undefined && whole.length === 0) return null;
  return (
    <p className={css.deletedNote} role="note">
      <Icon name="calendar" size={15} />
      <span>
        {before !== undefined &&
          `Calls before ${timeText.minute(before, zone)} have been deleted (retention). ${of} leave them out. `}
        {whole.length > 0 && wholeText(whole, zone)}
      </span>
    </p>
  );
}

const wholeText = (whole: NonNullable<Props['whole']>, zone: Zone): string =>
  `Only sums are left of ${whole.map((one) => spanText(one, zone)).join(' and ')}: figures that have them count all of that time, although it lies only partly in the range.`;

const spanText = ({ start, end }: { readonly start: string; readonly end: string }, zone: Zone): string =>
  `${timeText.minute(start, zone)} to ${timeText.clock(Date.parse(end) + 1, zone)}`;

/** The same in a line beside a title. */
export function DeletedMark({ before, whole = [] }: Pick<Props, 'before' | 'whole'>): JSX.Element | null {
  const zone = useZone();
  if (before === undefined && whole.length === 0) return null;
  const title = [
    ...(before === undefined
      ? []
      : [
          `Calls before ${timeText.minute(before, zone)} have been deleted (retention) and are in none of these figures.`,
        ]),
    ...(whole.length === 0 ? [] : [wholeText(whole, zone)]),
  ];
  return (
    <span title={title.join(' ')}>
      {' '}
      {before === undefined ? 'with whole hours' : `since ${timeText.day(before, zone)}`}
    </span>
  );
}

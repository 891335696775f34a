import { AppError } from '../../../../../errors.ts';
import { countText } from '../../../../../lib/figures.ts';
import { formatInstant } from '../../../../../lib/time.ts';

/** What can't be read. Times in epoch milliseconds; `reason` says what is wrong with the bytes. */
export type Damage = {
  readonly kind: 'segment' | 'batch';
  /** The number of the segment, or of the batch in the log. */
  readonly no: number;
  readonly project: number;
  readonly events: number;
  readonly first: number;
  readonly last: number;
  readonly reason: string;
};

/** What identifies it. */
export type DamageId = Pick<Damage, 'kind' | 'no' | 'project'>;

/** Stored events can't be read, because a blob does not hold what was written. */
export class DamagedEvents extends Error {
  override readonly name = 'DamagedEvents';
  readonly damage: Damage;

  constructor(damage: Damage, cause: unknown) {
    super(describeDamage(damage), { cause });
    this.damage = damage;
  }
}

/** For the log and for the caller of a read. */
export const describeDamage = ({ kind, no, events, first, last, reason }: Damage): string =>
  `${countText(events, 'event')} of ${spanOf(first, last)} ${events === 1 ? 'is' : 'are'} damaged (${kind} ${no}: ${reason})`;

function spanOf(first: number, last: number): string {
  const [from, to] = [first, last].map((time) => formatInstant(time));
  return from === to ? `${from}` : `${from} to ${to}`;
}

/** What an operator does about it. */
export const ADVICE = 'To list the damage and to go on without these events: spanledger events check';

/** The error of a read that needs damaged events. It carries the damage, so that the store can note it. */
export const toReadError = ({ damage }: DamagedEvents): AppError =>
  new AppError(500, `${describeDamage(damage)}, and this reply needs them. ${ADVICE}`, {
    code: 'damaged',
    data: damage,
  });

/** The damage that made a read fail; null for any other error. */
export const damageOf = (error: unknown): Damage | null =>
  error instanceof AppError && error.code === 'damaged' ? ((error.data as Damage | undefined) ?? null) : null;

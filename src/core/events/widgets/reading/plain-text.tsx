import type { JSX } from 'react';
import css from './reading.module.css';

/** What stands where a value was withheld, as `lib/redact.ts` writes it. */
const REDACTED = /(\[REDACTED\])/;

/** A text as it is. What was redacted before it was stored is shown as such. */
export function PlainText({ text }: { text: string }): JSX.Element {
  if (!text.includes('[REDACTED]')) return <>{text}</>;
  return (
    <>
      {text.split(REDACTED).map((piece, place) =>
        piece === '[REDACTED]' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text never move
          <mark key={place} className={css.redacted} title="Redacted before it was stored">
            redacted
          </mark>
        ) : (
          piece
        ),
      )}
    </>
  );
}

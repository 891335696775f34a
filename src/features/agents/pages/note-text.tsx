import type { JSX } from 'react';
import type { EntryNote } from '../contract.ts';

/** What people said about an agent or tool. */
export function NoteText({ note }: { readonly note: EntryNote }): JSX.Element | null {
  const { owner, description, url, hidden, mergedInto } = note;
  if (owner === '' && description === '' && url === '' && !hidden && mergedInto === null) return null;
  return (
    <p>
      {description !== '' && <>{description} </>}
      {owner !== '' && <span className="dim">Owner: {owner}. </span>}
      {hidden && <span className="badge">hidden</span>}{' '}
      {mergedInto !== null && <span className="badge">merged into {mergedInto}</span>}{' '}
      {url !== '' && (
        <a href={url} target="_blank" rel="noreferrer noopener">
          {url}
        </a>
      )}
    </p>
  );
}

import type { JSX } from 'react';
import type { DiffLine, PromptDiff } from '../compare/contract.ts';
import css from './prompts.module.css';

type Pair = { readonly left: string | null; readonly right: string | null; readonly isSame: boolean };

/** Removed and added lines side by side, in their order. */
export function pairsOf(lines: readonly DiffLine[]): Pair[] {
  const pairs: Pair[] = [];
  let removed: string[] = [];
  let added: string[] = [];
  const flush = (): void => {
    for (let i = 0; i < Math.max(removed.length, added.length); i++)
      pairs.push({ left: removed[i] ?? null, right: added[i] ?? null, isSame: false });
    [removed, added] = [[], []];
  };
  for (const { kind, text } of lines) {
    if (kind === 'removed') removed.push(text);
    else if (kind === 'added') added.push(text);
    else {
      flush();
      pairs.push({ left: text, right: text, isSame: true });
    }
  }
  flush();
  return pairs;
}

/** Two versions side by side. */
export function DiffView({ diff: { from, to, isSame, parts } }: { diff: PromptDiff }): JSX.Element {
  if (isSame)
    return (
      <p className="dim">
        Versions {from} and {to} say the same.
      </p>
    );
  return (
    <>
      {parts
        .filter(({ lines }) => lines.some(({ kind }) => kind !== 'same'))
        .map(({ name, lines }) => (
          <div key={name}>
            <span className="dim">{name}</span>
            <table className={css.diff}>
              <thead>
                <tr>
                  <th scope="col">Version {from}</th>
                  <th scope="col">Version {to}</th>
                </tr>
              </thead>
              <tbody>
                {pairsOf(lines).map(({ left, right, isSame: same }, i) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
                  <tr key={i}>
                    <Side text={left} sign={same ? '' : '−'} className={same ? '' : css.removed} />
                    <Side text={right} sign={same ? '' : '+'} className={same ? '' : css.added} />
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        ))}
    </>
  );
}

const Side = ({
  text,
  sign,
  className,
}: {
  text: string | null;
  sign: string;
  className: string | undefined;
}) =>
  text === null ? (
    <td />
  ) : (
    <td className={className}>
      {sign !== '' && <span className="dim">{sign} </span>}
      {text === '' ? '\u00a0' : text}
    </td>
  );

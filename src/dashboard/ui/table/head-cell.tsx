import { type JSX, lazy, type ReactNode, Suspense } from 'react';
import { Icon } from '../icons.tsx';
import type { ResizeProps } from './resizer.tsx';

/** Few tables have it, and none of the first page. */
const Resizer = lazy(async () => ({ default: (await import('./resizer.tsx')).Resizer }));

type SortProps = {
  readonly label: string;
  /** How the list is sorted by this column; null when it is not. */
  readonly desc: boolean | null;
  /** Figures are first sorted from the largest, text from A. */
  readonly isFigure: boolean;
  readonly onSort: (desc: boolean) => void;
};

/** The name of a column as a button that sorts by it. */
export const SortButton = ({ label, desc, isFigure, onSort }: SortProps): JSX.Element => (
  <button type="button" className="sort" onClick={() => onSort(desc === null ? isFigure : !desc)}>
    {label}
    {desc !== null && (
      <span className={desc ? undefined : 'flip'}>
        <Icon name="chevron" size={12} />
      </span>
    )}
  </button>
);

/** What `aria-sort` says of a column. */
export const ariaSort = (desc: boolean | null): 'ascending' | 'descending' | undefined =>
  desc === null ? undefined : desc ? 'descending' : 'ascending';

type Props = {
  readonly className: string;
  readonly desc: boolean | null;
  readonly resize: ResizeProps | undefined;
  readonly children: ReactNode;
};

export const HeadCell = ({ className, desc, resize, children }: Props): JSX.Element => (
  <th className={className} aria-sort={ariaSort(desc)}>
    {children}
    {resize !== undefined && (
      <Suspense>
        <Resizer {...resize} />
      </Suspense>
    )}
  </th>
);

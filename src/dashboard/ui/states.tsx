import { Button, Skeleton } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { JSX, ReactNode } from 'react';
import type { IconName } from './icon-paths.ts';
import { Icon } from './icons.tsx';
import css from './states.module.css';

type NoticeProps = {
  readonly icon?: IconName;
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
};

/** A quiet message in the middle of where content would be. */
export const Notice = ({ icon, title, children, action }: NoticeProps): JSX.Element => (
  <div className={css.notice}>
    {icon !== undefined && (
      <span className={css.noticeIcon}>
        <Icon name={icon} size={20} />
      </span>
    )}
    <strong>{title}</strong>
    {children !== undefined && <p>{children}</p>}
    {action}
  </div>
);

/** Why an answer is missing. `status` is that of HTTP, `retryAfter` in seconds; null: the server did not say. */
export type Problem = {
  readonly message: string;
  readonly status: number;
  readonly retryAfter: number | null;
};

/** What went wrong, in the server's words, and a way to try again. */
export function Failure({ error, retry }: { error: Problem; retry?: () => void }): JSX.Element {
  const hint =
    error.status === 429 && error.retryAfter !== null
      ? `Too many requests; try again in ${error.retryAfter} s.`
      : error.status === 403
        ? 'Ask an owner of the organization for access.'
        : undefined;
  return (
    <div role="alert">
      <Notice
        icon="errors"
        title={error.message}
        action={
          retry && error.status !== 403 && error.status !== 400 ? (
            <Button variant="default" onClick={retry} leftSection={<Icon name="refresh" size={14} />}>
              Try again
            </Button>
          ) : undefined
        }
      >
        {hint}
      </Notice>
    </div>
  );
}

/** Grey bars where rows will be, at the height that the rows will have. */
export const LoadingRows = ({ rows = 5, height = 33 }: { rows?: number; height?: number }): JSX.Element => (
  <div role="status" aria-label="Loading">
    {Array.from({ length: rows }, (_, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the bars are all alike
      <div key={i} className={css.loadingRow} style={{ height }}>
        <Skeleton height={10} width={`${30 + ((i * 17) % 40)}%`} />
      </div>
    ))}
  </div>
);

type LoadedProps<T> = {
  readonly of: UseQueryResult<T, Problem>;
  /** Shown until the first answer; as tall as what follows. */
  readonly loading: ReactNode;
  readonly children: (data: T) => ReactNode;
};

/** One of three: loading, failed, there. An older answer stays in place while a new one is fetched. */
export function Loaded<T>({ of, loading, children }: LoadedProps<T>): ReactNode {
  if (of.error !== null && of.data === undefined)
    return <Failure error={of.error} retry={() => void of.refetch()} />;
  if (of.data === undefined) return loading;
  return <div className={of.isPlaceholderData ? 'stale' : undefined}>{children(of.data)}</div>;
}

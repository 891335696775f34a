import { type JSX, type ReactNode, useEffect } from 'react';
import css from './page.module.css';
import { ScopeControls } from './scope/scope-controls.tsx';

type PageProps = {
  readonly title: string;
  /** Beside the title: what the page is of. */
  readonly detail?: ReactNode;
  /** Buttons of this page. */
  readonly actions?: ReactNode;
  /** False on pages that have nothing to do with time and environment. */
  readonly scoped?: boolean;
  readonly children: ReactNode;
};

/** The frame of a page: title, the controls of what it is about, content. */
export function Page({ title, detail, actions, scoped = true, children }: PageProps): JSX.Element {
  useEffect(() => {
    document.title = `${title} · Spanledger`;
  }, [title]);
  return (
    <>
      <header className={css.pageHeader}>
        <div className={css.pageTitle}>
          <h1>{title}</h1>
          {detail}
        </div>
        <div className={css.pageControls}>
          {actions}
          {scoped && <ScopeControls />}
        </div>
      </header>
      <div className={css.pageBody}>{children}</div>
    </>
  );
}

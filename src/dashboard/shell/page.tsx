import { type JSX, type ReactNode, useEffect } from 'react';
import { FilterBar } from './filter/filter-bar.tsx';
import css from './page.module.css';
import type { Scope } from './scope/scope.ts';
import { ScopeControls } from './scope/scope-controls.tsx';

type PageProps = {
  readonly title: string;
  /** Above the title: a link to the list that the page is one of. */
  readonly back?: ReactNode;
  /** Beside the title: what the page is of. */
  readonly detail?: ReactNode;
  /** Buttons of this page. */
  readonly actions?: ReactNode;
  /** False on pages that have nothing to do with time and environment. */
  readonly scoped?: boolean;
  /** The scope of a page whose figures the filter narrows, which shows the filter. */
  readonly filtered?: Scope;
  /** The first thing of the body, and what stands beside the filter. */
  readonly tabs?: ReactNode;
  readonly views?: ReactNode;
  readonly children: ReactNode;
};

/** The frame of a page: title, the controls of what it is about, content. */
export function Page(props: PageProps): JSX.Element {
  const { title, back, detail, actions, scoped = true, filtered, tabs, views, children } = props;
  useEffect(() => {
    document.title = `${title} · Spanledger`;
  }, [title]);
  return (
    <>
      <header className={css.pageHeader}>
        <div className={css.pageTitle}>
          {back !== undefined && (
            <nav className={css.back} aria-label="Breadcrumb">
              {back}
              <span className="dim" aria-hidden="true">
                /
              </span>
            </nav>
          )}
          <h1 title={title}>{title}</h1>
          {detail}
        </div>
        <div className={css.pageControls}>
          {actions}
          {scoped && <ScopeControls />}
        </div>
      </header>
      <div className={css.pageBody}>
        {tabs}
        {filtered !== undefined && <FilterBar scope={filtered}>{views}</FilterBar>}
        {children}
      </div>
    </>
  );
}

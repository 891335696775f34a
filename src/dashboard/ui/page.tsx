import { type JSX, type ReactNode, useEffect } from 'react';
import { ScopeControls } from './scope-controls.tsx';

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
      <header className="page-header">
        <div className="page-title">
          <h1>{title}</h1>
          {detail}
        </div>
        <div className="page-controls">
          {actions}
          {scoped && <ScopeControls />}
        </div>
      </header>
      <div className="page-body">{children}</div>
    </>
  );
}

type PanelProps = {
  readonly title?: ReactNode;
  readonly detail?: ReactNode;
  readonly actions?: ReactNode;
  /** Content goes up to the edges: tables and charts bring their own space. */
  readonly flush?: boolean;
  readonly className?: string;
  readonly children: ReactNode;
};

/** A titled area of a page. */
export const Panel = ({
  title,
  detail,
  actions,
  flush = false,
  className = '',
  children,
}: PanelProps): JSX.Element => (
  <section className={`panel ${className}`}>
    {title !== undefined && (
      <header className="panel-header">
        <h2>{title}</h2>
        {detail !== undefined && <span className="dim">{detail}</span>}
        {actions !== undefined && <span className="panel-actions">{actions}</span>}
      </header>
    )}
    <div className={flush ? undefined : 'panel-body'}>{children}</div>
  </section>
);

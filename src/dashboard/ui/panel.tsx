import type { JSX, ReactNode } from 'react';

type PanelProps = {
  readonly title?: ReactNode;
  readonly detail?: ReactNode;
  readonly actions?: ReactNode;
  /** Content goes up to the edges: tables and charts bring their own space. */
  readonly flush?: boolean;
  readonly className?: string | undefined;
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

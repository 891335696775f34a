import { type JSX, type ReactNode, useEffect } from 'react';
import { Mark } from '../ui/icons.tsx';
import css from './gate.module.css';

/** The frame of pages that come before signing in. */
export function Gate({
  title,
  lead,
  children,
}: {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
}): JSX.Element {
  useEffect(() => {
    document.title = `${title} · Spanledger`;
  }, [title]);
  // A link that is put into the address while the page is open: its secret is in the fragment, which loads nothing.
  useEffect(() => {
    const again = (): void => location.reload();
    window.addEventListener('hashchange', again);
    return () => window.removeEventListener('hashchange', again);
  }, []);
  return (
    <main className={css.gate}>
      <div className={css.gateCard}>
        <Mark size={32} />
        <h1>{title}</h1>
        {lead !== undefined && <p className="dim">{lead}</p>}
        {children}
      </div>
    </main>
  );
}

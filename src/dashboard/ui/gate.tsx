import { type JSX, type ReactNode, useEffect } from 'react';
import { Mark } from './icons.tsx';

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
  return (
    <main className="gate">
      <div className="gate-card">
        <Mark size={32} />
        <h1>{title}</h1>
        {lead !== undefined && <p className="dim">{lead}</p>}
        {children}
      </div>
    </main>
  );
}

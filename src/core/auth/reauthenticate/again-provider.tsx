import { type JSX, lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { setAskAgain } from '../../../dashboard/shell/sign-in-again.ts';

const AgainDialog = lazy(async () => ({ default: (await import('./again-dialog.tsx')).AgainDialog }));

type Asked = { readonly proven: () => void; readonly cancelled: (reason: Error) => void };

/** Shows the dialog that asks who is at the keyboard, when a request needs it. It is fetched with the first such one. */
export function AgainProvider({ children }: { children: ReactNode }): JSX.Element {
  const [asked, setAsked] = useState<Asked | null>(null);
  useEffect(() => {
    setAskAgain(() => new Promise((proven, cancelled) => setAsked({ proven, cancelled })));
    return () => setAskAgain(null);
  }, []);
  const close = (end: (asked: Asked) => void): void => {
    if (asked !== null) end(asked);
    setAsked(null);
  };
  return (
    <>
      {children}
      {asked !== null && (
        <Suspense>
          <AgainDialog
            onProven={() => close(({ proven }) => proven())}
            onCancel={() => close(({ cancelled }) => cancelled(new Error('Cancelled: nothing was changed')))}
          />
        </Suspense>
      )}
    </>
  );
}

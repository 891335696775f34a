import { type JSX, lazy, Suspense, useEffect, useState } from 'react';

const Notifications = lazy(async () => ({ default: (await import('./notifications.ts')).Notifications }));
let fetchIt: (() => void) | null = null;

/** For what is about to say something: what shows it is fetched with the first that is said. */
export const wantNotices = (): void => fetchIt?.();

/** Where it is said how a change went. What was said before it is there waits for it. */
export function Notices(): JSX.Element | null {
  const [wanted, setWanted] = useState(false);
  useEffect(() => {
    fetchIt = () => setWanted(true);
  }, []);
  return wanted ? (
    <Suspense>
      <Notifications position="bottom-right" />
    </Suspense>
  ) : null;
}

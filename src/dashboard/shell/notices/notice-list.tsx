import { createNotificationsStore, Notifications, showNotification } from '@mantine/notifications';
import { type JSX, useEffect, useRef, useState } from 'react';

/** A message that the page shows in its corner for a few seconds. */
export type NoticeText = {
  readonly message: string;
  /** Which action failed; missing if it succeeded. */
  readonly failed?: string;
  /** Milliseconds until it closes by itself. */
  readonly autoClose?: number;
};

const CLOSE = { closeButtonProps: { 'aria-label': 'Close' } } as const;

/** Shows each notice once, in the order in which they were given. */
export function NoticeList({ said }: { said: readonly NoticeText[] }): JSX.Element {
  const [store] = useState(createNotificationsStore);
  const shown = useRef(0);
  useEffect(() => {
    for (const { message, failed, autoClose = 4_000 } of said.slice(shown.current))
      showNotification(
        failed === undefined
          ? { message, autoClose, ...CLOSE }
          : { message, color: 'red', title: failed, ...CLOSE },
        store,
      );
    shown.current = said.length;
  }, [said, store]);
  return <Notifications store={store} position="bottom-right" />;
}

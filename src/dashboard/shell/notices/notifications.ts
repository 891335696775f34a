import { Notifications, notifications } from '@mantine/notifications';
import { wantNotices } from './notices.tsx';

export { Notifications };

/** Says something at the edge of the page, for a few seconds. */
export const notify: typeof notifications.show = (notice) => {
  wantNotices();
  return notifications.show(notice);
};

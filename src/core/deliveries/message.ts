/** A notification for people. Each type has one template that makes it; the formats of the channels derive from it. */
export type Message = {
  /** One line, such as `Budget "search" has reached 80%`. */
  readonly title: string;
  /** One or two sentences. */
  readonly text: string;
  readonly facts: readonly { readonly label: string; readonly value: string }[];
  readonly severity: 'critical' | 'warning' | 'info' | 'resolved';
  /** The same for all notifications about one thing, such as a group of an alert. On-call tools group by it. */
  readonly subject: string;
  /** A page of the dashboard; `path` follows the public address. */
  readonly link?: { readonly label: string; readonly path: string };
};

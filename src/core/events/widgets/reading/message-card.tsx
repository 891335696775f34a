import { type JSX, memo } from 'react';
import type { ToolPairs } from '../../../../lib/messages/compare-messages.ts';
import type { Message } from '../../../../lib/messages/message.ts';
import { messageText } from '../../../../lib/messages/message-text.ts';
import { Copy } from './code-block.tsx';
import { Fold } from './fold.tsx';
import { PartView } from './part-view.tsx';
import css from './reading.module.css';

type Props = {
  readonly message: Message;
  readonly pairs: ToolPairs;
  /** In place of the role. */
  readonly label?: string | undefined;
  /** Said here for the first time, where that is known and not the case of all. */
  readonly isNew?: boolean;
};

/** Instructions of this length are shown whole. */
const SHORT_SYSTEM = 200;

const isSystem = (role: string): boolean => role === 'system' || role === 'developer';

/** One message: who says it, and what. Instructions are folded. */
export const MessageCard = memo(function MessageCard({
  message,
  pairs,
  label,
  isNew = false,
}: Props): JSX.Element {
  const { role, parts } = message;
  const text = messageText(message);
  const content = (): JSX.Element => (
    <div className={css.parts}>
      {parts.map((part, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one message never move
        <PartView key={place} part={part} pairs={pairs} />
      ))}
    </div>
  );
  const tone = ROLE_CLASS.get(role) ?? css.other;
  return (
    <article className={`${css.message} ${tone} ${isNew ? css.isNew : ''}`} aria-label={label ?? role}>
      {isSystem(role) && text.length > SHORT_SYSTEM ? (
        <Fold title={<span className={css.role}>{label ?? role}</span>} detail={text.slice(0, 160)}>
          {content}
        </Fold>
      ) : (
        <>
          <header className={css.messageHead}>
            <span className={css.role}>{label ?? role}</span>
            {isNew && <span className="badge">new</span>}
            <Copy text={text} label="Copy message" />
          </header>
          {content()}
        </>
      )}
    </article>
  );
});

/** By role as it was sent, which may be any word. */
const ROLE_CLASS: ReadonlyMap<string, string | undefined> = new Map(
  Object.entries({
    system: css.system,
    developer: css.system,
    user: css.user,
    assistant: css.assistant,
    tool: css.toolMessage,
  }),
);

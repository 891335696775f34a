import { Button, Textarea } from '@mantine/core';
import { type JSX, useState } from 'react';
import { send, useApi } from '../../dashboard/shell/api.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { useMember } from '../../dashboard/shell/member.ts';
import { useProjectId, useScope } from '../../dashboard/shell/scope/scope.ts';
import { useChange } from '../../dashboard/shell/use-change.ts';
import { Confirm } from '../../dashboard/ui/confirm.tsx';
import { timeText } from '../../dashboard/ui/format.ts';
import { Loaded, LoadingRows } from '../../dashboard/ui/states.tsx';
import css from './comments.module.css';
import type {
  Comment,
  deleteCommentEndpoint,
  listCommentsEndpoint,
  postCommentEndpoint,
  putCommentEndpoint,
  Target,
} from './contract.ts';
import { CopyLink } from './copy-link.tsx';

const listApi = endpointOf<typeof listCommentsEndpoint>('GET /v1/comments');
const postApi = endpointOf<typeof postCommentEndpoint>('POST /v1/comments');
const putApi = endpointOf<typeof putCommentEndpoint>('PUT /v1/comments/:id');
const deleteApi = endpointOf<typeof deleteCommentEndpoint>('DELETE /v1/comments/:id');

const MAX_CHARS = 5_000;

/** A trace or a session, whose comments are read together. */
export type Thread = { readonly traceId: string } | { readonly sessionId: string };

/** The comments on a trace and its spans, or on a session; undefined until they are known. */
export function useComments(of: Thread): readonly Comment[] | undefined {
  const projectId = useProjectId();
  return useApi(listApi, { query: { projectId, ...of } }).data?.comments;
}

type Props = {
  readonly of: Thread;
  /** Only those on one span, and new ones are on it. */
  readonly spanId?: string | undefined;
  /** Shows the span that a comment is on. */
  readonly onSpan?: ((spanId: string) => void) | undefined;
};

/** What people wrote about a trace, a span or a session, with a field for more. */
export function Comments({ of, spanId, onSpan }: Props): JSX.Element {
  const projectId = useProjectId();
  const { may } = useMember();
  const list = useApi(listApi, { query: { projectId, ...of } });
  return (
    <div className={css.comments}>
      <Loaded of={list} loading={<LoadingRows rows={2} />}>
        {({ comments }) => {
          const shown = spanId === undefined ? comments : comments.filter((one) => one.spanId === spanId);
          return (
            <div className={css.list}>
              {shown.length === 0 && <p className="dim">No comments yet.</p>}
              {shown.map((comment) => (
                <OneComment
                  key={comment.id}
                  comment={comment}
                  onSpan={spanId === undefined ? onSpan : undefined}
                />
              ))}
            </div>
          );
        }}
      </Loaded>
      {may('member') ? (
        <Write target={{ ...of, ...(spanId === undefined ? {} : { spanId }) }} />
      ) : (
        <p className="dim">Members can write comments.</p>
      )}
    </div>
  );
}

function Write({ target }: { target: Target }): JSX.Element {
  const projectId = useProjectId();
  const [text, setText] = useState('');
  const post = useChange({
    failed: 'The comment was not saved',
    send: async () => {
      await send(postApi, { query: { projectId }, body: { ...target, text } });
      setText('');
    },
    stale: [listApi],
  });
  return (
    <TextForm
      label="Write a comment"
      action="Comment"
      text={text}
      onText={setText}
      busy={post.isPending}
      onSubmit={() => post.mutate()}
    />
  );
}

function OneComment({ comment, onSpan }: { comment: Comment; onSpan?: Props['onSpan'] }): JSX.Element {
  const projectId = useProjectId();
  const { zone, search } = useScope('traces/$traceId');
  const { userId, may } = useMember();
  const [draft, setDraft] = useState<string | null>(null);
  const { id, spanId, text, author, createdBy, createdAt, updatedAt } = comment;
  const put = useChange({
    failed: 'The comment was not saved',
    send: async () => {
      await send(putApi, { query: { projectId }, params: { id }, body: { text: draft ?? '' } });
      setDraft(null);
    },
    stale: [listApi],
  });
  const remove = useChange({
    failed: 'The comment was not deleted',
    send: () => send(deleteApi, { query: { projectId }, params: { id } }),
    stale: [listApi],
  });
  const isOwn = createdBy === userId;
  return (
    <article
      className={search.comment === id ? `${css.comment} ${css.linked}` : css.comment}
      aria-label={`Comment of ${author ?? 'somebody who left'}`}
    >
      <header className={css.head}>
        <strong>{author ?? 'Somebody who left'}</strong>
        <span className="dim num">
          {timeText.full(createdAt, zone)}
          {updatedAt !== createdAt && ' (edited)'}
        </span>
      </header>
      {draft === null ? (
        <p className={css.text}>{text}</p>
      ) : (
        <TextForm
          label="Change the comment"
          action="Save"
          text={draft}
          onText={setDraft}
          busy={put.isPending}
          onSubmit={() => put.mutate()}
          onCancel={() => setDraft(null)}
        />
      )}
      <footer className={css.foot}>
        {spanId !== null && onSpan !== undefined && (
          <Button size="compact-xs" variant="default" onClick={() => onSpan(spanId)}>
            Show span
          </Button>
        )}
        <CopyLink search={{ comment: id, span: spanId ?? undefined }} />
        {isOwn && draft === null && may('member') && (
          <Button size="compact-xs" variant="default" onClick={() => setDraft(text)}>
            Edit
          </Button>
        )}
        {((isOwn && may('member')) || may('admin')) && (
          <Confirm
            label="Delete"
            title="Delete this comment?"
            confirm="Delete comment"
            onConfirm={() => remove.mutate()}
          >
            It is gone for everybody.
          </Confirm>
        )}
      </footer>
    </article>
  );
}

type FormProps = {
  readonly label: string;
  readonly action: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly busy: boolean;
  readonly onSubmit: () => void;
  readonly onCancel?: () => void;
};

const TextForm = ({ label, action, text, onText, busy, onSubmit, onCancel }: FormProps): JSX.Element => (
  <form
    className={css.form}
    onSubmit={(event) => {
      event.preventDefault();
      if (text.trim() !== '') onSubmit();
    }}
  >
    <Textarea
      aria-label={label}
      placeholder={label}
      value={text}
      onChange={(event) => onText(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.metaKey || event.ctrlKey))
          event.currentTarget.form?.requestSubmit();
      }}
      autosize
      minRows={2}
      maxRows={12}
      maxLength={MAX_CHARS}
    />
    <span className={css.foot}>
      <Button type="submit" size="compact-sm" loading={busy} disabled={text.trim() === ''}>
        {action}
      </Button>
      {onCancel !== undefined && (
        <Button size="compact-sm" variant="default" onClick={onCancel}>
          Cancel
        </Button>
      )}
    </span>
  </form>
);

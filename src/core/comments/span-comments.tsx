import type { JSX } from 'react';
import { BookmarkButton } from './bookmark-button.tsx';
import css from './comments.module.css';
import { Comments } from './comments.tsx';
import { CopyLink } from './copy-link.tsx';

type Props = { readonly traceId: string; readonly spanId: string };

/** Below the details of a span: its bookmark, its address, and what people wrote about it. */
export const SpanComments = ({ traceId, spanId }: Props): JSX.Element => (
  <section className={css.section} aria-label="Comments on this span">
    <h3>Comments on this span</h3>
    <Comments key={spanId} of={{ traceId }} spanId={spanId} />
    <div className={css.spanFoot}>
      <BookmarkButton of={{ traceId, spanId }} />
      <CopyLink search={{ span: spanId, comment: undefined }} />
    </div>
  </section>
);

import { lexer, type Token, type Tokens } from 'marked';
import { Fragment, type JSX, memo, type ReactNode } from 'react';
import { CodeBlock } from './code-block.tsx';
import { PlainText } from './plain-text.tsx';
import css from './reading.module.css';
import { safeAddress } from './safe-address.ts';

/** Longer texts are shown as they are: of hostile ones, reading takes time with the square of their length. */
const MAX_CHARS = 14_000;
/** Deeper nesting is shown as it was written. */
const MAX_DEPTH = 24;

/**
 * A text as Markdown, drawn as elements: HTML in it is text, links lead only to http and https, and no image is loaded
 * from another server.
 */
export const Markdown = memo(function Markdown({ text }: { text: string }): JSX.Element {
  const tokens = text.length > MAX_CHARS ? null : tokensOf(text);
  if (tokens === null)
    return (
      <p className={css.plain}>
        <PlainText text={text} />
      </p>
    );
  return <div className={css.markdown}>{blocks(tokens, 0)}</div>;
});

function tokensOf(text: string): Token[] | null {
  try {
    return lexer(text, { gfm: true, breaks: true });
  } catch {
    return null;
  }
}

const raw = (token: Token): ReactNode => <PlainText text={token.raw} />;

const keyed = (tokens: readonly Token[] | undefined, draw: (token: Token) => ReactNode): ReactNode =>
  // biome-ignore lint/suspicious/noArrayIndexKey: the tokens of one text never move
  tokens?.map((token, place) => <Fragment key={place}>{draw(token)}</Fragment>);

function blocks(tokens: readonly Token[] | undefined, depth: number): ReactNode {
  return keyed(tokens, (token) => (depth > MAX_DEPTH ? raw(token) : block(token, depth)));
}

function block(token: Token, depth: number): ReactNode {
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'heading':
      return <p className={css.heading}>{inline(token.tokens, depth)}</p>;
    case 'code':
      return <CodeBlock text={String(token.text)} language={String(token.lang ?? '')} />;
    case 'blockquote':
      return <blockquote>{blocks(token.tokens, depth + 1)}</blockquote>;
    case 'hr':
      return <hr />;
    case 'list':
      return <List list={token as Tokens.List} depth={depth} />;
    case 'table':
      return <Table table={token as Tokens.Table} depth={depth} />;
    case 'paragraph':
      return <p>{inline(token.tokens, depth)}</p>;
    case 'text':
      return 'tokens' in token ? inline(token.tokens, depth) : raw(token);
    default:
      return (
        <p className={css.plain}>
          <PlainText text={token.raw.trim()} />
        </p>
      );
  }
}

function List({ list, depth }: { list: Tokens.List; depth: number }): JSX.Element {
  const items = list.items.map((item, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the items of one text never move
    <li key={place}>
      {item.task && <span aria-hidden="true">{item.checked === true ? '☑ ' : '☐ '}</span>}
      {blocks(
        item.tokens.filter(({ type }) => type !== 'checkbox'),
        depth + 1,
      )}
    </li>
  ));
  return list.ordered ? <ol start={Number(list.start) || 1}>{items}</ol> : <ul>{items}</ul>;
}

const Table = ({ table, depth }: { table: Tokens.Table; depth: number }): JSX.Element => (
  <section className={css.scroll} tabIndex={0} aria-label="Table">
    <table>
      <thead>
        <tr>
          {table.header.map((cell, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the cells of one text never move
            <th key={place}>{inline(cell.tokens, depth)}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {table.rows.map((row, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above
          <tr key={place}>
            {row.map((cell, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: as above
              <td key={at}>{inline(cell.tokens, depth)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);

function inline(tokens: readonly Token[] | undefined, depth: number): ReactNode {
  return keyed(tokens, (token) => (depth > MAX_DEPTH ? raw(token) : span(token, depth + 1)));
}

function span(token: Token, depth: number): ReactNode {
  switch (token.type) {
    case 'strong':
      return <strong>{inline(token.tokens, depth)}</strong>;
    case 'em':
      return <em>{inline(token.tokens, depth)}</em>;
    case 'del':
      return <del>{inline(token.tokens, depth)}</del>;
    case 'codespan':
      return (
        <code>
          <PlainText text={String(token.text)} />
        </code>
      );
    case 'br':
      return <br />;
    case 'link':
      return <Away to={String(token.href)}>{inline(token.tokens, depth)}</Away>;
    case 'image':
      return <Picture url={String(token.href)} name={String(token.text)} />;
    case 'text':
      return 'tokens' in token && token.tokens !== undefined ? (
        inline(token.tokens, depth)
      ) : (
        <PlainText text={String(token.text)} />
      );
    case 'escape':
      return String(token.text);
    default:
      return raw(token);
  }
}

/** A link out of the product. An address that is not http or https is only shown. */
export function Away({ to, children }: { to: string; children: ReactNode }): JSX.Element {
  const address = safeAddress(to);
  if (address === null)
    return (
      <>
        {children} <span className="dim">({to})</span>
      </>
    );
  return (
    <a href={address} target="_blank" rel="noopener noreferrer nofollow" title={address}>
      {children}
    </a>
  );
}

/** An image that the text holds; one on another server is a link, so that reading tells nobody of it. */
export function Picture({ url, name }: { url: string | null; name: string | null }): JSX.Element {
  const title = name === null || name === '' ? 'image' : name;
  if (url !== null && /^data:image\//i.test(url))
    return <img className={css.picture} src={url} alt={title} loading="lazy" />;
  if (url === null) return <span className="badge">Image {title}</span>;
  return (
    <span className={css.remote}>
      <span className="badge">Image</span>{' '}
      <Away to={url}>{title === 'image' ? url.slice(0, 200) : title}</Away>
    </span>
  );
}

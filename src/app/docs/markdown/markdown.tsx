import type { Token, Tokens } from 'marked';
import { createElement, Fragment, type ReactNode } from 'react';
import { CodeBlock } from '#ui/code-block.tsx';
import { cx } from '#ui/cx.ts';
import { Table, Td, Th, Tr } from '#ui/table.tsx';
import { addressOf, anchorOf, DOCS_PATH, screenOf } from '../guides/guide-links.ts';
import { plainText } from '../guides/read-guide.ts';

/** Markdown as elements. Our own guides have no HTML: what looks like it is shown as it stands. */
export const Markdown = ({ tokens }: { tokens: readonly Token[] }): ReactNode =>
  inOrder(tokens, (token) => <Block token={token} />);

/** Without keys, which parts of a text have none of: they never change places. */
const inOrder = <Item,>(items: readonly Item[], render: (item: Item) => ReactNode): ReactNode =>
  createElement(Fragment, null, ...items.map(render));

function Block({ token }: { token: Token }): ReactNode {
  switch (token.type) {
    case 'space':
      return null;
    case 'heading':
      return <Heading token={token as Tokens.Heading} />;
    case 'paragraph':
      return (
        <p className="my-3">
          <Inline tokens={token.tokens} />
        </p>
      );
    case 'list':
      return <List token={token as Tokens.List} />;
    case 'table':
      return <GuideTable token={token as Tokens.Table} />;
    case 'code':
      return <CodeBlock text={(token as Tokens.Code).text} label="code" className="my-4" />;
    case 'blockquote':
      return (
        <blockquote className="my-3 border-l-2 pl-4 text-text-muted">
          <Markdown tokens={token.tokens ?? []} />
        </blockquote>
      );
    case 'hr':
      return <hr className="my-6" />;
    default:
      return <Inline tokens={[token]} />;
  }
}

const HEADING_LOOKS: Readonly<Record<number, string>> = {
  2: 'mt-9 mb-2 font-semibold text-lg tracking-tight',
  3: 'mt-6 mb-1.5 font-semibold text-base',
};

function Heading({ token }: { token: Tokens.Heading }) {
  const depth = Math.min(Math.max(token.depth, 2), 4);
  const Tag = `h${depth}` as 'h2' | 'h3' | 'h4';
  const anchor = anchorOf(plainText(token));
  return (
    <Tag id={anchor} className={cx('scroll-mt-20', HEADING_LOOKS[depth] ?? 'mt-5 mb-1 font-medium')}>
      <a href={`#${anchor}`} className="text-text no-underline hover:underline">
        <Inline tokens={token.tokens} />
      </a>
    </Tag>
  );
}

function List({ token }: { token: Tokens.List }) {
  const Tag = token.ordered ? 'ol' : 'ul';
  return (
    <Tag className={cx('my-3 pl-6', token.ordered ? 'list-decimal' : 'list-disc')}>
      {inOrder(token.items, (item) => (
        <li className="my-1 marker:text-text-faint">
          <Markdown tokens={item.tokens} />
        </li>
      ))}
    </Tag>
  );
}

function GuideTable({ token: { header, rows } }: { token: Tokens.Table }) {
  return (
    <div className="my-4 overflow-hidden rounded-lg border bg-surface-raised">
      <Table label={header.map((cell) => cell.text).join(', ')}>
        <thead>
          <tr>
            {inOrder(header, ({ align, tokens }) => (
              <Th align={align === 'right' ? 'right' : 'left'}>
                <Inline tokens={tokens} />
              </Th>
            ))}
          </tr>
        </thead>
        <tbody>
          {inOrder(rows, (row) => (
            <Tr>
              {inOrder(row, ({ align, tokens }) => (
                <Td
                  align={align === 'right' ? 'right' : 'left'}
                  className="align-top [&_code]:[overflow-wrap:break-word]"
                >
                  <Inline tokens={tokens} />
                </Td>
              ))}
            </Tr>
          ))}
        </tbody>
      </Table>
    </div>
  );
}

const Inline = ({ tokens = [] }: { tokens?: readonly Token[] | undefined }): ReactNode =>
  inOrder(tokens, (token) => <InlineToken token={token} />);

function InlineToken({ token }: { token: Token }): ReactNode {
  switch (token.type) {
    case 'codespan':
      return (
        <code className="mono break-anything rounded-xs bg-surface-sunken px-1 py-px text-[0.9em]">
          {token.text}
        </code>
      );
    case 'strong':
      return (
        <strong className="font-semibold">
          <Inline tokens={token.tokens} />
        </strong>
      );
    case 'em':
      return (
        <em>
          <Inline tokens={token.tokens} />
        </em>
      );
    case 'br':
      return <br />;
    case 'link':
      return <GuideLink token={token as Tokens.Link} />;
    case 'image':
      return <Screen token={token as Tokens.Image} />;
    default:
      return 'tokens' in token && token.tokens ? <Inline tokens={token.tokens} /> : plainText(token);
  }
}

/** What is in the repository alone is named without a link. */
function GuideLink({ token }: { token: Tokens.Link }) {
  const href = addressOf(token.href);
  const text = <Inline tokens={token.tokens} />;
  if (href === null) return text;
  return (
    <a href={href} className="text-accent underline underline-offset-2" rel="noreferrer">
      {text}
    </a>
  );
}

function Screen({ token }: { token: Tokens.Image }) {
  const file = screenOf(token.href);
  if (file === null) return token.text;
  return (
    // biome-ignore lint/performance/noImgElement: it has its size already, and is served from this machine
    <img
      src={`${DOCS_PATH}/screens/${file}`}
      alt={token.text}
      loading="lazy"
      className="my-4 h-auto w-full rounded-lg border"
    />
  );
}

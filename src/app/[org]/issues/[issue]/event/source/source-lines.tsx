import { ScrollRegion } from '#ui/table.tsx';
import { highlightLines, type TokenKind } from './highlight-lines.ts';
import { languageOf } from './languages.ts';

export type SourceLine = {
  /** null when the SDK knows the text but not the line. */
  number: number | null;
  text: string;
  isCalled: boolean;
};

/**
 * Source around a call; the called line is marked. Scrolls sideways by itself. Lines farther away than `around` are
 * shown once a `details` beside them is open.
 */
export function SourceLines({
  lines,
  file,
  platform,
  label,
  around = lines.length,
}: {
  lines: readonly SourceLine[];
  /** What the source is called, and the platform of the event: they tell the language. */
  file: string;
  platform: string;
  label: string;
  around?: number;
}) {
  const width = Math.max(...lines.map((line) => String(line.number ?? '').length));
  const called = lines.findIndex((line) => line.isCalled);
  const language = languageOf(file, platform);
  const coloured =
    language &&
    highlightLines(
      lines.map((line) => line.text),
      language,
    );
  return (
    <ScrollRegion label={label} className="source">
      <ol>
        {lines.map((line, index) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity
            key={index}
            data-line={`${line.isCalled ? '▶ ' : '  '}${String(line.number ?? '').padStart(width)}`}
            {...(line.isCalled && { 'aria-current': 'true' })}
            {...(Math.abs(index - called) > around && { className: 'far' })}
          >
            <bdi>
              {(line.text !== '' &&
                coloured?.[index]?.map(({ kind, text }, part) =>
                  kind === 'plain' ? (
                    text
                  ) : (
                    // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other identity
                    <span key={part} className={COLOURS[kind]}>
                      {text}
                    </span>
                  ),
                )) ||
                line.text ||
                ' '}
            </bdi>
          </li>
        ))}
      </ol>
    </ScrollRegion>
  );
}

/** Classes within `source`: a page has thousands. */
const COLOURS: Record<Exclude<TokenKind, 'plain'>, string> = {
  keyword: 'k',
  text: 't',
  comment: 'c',
  number: 'n',
  call: 'f',
  type: 'y',
};

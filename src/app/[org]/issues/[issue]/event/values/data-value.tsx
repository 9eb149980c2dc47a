import { visibleText } from '#lib/visible-text.ts';
import { ExternalLink, isWebAddress } from '#ui/external-link.tsx';
import { formatBytes } from '#ui/format-number.ts';
import { formatValue } from './format-value.ts';
import { LateText } from './late-text.tsx';
import { type ValuePlace, valueHref } from './value-place.ts';

/** Lines of a value that stand in the page before the rest is folded. */
const LINES_SHOWN_FIRST = 12;
const CHARACTERS_SHOWN_FIRST = 600;
/** What is longer is not in the page at all: it is fetched when somebody asks. */
const CHARACTERS_FOLDED_MAX = 4_000;

/** Any value of an event, as plain text. What is long is folded; `place` is where the whole of it is to be had. */
export function DataValue({ value, place }: { value: unknown; place: ValuePlace }) {
  if (value === null || value === undefined) return <span className="text-text-faint">null</span>;
  if (value === '') return <span className="text-text-faint">empty</span>;
  const text = formatValue(value);
  if (typeof value === 'string' && text.length <= CHARACTERS_FOLDED_MAX && isWebAddress(text)) {
    return (
      <span className="mono text-xs leading-5">
        <ExternalLink href={text} />
      </span>
    );
  }
  const start = text
    .split('\n', LINES_SHOWN_FIRST)
    .join('\n')
    .slice(0, CHARACTERS_SHOWN_FIRST)
    .toWellFormed();
  if (start.length === text.length) return <Text text={text} />;
  if (text.length > CHARACTERS_FOLDED_MAX) {
    return (
      <>
        <Text text={`${visibleText(start)} …`} />
        <LateText href={valueHref(place)} label={`Show all ${formatBytes(text.length)}`} />
      </>
    );
  }
  return (
    <details className="group/value">
      <summary className="rounded-sm">
        <span className="group-open/value:hidden">
          <Text text={`${visibleText(start)} …`} />
        </span>
        <span className="text-accent text-xs hover:underline">
          <span className="group-open/value:hidden">Show all</span>
          <span className="hidden group-open/value:inline">Show less</span>
        </span>
      </summary>
      <Text text={text} />
    </details>
  );
}

function Text({ text }: { text: string }) {
  return (
    <bdi className="mono block whitespace-pre-wrap text-text text-xs leading-5 [overflow-wrap:anywhere]">
      {text}
    </bdi>
  );
}

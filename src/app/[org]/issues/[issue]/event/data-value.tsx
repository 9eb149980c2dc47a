import { ExternalLink, isWebAddress } from '#ui/external-link.tsx';
import { formatValue } from './format-value.ts';

/** Lines of a value that stand in the page before the rest is folded. */
const LINES_SHOWN_FIRST = 12;
const CHARACTERS_SHOWN_FIRST = 1_200;

/** Any value of an event, as plain text. What is long is folded. */
export function DataValue({ value }: { value: unknown }) {
  if (value === null || value === undefined) return <span className="text-text-faint">null</span>;
  if (value === '') return <span className="text-text-faint">empty</span>;
  const text = formatValue(value);
  if (typeof value === 'string' && isWebAddress(text)) {
    return (
      <span className="mono text-xs leading-5">
        <ExternalLink href={text} />
      </span>
    );
  }
  const lines = text.split('\n');
  const start = lines.slice(0, LINES_SHOWN_FIRST).join('\n').slice(0, CHARACTERS_SHOWN_FIRST);
  if (start.length === text.length) return <Text text={text} />;
  return (
    <details className="group">
      <summary className="rounded-sm">
        <span className="group-open:hidden">
          <Text text={`${start} …`} />
        </span>
        <span className="text-accent text-xs hover:underline">
          <span className="group-open:hidden">Show all</span>
          <span className="hidden group-open:inline">Show less</span>
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

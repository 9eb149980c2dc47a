import type { NormalizedEvent } from '#protocol/event.ts';
import { component, leaf } from '../component.ts';
import { parameterize } from '../parameterize.ts';
import type { ComponentsByVariant } from './components-by-variant.ts';

/** A logged message: its template when it has one, else its text. */
export function messageComponents({ logentry }: NormalizedEvent): ComponentsByVariant {
  if (!logentry) return {};
  const message = logentry.message || logentry.formatted || '';
  const normalized = normalizeMessage(message);
  return {
    default: leaf('message', normalized, normalized === message ? null : 'what varies was replaced'),
  };
}

/** The place in a template that old SDKs for web frameworks send with its errors. */
export function templateComponents({ template }: NormalizedEvent): ComponentsByVariant {
  if (!template) return {};
  return {
    default: component('template', [
      leaf('filename', template.filename),
      leaf('context_line', template.context_line),
    ]),
  };
}

const LINES_MAX = 2;
/** Everything that Unicode and ASCII have to end a line. */
const LINE_BREAK = new RegExp(
  ['\r\n', '\n', '\r', '\v', '\f', '\u001c', '\u001d', '\u001e', '\u0085', '\u2028', '\u2029'].join('|'),
);

/** A message as it is grouped by: its first two lines that are not blank, with what varies replaced. */
export function normalizeMessage(message: string): string {
  const lines = message.split(LINE_BREAK).filter((line) => line.trim() !== '');
  const kept = lines.slice(0, LINES_MAX).join('\n');
  return parameterize(kept === message ? kept : `${kept}...`);
}

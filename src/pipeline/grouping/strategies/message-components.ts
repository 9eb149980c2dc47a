import type { NormalizedEvent } from '#protocol/event.ts';
import { component, leaf } from '../component.ts';
import { normalizeMessage } from '../normalize-message.ts';
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

import type { Frame, NormalizedEvent } from '#protocol/event.ts';
import { codeLocation, isJavaScript, shownFunction } from './code-location.ts';
import { crashingFrame } from './main-exception.ts';
import { cutText } from './normalize/safe-text.ts';

const CULPRIT_CHARS_MAX = 200;
const FUNCTION_ONLY_PLATFORMS: ReadonlySet<string> = new Set(['native', 'c', 'cocoa', 'objc', 'swift']);

/** Where it happened, for people: the transaction, else the crashing function; empty when nothing is known. */
export function culpritOf(event: NormalizedEvent): string {
  const frame = crashingFrame(event);
  const culprit =
    event.transaction ||
    event.culprit ||
    cspDirective(event) ||
    (frame === null ? '' : culpritOfFrame(frame, event.platform)) ||
    event.request?.url ||
    '';
  return cutText(culprit, CULPRIT_CHARS_MAX);
}

function culpritOfFrame(frame: Frame, eventPlatform: string): string {
  const platform = frame.platform || eventPlatform;
  const called = shownFunction(frame);
  if (FUNCTION_ONLY_PLATFORMS.has(platform)) return called || baseName(frame.package ?? '');
  const location = codeLocation(frame, platform);
  if (location === '') return called;
  if (isJavaScript(platform)) return `${called || '?'}(${location})`;
  return called === '' ? location : `${location} in ${called}`;
}

function cspDirective(event: NormalizedEvent): string {
  if (event.type !== 'csp') return '';
  const directive = event.csp?.violated_directive ?? event.csp?.effective_directive;
  return typeof directive === 'string' ? directive : '';
}

const baseName = (path: string): string =>
  path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);

import { hash } from 'node:crypto';
import type { ExceptionValue, Frame, NormalizedEvent } from '#protocol/event.ts';
import { codeLocation, shownFunction } from '../code-location.ts';
import { mainException } from '../main-exception.ts';
import { crashPart } from './crash-part.ts';
import { parameterize } from './parameterize.ts';
import { securityParts } from './security-parts.ts';
import { stableFunction, stableLocation } from './stable-name.ts';

const DEFAULT_PART = /^\{\{\s*default\s*\}\}$/;
const VARIABLE = /\{\{\s*([\w.]{1,50})\s*\}\}/g;

/**
 * Tells which issue an event belongs to: equal hashes are one issue. md5, 32 lower-case hex digits.
 * The SDK's fingerprint decides where there is one; `{{ default }}` in it stands for what Errata finds itself.
 */
export const groupingHash = (event: NormalizedEvent): string => hashOf(groupingParts(event));

/** What the hash is made of, in order: its first part names the kind, unless a fingerprint decides. */
export function groupingParts(event: NormalizedEvent): readonly string[] {
  const fingerprint = event.fingerprint ?? [];
  if (isDefaultFingerprint(fingerprint)) return defaultParts(event);
  return fingerprint.flatMap((part) =>
    DEFAULT_PART.test(part) ? defaultParts(event) : fillVariables(part, event),
  );
}

/** Whether Errata finds the grouping itself. */
export const isDefaultFingerprint = (fingerprint: readonly string[]): boolean =>
  fingerprint.every((part) => DEFAULT_PART.test(part));

const hashOf = (parts: readonly string[]): string => hash('md5', parts.join('\0'));

function fillVariables(part: string, event: NormalizedEvent): string {
  if (!part.includes('{{')) return part;
  return part.replace(VARIABLE, (placeholder, name: string) => variable(name, event) ?? placeholder);
}

/** The variables of Sentry's fingerprints; null for one that does not exist. */
function variable(name: string, event: NormalizedEvent): string | null {
  switch (name) {
    case 'type':
    case 'error.type':
      return mainException(event)?.type ?? '';
    case 'value':
    case 'error.value':
      return mainException(event)?.value ?? '';
    case 'message':
      return event.logentry?.formatted ?? mainException(event)?.value ?? '';
    case 'transaction':
      return event.transaction ?? '';
    case 'level':
      return event.level;
    case 'logger':
      return event.logger ?? '';
    case 'release':
      return event.release ?? '';
    default:
      return null;
  }
}

function defaultParts(event: NormalizedEvent): readonly string[] {
  const exceptions = event.exception?.values ?? [];
  if (exceptions.length > 0) return exceptionParts(exceptions, event.platform);
  const security = securityParts(event);
  if (security !== null) return security;
  const message = messagePart(event);
  if (message !== '') return ['message', message];
  const stacks = [event.stacktrace, ...(event.threads?.values ?? []).map((thread) => thread.stacktrace)];
  for (const stack of stacks) {
    const frames = frameParts(stack?.frames ?? [], event.platform);
    if (frames.length > 0) return ['stacktrace', ...frames];
  }
  return ['empty', event.transaction ?? event.culprit ?? '', event.request?.url ?? ''];
}

function exceptionParts(exceptions: readonly ExceptionValue[], platform: string): readonly string[] {
  const parts = exceptions.map((exception) => exceptionPart(exception, platform));
  // How many members of one kind a group has differs from event to event.
  const hasGroup = exceptions.some((exception) => exception.mechanism?.is_exception_group);
  return ['exception', ...(hasGroup ? new Set(parts) : parts)];
}

function exceptionPart(exception: ExceptionValue, platform: string): string {
  const type = exception.type ?? '';
  const frames = frameParts(exception.stacktrace?.frames ?? [], platform);
  if (frames.length === 0) {
    return crashPart(exception) ?? [type, parameterize(exception.value ?? '')].join('\n');
  }
  return (exception.mechanism?.synthetic ? frames : [type, ...frames]).join('\n');
}

/** The frames of the user's own code, else all of them; those without any name go, and repeats of recursion. */
function frameParts(frames: readonly Frame[], platform: string): readonly string[] {
  const own = namedFrames(frames, platform, true);
  return own.length > 0 ? own : namedFrames(frames, platform, false);
}

function namedFrames(frames: readonly Frame[], platform: string, inAppOnly: boolean): readonly string[] {
  const names: string[] = [];
  for (const frame of frames) {
    if (inAppOnly && frame.in_app !== true) continue;
    const location = stableLocation(codeLocation(frame, platform));
    const called = stableFunction(shownFunction(frame));
    if (location === '' && called === '') continue;
    const name = `${location}:${called}`;
    if (name !== names.at(-1)) names.push(name);
  }
  return names;
}

function messagePart(event: NormalizedEvent): string {
  const entry = event.logentry;
  if (!entry) return '';
  return entry.params && entry.message ? entry.message : parameterize(entry.formatted ?? entry.message ?? '');
}

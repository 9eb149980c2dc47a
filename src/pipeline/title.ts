import {
  type EventMetadata,
  type ExceptionValue,
  FEEDBACK_TYPE,
  type Frame,
  type NormalizedEvent,
} from '#protocol/event.ts';
import type { MonitorEvidence } from '#protocol/monitor-issue.ts';
import { type Occurrence, PERFORMANCE_ISSUE_NAMES } from '#protocol/performance-issue.ts';
import { baseName, codeLocation, isJavaScript, shownFunction } from './code-location.ts';
import { crashingFrame, mainException, tellsFunction } from './main-exception.ts';
import { cutText } from './normalize/safe-text.ts';

/** Title of an event. */
const TITLE_CHARS_MAX = 256;
/** Exception value in the metadata. */
const VALUE_CHARS_MAX = 1_024;
/** Exception type, file and function in the metadata, each. */
const NAME_CHARS_MAX = 256;
const UNTITLED = '<unlabeled event>';
const UNKNOWN = '<unknown>';

/** On these a synthetic exception is a signal: its type says how the process died, the function says where. */
const SIGNAL_PLATFORMS: ReadonlySet<string> = new Set(['native', 'c', 'cocoa', 'objc', 'swift', 'rust']);

/** What an issue of this event is called: `TypeError: x is undefined`, or the first line of the message. */
export function describeEvent(event: NormalizedEvent): { title: string; metadata: EventMetadata } {
  if (event.type === 'csp') return describeCsp(event);
  if (event.occurrence) return describeOccurrence(event.occurrence);
  if (event.type === FEEDBACK_TYPE) return describeFeedback(event);
  if (event.monitor) return describeFailure(event, event.monitor);
  const exception = mainException(event);
  return exception === null ? describeMessage(event) : describeException(event, exception);
}

function describeOccurrence({ type, description }: Occurrence): { title: string; metadata: EventMetadata } {
  const metadata = { type: PERFORMANCE_ISSUE_NAMES[type], value: cutText(description, VALUE_CHARS_MAX) };
  return { title: shorten(titleOf(metadata)), metadata };
}

/** By its first line, with who wrote it. */
function describeFeedback(event: NormalizedEvent): { title: string; metadata: EventMetadata } {
  const { name, contact_email: email } = event.contexts?.feedback ?? {};
  const title = shorten(messageOf(event) || UNTITLED);
  return {
    title,
    metadata: {
      title,
      ...(textOf(name) && { name: cutText(textOf(name), NAME_CHARS_MAX) }),
      ...(textOf(email) && { contact_email: cutText(textOf(email), NAME_CHARS_MAX) }),
    },
  };
}

/** By the monitor, with why it failed. */
function describeFailure(
  event: NormalizedEvent,
  { reason }: MonitorEvidence,
): { title: string; metadata: EventMetadata } {
  const title = shorten(messageOf(event) || UNTITLED);
  return { title, metadata: { title, value: cutText(reason, VALUE_CHARS_MAX) } };
}

function describeException(
  event: NormalizedEvent,
  exception: ExceptionValue,
): { title: string; metadata: EventMetadata } {
  const frame = crashingFrame(event);
  const metadata: EventMetadata = {};
  const isSignal = exception.mechanism?.synthetic === true && SIGNAL_PLATFORMS.has(event.platform);
  const hidesType = isSignal && frame !== null && tellsFunction(frame);
  if (exception.type && !hidesType) metadata.type = cutText(exception.type, NAME_CHARS_MAX);
  if (exception.value) metadata.value = cutText(exception.value, VALUE_CHARS_MAX);
  const filename = frame?.filename || frame?.abs_path;
  if (filename) metadata.filename = cutText(filename, NAME_CHARS_MAX);
  if (frame?.function) metadata.function = cutText(shownFunction(frame), NAME_CHARS_MAX);
  const message = messageOf(event);
  // SDKs for JavaScript put a captured message into an exception without a type, to give it a stack trace.
  const isMessage = !exception.type && message !== '' && message === firstLine(exception.value ?? '');
  const title = (isMessage ? message : titleOf(metadata)) || message || UNKNOWN;
  return { title: shorten(title), metadata };
}

/** Empty when the exception tells nothing. */
function titleOf(metadata: EventMetadata): string {
  const value = firstLine(metadata.value ?? '');
  if (!metadata.type) return metadata.function || value;
  // Crash handlers repeat the type: `EXC_BAD_ACCESS` with `Fatal Error: EXC_BAD_ACCESS`.
  return value === '' || value === `Fatal Error: ${metadata.type}`
    ? metadata.type
    : `${metadata.type}: ${value}`;
}

function describeMessage(event: NormalizedEvent): { title: string; metadata: EventMetadata } {
  const frame = crashingFrame(event);
  const title = shorten(messageOf(event) || frame?.function || event.transaction || UNTITLED);
  return { title, metadata: { title } };
}

const messageOf = (event: NormalizedEvent): string =>
  firstLine(event.logentry?.formatted ?? event.logentry?.message ?? '');

function describeCsp(event: NormalizedEvent): { title: string; metadata: EventMetadata } {
  const report = event.csp ?? {};
  const directive =
    textOf(report.effective_directive) || textOf(report.violated_directive).split(' ', 1)[0] || '';
  const blocked = textOf(report.blocked_uri);
  const source = blocked === 'self' || blocked === '' ? "'self'" : hostOf(blocked);
  const kind = directive.replace(/-src(?:-elem|-attr)?$/, '') || 'content';
  const title = shorten(
    messageOf(event) ||
      (blocked === 'inline' || blocked === 'eval'
        ? `Blocked ${blocked} '${kind}'`
        : `Blocked '${kind}' from ${source === "'self'" ? source : `'${source}'`}`),
  );
  return { title, metadata: { title, value: blocked || undefined, type: directive || undefined } };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const hostOf = (uri: string): string => /^[a-z][\w+.-]*:\/\/([^/?#]+)/i.exec(uri)?.[1] ?? uri;

function firstLine(text: string): string {
  const trimmed = text.trim();
  const end = trimmed.search(/[\r\n]/);
  return end === -1 ? trimmed : trimmed.slice(0, end).trimEnd();
}

const shorten = (title: string): string =>
  title.length > TITLE_CHARS_MAX ? `${cutText(title, TITLE_CHARS_MAX - 1)}…` : title;

/** Culprit of an event. */
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

import { visibleText } from '#lib/visible-text.ts';
import {
  findCrashFrame,
  findCrashStack,
  functionOf,
  libraryOf,
  positionOf,
} from '#product/events/frame-names.ts';
import { readBreadcrumb } from '#product/events/read-breadcrumb.ts';
import type { ExceptionValue, Frame, NormalizedEvent } from '#protocol/event.ts';

const LINE_CHARACTERS_MAX = 300;
const EXCEPTIONS_MAX = 5;
const FRAMES_MAX = 25;
const BREADCRUMBS_MAX = 20;
const VALUE_CHARACTERS_MAX = 200;

/** Where it broke, with the source around it, the line marked; empty without a stack. */
export function crashFrameText(event: NormalizedEvent): string {
  const frame = findCrashFrame(event);
  if (!frame) return '';
  return [frameLine(frame), ...sourceOf(frame), ...variablesOf(frame)].join('\n');
}

/** Exceptions, what was caught first, each with its own calls; without any the calls of the message. */
export function stackText(event: NormalizedEvent): string {
  const exceptions = (event.exception?.values ?? []).toReversed();
  if (exceptions.length === 0) return callLines(findCrashStack(event)?.frames ?? []).join('\n');
  const left = exceptions.length - EXCEPTIONS_MAX;
  return [
    ...exceptions.slice(0, EXCEPTIONS_MAX).map(exceptionText),
    ...(left > 0 ? [`… ${left} more exceptions`] : []),
  ].join('\n\ncaused by\n\n');
}

/** What was found in the transaction, and the spans that show it; empty for events of errors. */
export function occurrenceText({ occurrence }: NormalizedEvent): string {
  if (!occurrence) return '';
  const { description, offenderCount, offenderDurationUs, savableUs, transactionId, spans } = occurrence;
  const ms = (us: number): string => `${Math.round(us / 100) / 10} ms`;
  return [
    oneLine(description, LINE_CHARACTERS_MAX),
    `${offenderCount} spans, ${ms(offenderDurationUs)} in total`,
    ...(savableUs === null ? [] : [`could save up to ${ms(savableUs)}`]),
    ...(transactionId === null ? [] : [`transaction event: ${transactionId}`]),
    ...spans.map(
      (span) =>
        `${span.role} ${span.spanId} at +${ms(span.offsetUs)} for ${ms(span.durationUs)}: ${oneLine(`${span.op} ${span.description}`, LINE_CHARACTERS_MAX)}`,
    ),
  ].join('\n');
}

/** Why a monitor failed; empty for other events. */
export function monitorText({ monitor }: NormalizedEvent): string {
  if (!monitor) return '';
  const facts = monitor.facts.map(({ name, value }) => `${name}: ${value}`);
  return [monitor.reason, ...facts].map((line) => oneLine(line, LINE_CHARACTERS_MAX)).join('\n');
}

/** What the program did last, newest last. */
export function breadcrumbText(event: NormalizedEvent): string {
  return (event.breadcrumbs?.values ?? [])
    .slice(-BREADCRUMBS_MAX)
    .map((crumb) => {
      const { timestamp, level } = crumb;
      const { category, text, status, rest } = readBreadcrumb(crumb);
      const offset =
        typeof timestamp === 'number' ? `${(timestamp - event.timestamp).toFixed(1)} s` : undefined;
      const facts = rest.map(([name, value]) => `${name}=${plain(value)}`);
      const parts = [offset, level, category, text, status, ...facts];
      return oneLine(parts.filter(Boolean).join(' '), LINE_CHARACTERS_MAX);
    })
    .join('\n');
}

/** Method, address, query and headers, each on a line. */
export function requestText({ request }: NormalizedEvent): string {
  if (!request) return '';
  return [
    [request.method, request.url].filter(Boolean).join(' '),
    ...pairs('query', request.query_string),
    ...pairs('header', request.headers),
    ...(request.data === undefined || request.data === null ? [] : [`body ${plain(request.data)}`]),
  ]
    .filter(Boolean)
    .join('\n');
}

/** `device.model=iPhone15,2`, one on each line. */
export function contextText({ contexts }: NormalizedEvent): string {
  return Object.entries(contexts ?? {})
    .flatMap(([name, facts]) =>
      Object.entries(facts)
        .filter(([key, value]) => key !== 'type' && value !== null && value !== undefined)
        .map(([key, value]) => `${name}.${key}=${plain(value)}`),
    )
    .join('\n');
}

function exceptionText({ type, value, mechanism, stacktrace }: ExceptionValue): string {
  const how = mechanism?.handled === false ? ' (not handled)' : mechanism?.handled ? ' (handled)' : '';
  const head = `${[type, value].filter(Boolean).join(': ') || 'Exception without a type'}${how}`;
  return [head, ...callLines(stacktrace?.frames ?? [])].join('\n');
}

/** Own calls, newest first; those of libraries are counted. Without own ones the newest calls. */
const libraryLine = (frames: number) => `    … ${frames} library frame${frames === 1 ? '' : 's'}`;

function callLines(frames: readonly Frame[]): string[] {
  const hasOwn = frames.some((frame) => frame.in_app === true);
  const lines: string[] = [];
  let foreign = 0;
  for (const frame of frames.toReversed()) {
    if (hasOwn && frame.in_app !== true) {
      foreign += 1;
      continue;
    }
    if (foreign > 0) lines.push(libraryLine(foreign));
    foreign = 0;
    lines.push(`    at ${frameLine(frame)}`);
  }
  if (foreign > 0) lines.push(libraryLine(foreign));
  const left = lines.length - FRAMES_MAX;
  return left > 0 ? [...lines.slice(0, FRAMES_MAX), `    … ${left} more`] : lines;
}

function frameLine(frame: Frame): string {
  const at = positionOf(frame) || libraryOf(frame) || frame.instruction_addr;
  return oneLine(at ? `${functionOf(frame)} in ${at}` : functionOf(frame), LINE_CHARACTERS_MAX);
}

function sourceOf({ pre_context, context_line, post_context, lineno }: Frame): string[] {
  if (typeof context_line !== 'string') return [];
  const before = pre_context ?? [];
  const first = lineno ? lineno - before.length : null;
  return [...before, context_line, ...(post_context ?? [])].map((text, offset) => {
    const mark = offset === before.length ? '>' : ' ';
    const number = first === null ? '' : `${first + offset} `;
    return `${mark} ${number}| ${(text ?? '').slice(0, LINE_CHARACTERS_MAX)}`;
  });
}

function variablesOf({ vars }: Frame): string[] {
  const entries = Object.entries(vars ?? {});
  return entries.length === 0
    ? []
    : ['variables:', ...entries.map(([name, value]) => `  ${name} = ${plain(value)}`)];
}

const pairs = (
  kind: string,
  list: readonly (readonly [string, string])[] | null | undefined,
): readonly string[] => (list ?? []).map(([name, value]) => `${kind} ${name}: ${plain(value)}`);

const plain = (value: unknown): string =>
  oneLine(typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value)), VALUE_CHARACTERS_MAX);

/** Longer runs of backticks are cut, so that a fence around them stays short. */
const BACKTICKS_MAX = 8;

/** Text from outside as a block of code that it cannot end, of at most so many characters; empty for no text. */
export function fence(text: string, charactersMax: number): string {
  const seen = cut(visible(text), charactersMax).replace(/`{9,}/g, '`'.repeat(BACKTICKS_MAX));
  if (seen.trim() === '') return '';
  const longest = Math.max(2, ...[...seen.matchAll(/`+/g)].map(([run]) => run.length));
  const mark = '`'.repeat(longest + 1);
  return `${mark}text\n${seen}\n${mark}`;
}

/** Text from outside on one line, of at most so many characters. */
export function oneLine(text: string, charactersMax: number): string {
  return cut(text.replace(/\s+/g, ' ').trim(), charactersMax);
}

function cut(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  return `${text.slice(0, charactersMax).toWellFormed()}\n… ${text.length - charactersMax} more characters`;
}

/** What ends lines in some readers only ends them here as well. */
const visible = (text: string): string => visibleText(text.replace(/\r\n?|[\u2028\u2029]/g, '\n'));

import type { MaintenanceWindow, StatusRange, UptimeAssertion } from '#domain/uptime/monitor.ts';
import { invalid } from '#lib/errors.ts';

/** Lists as people type them, one thing in a line. Each reading throws Invalid for a line that cannot be read. */

const linesOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** `200-299, 404` */
export function readStatuses(text: string): readonly StatusRange[] {
  return text.split(/[,\s]+/).flatMap((part) => {
    if (part === '') return [];
    const [, from, to = from] = /^(\d{3})(?:[-–](\d{3}))?$/.exec(part) ?? [];
    if (from === undefined) {
      throw invalid(`“${part.slice(0, 40)}” is not a status code: enter 200 or 200-299`, 'statuses');
    }
    return [{ from: Number(from), to: Number(to) }];
  });
}

/** `body contains OK`, `body does not contain error`, `json data.id`, `json status = ok`, `header X-Cache = HIT` */
export const readAssertions = (text: string): readonly UptimeAssertion[] => linesOf(text).map(readAssertion);

function readAssertion(line: string): UptimeAssertion {
  const [, negation, wanted] = /^body (?:(does not contain|lacks)|contains) (.+)$/i.exec(line) ?? [];
  if (wanted !== undefined) return { kind: 'text', text: wanted, isAbsent: negation !== undefined };
  const [, kind, subject, equals = null] = /^(json|header) (\S+|\S.*?\])(?:\s*=\s*(.+))?$/i.exec(line) ?? [];
  if (kind === undefined || subject === undefined) {
    throw invalid(
      `“${line.slice(0, 60)}” is not an assertion: write “body contains OK”, “json status = ok”, or “header X-Cache = HIT”`,
      'assertions',
    );
  }
  return kind.toLowerCase() === 'json'
    ? { kind: 'json', path: subject, equals }
    : { kind: 'header', name: subject, equals };
}

export const writeAssertions = (assertions: readonly UptimeAssertion[]): string =>
  assertions.map(writeAssertion).join('\n');

function writeAssertion(assertion: UptimeAssertion): string {
  if (assertion.kind === 'text') {
    return `body ${assertion.isAbsent ? 'does not contain' : 'contains'} ${assertion.text}`;
  }
  const subject = assertion.kind === 'json' ? `json ${assertion.path}` : `header ${assertion.name}`;
  return assertion.equals === null ? subject : `${subject} = ${assertion.equals}`;
}

/** `Authorization: Bearer …`; null for a name without a value, which keeps what is saved. */
export function readHeaders(text: string): Readonly<Record<string, string | null>> {
  const headers = linesOf(text).map((line): [string, string | null] => {
    const colon = line.indexOf(':');
    const name = (colon < 0 ? line : line.slice(0, colon)).trim();
    return [name, colon < 0 ? null : line.slice(colon + 1).trim() || null];
  });
  const names = headers.map(([name]) => name.toLowerCase());
  if (new Set(names).size < names.length) throw invalid('Each header can be sent only once', 'headers');
  return Object.fromEntries(headers);
}

/** Values are never shown again: a name by itself stands for what is saved. */
export const writeHeaders = (names: readonly string[]): string => names.map((name) => `${name}:`).join('\n');

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MOMENT = String.raw`(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)`;
const ONCE = new RegExp(`^${MOMENT} (?:to|-|–) (?:${MOMENT}|(\\d\\d:\\d\\d))$`, 'i');
const WEEKLY = /^(\w+?)s? (\d\d):(\d\d) for (\d{1,4}) ?min(?:utes?)?$/i;

/** `2026-12-01 22:00 to 2026-12-02 02:00`, `Sunday 02:00 for 90 min`; in UTC */
export const readWindows = (text: string): readonly MaintenanceWindow[] => linesOf(text).map(readWindow);

function readWindow(line: string): MaintenanceWindow {
  const once = ONCE.exec(line);
  if (once) {
    const [, fromDay, fromTime, toDay = fromDay, toTime, sameDay = toTime] = once;
    const fromMs = Date.parse(`${fromDay}T${fromTime}Z`);
    const toMs = Date.parse(`${toDay}T${sameDay}Z`);
    if (!Number.isNaN(fromMs) && !Number.isNaN(toMs)) return { kind: 'once', fromMs, toMs };
  }
  const weekly = WEEKLY.exec(line);
  const weekday = WEEKDAYS.findIndex((day) => day.toLowerCase() === weekly?.[1]?.toLowerCase());
  if (!weekly || weekday < 0) {
    throw invalid(
      `“${line.slice(0, 60)}” is not a window: write “2026-12-01 22:00 to 2026-12-02 02:00” or “Sunday 02:00 for 90 min”`,
      'maintenance',
    );
  }
  const [, , hours, minutes, length] = weekly;
  return {
    kind: 'weekly',
    weekday,
    startMinute: Number(hours) * 60 + Number(minutes),
    minutes: Number(length),
  };
}

export const writeWindows = (windows: readonly MaintenanceWindow[]): string =>
  windows.map(writeWindow).join('\n');

export function writeWindow(window: MaintenanceWindow): string {
  if (window.kind === 'once') return `${minuteOf(window.fromMs)} to ${minuteOf(window.toMs)}`;
  const two = (value: number) => String(value).padStart(2, '0');
  const time = `${two(Math.floor(window.startMinute / 60))}:${two(window.startMinute % 60)}`;
  return `${WEEKDAYS[window.weekday]} ${time} for ${window.minutes} min`;
}

const minuteOf = (ms: number): string => new Date(ms).toISOString().slice(0, 16).replace('T', ' ');

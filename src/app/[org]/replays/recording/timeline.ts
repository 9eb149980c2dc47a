import { visibleStart } from '#lib/visible-text.ts';

/** Longest text of an entry. */
const TEXT_CHARACTERS_MAX = 2_000;
/** Entries of one replay, of all kinds together. */
export const ENTRIES_MAX = 50_000;

export type EntryKind =
  | 'click'
  | 'dead-click'
  | 'rage-click'
  | 'navigation'
  | 'input'
  | 'console'
  | 'network'
  | 'error'
  | 'memory'
  | 'other';

/** Something that happened in a replay. */
export type Entry = {
  kind: EntryKind;
  /** Milliseconds since the replay began. */
  at: number;
  /** What it was, for people. */
  title: string;
  text: string;
  level: 'error' | 'warning' | 'info';
  request?: NetworkRequest;
  /** Bytes of the JavaScript heap in use. */
  heapBytes?: number;
  /** The page of the event, of errors whose issue is there. */
  href?: string;
};

export type NetworkRequest = {
  method: string;
  /** 0 when there was no answer, or it was not said. */
  status: number;
  /** Of the answer; null when it was not said. */
  bytes: number | null;
  durationMs: number;
};

type Fields = Readonly<Record<string, unknown>>;

/** What an event of a recording tells, besides the picture; null for nothing. `originMs` is when the replay began. */
export function readEntry(event: unknown, originMs: number): Entry | null {
  const data = fieldsOf(fieldsOf(event).data);
  const payload = fieldsOf(data.payload);
  if (data.tag === 'breadcrumb') return readBreadcrumb(payload, originMs);
  return data.tag === 'performanceSpan' ? readSpan(payload, originMs) : null;
}

function readBreadcrumb(payload: Fields, originMs: number): Entry | null {
  const category = textOf(payload.category);
  const data = fieldsOf(payload.data);
  const text = textOf(payload.message);
  const entry = (kind: EntryKind, title: string, more: Partial<Entry> = {}): Entry => ({
    kind,
    at: timeOf(payload.timestamp) - originMs,
    title,
    text: textOf(text),
    level: 'info',
    ...more,
  });
  switch (category) {
    case 'ui.click':
    case 'ui.tap':
      return entry('click', category === 'ui.tap' ? 'Tap' : 'Click');
    case 'ui.slowClickDetected':
    case 'ui.multiClick':
      return readSlowClick(category, data, entry);
    case 'ui.input':
      return entry('input', 'Input');
    case 'ui.keyDown':
      return entry('input', 'Key press', { text: textOf(data.key) });
    case 'ui.focus':
    case 'ui.blur':
    case 'replay.mutations':
    case 'ui.scroll':
    case 'ui.swipe':
      return entry('other', TITLES[category]);
    case 'navigation':
      return entry('navigation', 'Navigation', { text: textOf(data.to) || text });
    case 'console':
      return entry('console', 'Console', { level: levelOf(payload.level) });
    case 'replay.hydrate-error':
      return entry('other', 'Hydration error', { level: 'error', text: textOf(data.url) });
    case '':
      return null;
    default:
      return entry('other', category, { level: levelOf(payload.level) });
  }
}

const TITLES = {
  'ui.focus': 'Page focused',
  'ui.blur': 'Page left',
  'replay.mutations': 'Many changes of the page',
  'ui.scroll': 'Scroll',
  'ui.swipe': 'Swipe',
} as const;

/** A click is dead when nothing changed for as long, in milliseconds. */
const DEAD_MS_MIN = 7_000;
const RAGE_CLICKS_MIN = 5;

/** As the counts of the list are made: src/pipeline/replays/count-clicks.ts. */
function readSlowClick(
  category: string,
  data: Fields,
  entry: (kind: EntryKind, title: string, more?: Partial<Entry>) => Entry,
): Entry {
  const count = Number(data.clickCount) || 0;
  const isDead =
    category === 'ui.slowClickDetected' &&
    data.endReason === 'timeout' &&
    Number(data.timeAfterClickMs) >= DEAD_MS_MIN;
  if (count >= RAGE_CLICKS_MIN && (isDead || category === 'ui.multiClick')) {
    return entry('rage-click', `Rage click, ${count} times`, { level: 'error' });
  }
  if (isDead) return entry('dead-click', 'Dead click', { level: 'warning' });
  return entry('click', category === 'ui.multiClick' ? `Click, ${count} times` : 'Slow click');
}

function readSpan(payload: Fields, originMs: number): Entry | null {
  const op = textOf(payload.op);
  const data = fieldsOf(payload.data);
  const startMs = timeOf(payload.startTimestamp);
  const base = { at: startMs - originMs, text: textOf(payload.description), level: 'info' } as const;
  if (op === 'memory') {
    const heapBytes = Number(fieldsOf(data.memory).usedJSHeapSize);
    return Number.isFinite(heapBytes) ? { ...base, kind: 'memory', title: 'Memory', heapBytes } : null;
  }
  if (op.startsWith('navigation.')) return { ...base, kind: 'navigation', title: 'Page load' };
  if (!op.startsWith('resource.')) return null;
  const request = readRequest(op, data, Math.max(0, timeOf(payload.endTimestamp) - startMs));
  return {
    ...base,
    kind: 'network',
    title: request.method,
    request,
    level: request.status >= 400 ? 'error' : 'info',
  };
}

function readRequest(op: string, data: Fields, durationMs: number): NetworkRequest {
  const sizes = [fieldsOf(data.response).size, data.responseBodySize, data.size, data.decodedBodySize];
  const bytes = sizes.find((size): size is number => typeof size === 'number' && size >= 0);
  return {
    method: textOf(data.method).toUpperCase() || (op === 'resource.script' ? 'SCRIPT' : 'GET'),
    status: Number(data.statusCode) || 0,
    bytes: bytes ?? null,
    durationMs,
  };
}

const LEVELS: Readonly<Record<string, Entry['level']>> = {
  error: 'error',
  fatal: 'error',
  warning: 'warning',
  warn: 'warning',
};
const levelOf = (level: unknown): Entry['level'] => LEVELS[textOf(level)] ?? 'info';

/** Milliseconds since the epoch, of either that or seconds: SDKs write both. 0 for anything else. */
export function timeOf(timestamp: unknown): number {
  const time = Number(timestamp);
  if (!Number.isFinite(time)) return 0;
  return time < 100_000_000_000 ? time * 1_000 : time;
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? visibleStart(value, TEXT_CHARACTERS_MAX) : '';

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

/** Whether a person did something: a move, a click, a scroll, an input, a touch. */
export function isActivity(event: { type: number; data: unknown }): boolean {
  return event.type === INCREMENTAL && ACTIVE_SOURCES.has(Number(fieldsOf(event.data).source));
}

const INCREMENTAL = 3;
const ACTIVE_SOURCES: ReadonlySet<number> = new Set([1, 2, 3, 4, 5, 6, 7, 12]);

/** A pause is skipped from this length on, in milliseconds. */
const IDLE_MS_MIN = 10_000;

export type Span = { from: number; to: number };

/** Where nobody did anything for more than 10 s, between the times of activity, which are in order. */
export function findIdleSpans(activeAt: readonly number[], endMs: number): readonly Span[] {
  const spans: Span[] = [];
  let from = 0;
  for (const at of [...activeAt, endMs]) {
    if (at - from > IDLE_MS_MIN) spans.push({ from, to: at });
    from = Math.max(from, at);
  }
  return spans;
}

/** What still plays at the end of a pause, in milliseconds: the eye sees what it led to. */
const LEAD_MS = 1_000;

/** Where to go on when a pause is skipped; null when there is none at this time, or it is nearly over. */
export function skipTarget(spans: readonly Span[], at: number): number | null {
  const span = spans.find(({ from, to }) => at >= from + LEAD_MS && at < to - 2 * LEAD_MS);
  return span ? span.to - LEAD_MS : null;
}

/** The last entry that has happened by then; -1 before the first. Entries are in order. */
export function findCurrent(entries: readonly Entry[], at: number): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (entries[middle]!.at <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** `1:05`, from an hour on `1:02:03`. */
export function formatClock(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  const tail = String(seconds % 60).padStart(2, '0');
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${tail}` : `${minutes}:${tail}`;
}

import type { DigestedMetric } from '#protocol/telemetry.ts';
import { cutText, toSafeText } from '../normalize/safe-text.ts';
import {
  METRIC_NAME_CHARS_MAX,
  METRIC_UNIT_CHARS_MAX,
  STATSD_TAG_CHARS_MAX,
  STATSD_TAGS_CHARS_MAX,
  STATSD_TAGS_MAX,
} from '../telemetry/limits.ts';

export type StatsdLine = {
  name: string;
  unit: string;
  type: DigestedMetric['type'];
  /** One of a counter (their sum) and of a gauge (the last); each one of the others. */
  values: readonly number[];
  tags: readonly (readonly [string, string])[];
  /** Least, greatest, sum and count of a gauge that was aggregated; null otherwise. */
  gauge: { min: number; max: number; sum: number; count: number } | null;
  /** Seconds since the epoch; null when the line does not say. */
  timestamp: number | null;
};

const TYPES: Readonly<Record<string, DigestedMetric['type']>> = {
  c: 'counter',
  m: 'counter',
  d: 'distribution',
  h: 'distribution',
  ms: 'distribution',
  g: 'gauge',
  s: 'set',
};

/** Values of one line; a line with more is rejected. */
const VALUES_PER_LINE_MAX = 1_000;

/**
 * Reads `[namespace/]name[@unit]:value[:value…]|type[|@rate][|#tag:value,…][|Tseconds]`; null when it is none. A counter is the
 * sum of its values, divided by the sample rate when there is one. Source: relay-metrics/src/bucket.rs.
 */
export function parseStatsdLine(line: string): StatsdLine | null {
  const [head = '', typeSent = '', ...sections] = line.split('|');
  const colon = head.indexOf(':');
  const type = Object.hasOwn(TYPES, typeSent) ? TYPES[typeSent] : undefined;
  if (colon <= 0 || type === undefined) return null;
  const named = readNameAndUnit(head.slice(0, colon), typeSent);
  const read = readValues(type, head.slice(colon + 1).split(':'), rateOf(sections));
  if (named === null || read === null) return null;
  const time = sections.find((section) => section.startsWith('T'))?.slice(1);
  if (time !== undefined && !/^\d{1,11}$/.test(time)) return null;
  const tags = sections.findLast((section) => section.startsWith('#'))?.slice(1);
  return {
    ...named,
    type,
    ...read,
    tags: readTags(tags),
    timestamp: time === undefined ? null : Number(time),
  };
}

function readNameAndUnit(sent: string, type: string): { name: string; unit: string } | null {
  const at = sent.lastIndexOf('@');
  const name = readMetricName(withoutDefaultNamespace(at === -1 ? sent : sent.slice(0, at)));
  if (name === null || !/^[a-zA-Z]/.test(name)) return null;
  const unit = at === -1 ? (type === 'ms' ? 'ms' : '') : sent.slice(at + 1);
  return { name, unit: readUnit(unit) };
}

const withoutDefaultNamespace = (name: string): string =>
  name.startsWith('custom/') ? name.slice('custom/'.length) : name;

function readValues(
  type: DigestedMetric['type'],
  sent: readonly string[],
  rate: number,
): Pick<StatsdLine, 'values' | 'gauge'> | null {
  if (sent.length > VALUES_PER_LINE_MAX) return null;
  if (type === 'set') return { values: [...new Set(sent.map(hashSetValue))], gauge: null };
  const numbers = sent.map(numberOf);
  if (!numbers.every((number) => number !== null)) return null;
  const [first = 0, min = 0, max = 0, sum = 0, count = 0] = numbers;
  if (type === 'gauge') {
    if (numbers.length !== 1 && numbers.length !== 5) return null;
    return { values: [first], gauge: numbers.length === 5 ? { min, max, sum, count } : null };
  }
  if (type === 'distribution') return { values: numbers, gauge: null };
  const total = numbers.reduce((left, right) => left + right, 0) / rate;
  return Number.isFinite(total) ? { values: [total], gauge: null } : null;
}

const numberOf = (sent: string): number | null =>
  /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?$/.test(sent) && Number.isFinite(Number(sent))
    ? Number(sent)
    : null;

function rateOf(sections: readonly string[]): number {
  const rate = Number(sections.find((section) => section.startsWith('@'))?.slice(1) ?? 1);
  return rate > 0 && rate <= 1 ? rate : 1;
}

/** Tags with unreadable keys go, as in the reference; the last of equal keys wins. */
function readTags(sent: string | undefined): [string, string][] {
  const tags = new Map<string, string>();
  let charsLeft = STATSD_TAGS_CHARS_MAX;
  for (const tag of sent?.split(',') ?? []) {
    const colon = tag.indexOf(':');
    const key = colon === -1 ? tag : tag.slice(0, colon);
    if (!/^[\w\-./]{1,200}$/.test(key) || (tags.size >= STATSD_TAGS_MAX && !tags.has(key))) continue;
    const value = colon === -1 ? '' : unescapeTag(tag.slice(colon + 1)).slice(0, STATSD_TAG_CHARS_MAX);
    charsLeft -= key.length + value.length;
    if (charsLeft < 0) break;
    tags.set(key, toSafeText(value));
  }
  return [...tags];
}

const ESCAPES: Readonly<Record<string, string>> = { t: '\t', r: '\r', n: '\n', '\\': '\\' };

const unescapeTag = (value: string): string =>
  value.replaceAll(/\\(?:u\{([0-9a-fA-F]{1,6})\}|(.))/g, (match, hex: string | undefined, sign: string) => {
    if (hex === undefined) return ESCAPES[sign] ?? match;
    const code = Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : match;
  });

const OFFSET = 0x811c9dc5;
const PRIME = 0x01000193;

/**
 * A value of a set as a number: a 32-bit integer is itself, any other text its 32-bit FNV-1a hash, as in the reference
 * (relay-metrics/src/protocol.rs).
 */
export function hashSetValue(value: string): number {
  if (/^\d{1,10}$/.test(value) && Number(value) <= 0xffffffff) return Number(value);
  let hash = OFFSET;
  for (const byte of Buffer.from(value, 'utf8')) hash = Math.imul(hash ^ byte, PRIME);
  return hash >>> 0;
}

/**
 * A metric's name with every run of other signs than letters, digits, `_`, `.` and `/` as one `_`; null when nothing
 * of it can be read. Source: relay-event-normalization/src/eap/trace_metric.rs.
 */
export function readMetricName(sent: unknown): string | null {
  if (typeof sent !== 'string' || sent.trim() === '') return null;
  return sent.replaceAll(/[^a-zA-Z0-9_./]+/g, '_').slice(0, METRIC_NAME_CHARS_MAX);
}

/** Short forms of the units that the protocol knows. Source: relay-base-schema/src/metrics/units.rs. */
const ALIASES: Readonly<Record<string, string>> = {
  ns: 'nanosecond',
  us: 'microsecond',
  ms: 'millisecond',
  s: 'second',
  min: 'minute',
  h: 'hour',
  '': 'none',
  unit: 'none',
};

/** The unit by its long name; one of the SDK's own is kept; `none` without one. */
export function readUnit(sent: unknown): string {
  if (typeof sent !== 'string') return 'none';
  const unit = sent.trim().toLowerCase();
  if (Object.hasOwn(ALIASES, unit)) return ALIASES[unit] ?? 'none';
  return cutText(toSafeText(unit), METRIC_UNIT_CHARS_MAX);
}

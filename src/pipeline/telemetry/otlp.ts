import { LOGS_DATA, METRICS_DATA, type OtlpTable, TRACES_DATA } from '#protocol/otlp/otlp-tables.ts';
import { readOtlpBinary } from '#protocol/otlp/read-otlp-binary.ts';
import type { RawItem } from '../item.ts';
import { isSource, type Source } from '../normalize/field-reader.ts';
import { parseJson } from '../parse-json.ts';
import { AttributeSet } from './attributes.ts';
import {
  SHARED_ATTRIBUTES_CHARS_MAX,
  SHARED_COPIES_CHARS_MIN,
  SHARED_COPIES_CHARS_PER_BYTE,
} from './limits.ts';

/** Elements that share a resource and a scope. */
type OtlpGroup = { resource: Source; scope: Source; elements: readonly unknown[] };

const NAMES: Readonly<
  Record<
    'traces' | 'logs' | 'metrics',
    { table: OtlpTable; resources: string; scopes: string; elements: string }
  >
> = {
  traces: { table: TRACES_DATA, resources: 'resourceSpans', scopes: 'scopeSpans', elements: 'spans' },
  logs: { table: LOGS_DATA, resources: 'resourceLogs', scopes: 'scopeLogs', elements: 'logRecords' },
  metrics: {
    table: METRICS_DATA,
    resources: 'resourceMetrics',
    scopes: 'scopeMetrics',
    elements: 'metrics',
  },
};

/**
 * The elements of an OTLP request, JSON or protobuf by its content type (protobuf without one), in the shape of the JSON
 * encoding; null when it cannot be read. Source: https://opentelemetry.io/docs/specs/otlp/
 */
export function readOtlpGroups(item: RawItem, signal: keyof typeof NAMES): OtlpGroup[] | null {
  const { table, resources, scopes, elements } = NAMES[signal];
  const data = decode(item, table);
  if (data === null) return null;
  const listed = data[resources];
  if (listed !== undefined && listed !== null && !Array.isArray(listed)) return null;
  return sourcesAt(data, resources).flatMap((perResource) =>
    sourcesAt(perResource, scopes).map((perScope) => ({
      resource: sourceAt(perResource, 'resource'),
      scope: sourceAt(perScope, 'scope'),
      elements: listAt(perScope, elements),
    })),
  );
}

function decode(item: RawItem, table: OtlpTable): Source | null {
  const contentType = item.contentType?.split(';', 1)[0]?.trim().toLowerCase();
  if (contentType !== 'application/json') return readOtlpBinary(item.payload, table);
  const parsed = parseJson(item.payload);
  return parsed.kind === 'parsed' ? parsed.value : null;
}

const NOTHING_THERE: Source = {};

const sourceAt = (source: Source, key: string): Source => {
  const value = source[key];
  return isSource(value) ? value : NOTHING_THERE;
};

const listAt = (source: Source, key: string): readonly unknown[] => {
  const value = source[key];
  return Array.isArray(value) ? value : [];
};

const sourcesAt = (source: Source, key: string): Source[] => listAt(source, key).filter(isSource);

/** Attributes of a group's resource and scope, as its elements carry them. */
export type SharedAttributes = { entries: readonly (readonly [string, unknown])[]; chars: number };

/** What is kept of a resource when the copies of its attributes would become too many. */
const ESSENTIAL: ReadonlySet<string> = new Set(['service.name', 'sentry.platform']);

/** Names of OpenTelemetry's languages that Sentry knows by others. Source: relay-otel/src/lib.rs. */
const PLATFORMS: Readonly<Record<string, string>> = { dotnet: 'csharp', nodejs: 'node', webjs: 'javascript' };

/**
 * `resource.…` and `instrumentation.…` as in the reference, with the service's name and the platform under the names that
 * elements of Sentry's SDKs have. Source: relay-otel/src/lib.rs.
 */
export function readSharedAttributes({ resource, scope }: OtlpGroup): SharedAttributes {
  const shared = new AttributeSet(true, SHARED_ATTRIBUTES_CHARS_MAX);
  const resourceEntries = plainEntries(resource.attributes);
  const find = (name: string): unknown => resourceEntries.find(([key]) => key === name)?.[1];
  shared.set('service.name', find('service.name'));
  shared.set('sentry.platform', platformOf(find('telemetry.sdk.language')));
  for (const [key, value] of resourceEntries) shared.set(`resource.${key}`, value);
  for (const [key, value] of plainEntries(scope.attributes)) shared.set(`instrumentation.${key}`, value);
  setText(shared, 'instrumentation.name', scope);
  setText(shared, 'instrumentation.version', scope);
  const entries = Object.entries(shared.toRecord());
  const chars = entries.reduce((sum, [key, value]) => sum + key.length + String(value).length, 0);
  return { entries, chars };
}

/** Hands out copies of shared attributes as long as they stay in proportion to the payload that they came in. */
export class SharedCopies {
  #charsLeft: number;

  constructor(payloadBytes: number) {
    this.#charsLeft = Math.max(SHARED_COPIES_CHARS_MIN, payloadBytes * SHARED_COPIES_CHARS_PER_BYTE);
  }

  /** The element's own attributes win. */
  addTo(attributes: AttributeSet, shared: SharedAttributes): void {
    this.#charsLeft -= shared.chars;
    const isAffordable = this.#charsLeft >= 0;
    for (const [key, value] of shared.entries) {
      if (isAffordable || ESSENTIAL.has(key)) attributes.setMissing(key, value);
    }
  }
}

function platformOf(language: unknown): string | undefined {
  if (typeof language !== 'string' || language === '') return undefined;
  return Object.hasOwn(PLATFORMS, language) ? PLATFORMS[language] : language;
}

function setText(
  shared: AttributeSet,
  key: 'instrumentation.name' | 'instrumentation.version',
  scope: Source,
) {
  const value = scope[key.slice('instrumentation.'.length)];
  if (typeof value === 'string' && value !== '') shared.set(key, value);
}

/** Nested values of an attribute; deeper ones are left out. */
const DEPTH_MAX = 8;

/** An OTLP value (`{stringValue: …}`) as plain JSON; undefined when it has none. Numbers that are too large stay text. */
export function plainOfOtlpValue(value: unknown, depth = 0): unknown {
  if (!isSource(value) || depth > DEPTH_MAX) return undefined;
  if (typeof value.stringValue === 'string') return value.stringValue;
  if (typeof value.boolValue === 'boolean') return value.boolValue;
  if (value.intValue !== undefined) return integerOf(value.intValue);
  if (typeof value.doubleValue === 'number') return value.doubleValue;
  if (typeof value.bytesValue === 'string') return value.bytesValue;
  if (isSource(value.arrayValue)) {
    return listOf(value.arrayValue.values).map((each) => plainOfOtlpValue(each, depth + 1) ?? null);
  }
  if (isSource(value.kvlistValue)) {
    return Object.fromEntries(plainEntries(value.kvlistValue.values, depth + 1));
  }
  return undefined;
}

/** The pairs of an OTLP attribute list that have a key and a value. */
export const plainEntries = (attributes: unknown, depth = 0): [string, unknown][] =>
  listOf(attributes).flatMap((pair): [string, unknown][] => {
    if (!isSource(pair) || typeof pair.key !== 'string') return [];
    const value = plainOfOtlpValue(pair.value, depth);
    return value === undefined ? [] : [[pair.key, value]];
  });

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function integerOf(sent: unknown): number | string | undefined {
  if (typeof sent === 'number') return sent;
  if (typeof sent !== 'string' || !/^-?\d{1,20}$/.test(sent)) return undefined;
  return Number.isSafeInteger(Number(sent)) ? Number(sent) : sent;
}

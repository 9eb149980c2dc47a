import { LOGS_DATA, type OtlpTable, TRACES_DATA } from '#protocol/otlp/otlp-tables.ts';
import { readOtlpBinary } from '#protocol/otlp/read-otlp-binary.ts';
import type { RawItem } from '../item.ts';
import { isSource, type Source } from '../normalize/field-reader.ts';
import { parseJson } from '../parse-json.ts';

/** Elements that share a resource and a scope. */
export type OtlpGroup = { resource: Source; scope: Source; elements: readonly unknown[] };

const NAMES: Readonly<
  Record<'traces' | 'logs', { table: OtlpTable; resources: string; scopes: string; elements: string }>
> = {
  traces: { table: TRACES_DATA, resources: 'resourceSpans', scopes: 'scopeSpans', elements: 'spans' },
  logs: { table: LOGS_DATA, resources: 'resourceLogs', scopes: 'scopeLogs', elements: 'logRecords' },
};

/**
 * The elements of an OTLP request, JSON or protobuf by its content type (protobuf without one), in the shape of the JSON
 * encoding; null when it cannot be read. Source: https://opentelemetry.io/docs/specs/otlp/
 */
export function readOtlpGroups(item: RawItem, signal: 'traces' | 'logs'): OtlpGroup[] | null {
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

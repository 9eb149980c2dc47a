import { isDeepStrictEqual } from 'node:util';
import {
  type AdvancedRule,
  BODY_POLICIES,
  BROWSER_FILTERS,
  DEFAULT_INGEST_SETTINGS,
  type IngestSettings,
  type LegacyBrowser,
  type PrivacySettings,
} from '#protocol/ingest-settings.ts';

/**
 * A project's settings from what was kept of them. Tolerant: a field that another version wrote, or that has another
 * shape than this version expects, counts as not decided.
 */
export function readIngestSettings(kept: unknown): IngestSettings {
  const parts = asRecord(kept);
  return {
    filters: readPart(DEFAULT_INGEST_SETTINGS.filters, parts.filters),
    privacy: readPart(DEFAULT_INGEST_SETTINGS.privacy, parts.privacy),
    spike: readPart(DEFAULT_INGEST_SETTINGS.spike, parts.spike),
  };
}

/** Privacy settings from what was kept of them, over the given defaults. */
export const readPrivacy = (kept: unknown, defaults: PrivacySettings): PrivacySettings =>
  readPart(defaults, kept);

/** The fields that differ from the defaults: what is worth keeping. */
export const decidedFields = <T extends object>(defaults: T, decided: T): Partial<T> =>
  Object.fromEntries(
    Object.entries(decided).filter(
      ([name, value]) =>
        Object.hasOwn(defaults, name) && !isDeepStrictEqual(value, defaults[name as keyof T]),
    ),
  ) as Partial<T>;

function readPart<T extends object>(defaults: T, kept: unknown): T {
  const fields = asRecord(kept);
  const known = Object.entries(defaults).map(([name, value]) => [
    name,
    Object.hasOwn(fields, name) ? readField(name, fields[name], value) : value,
  ]);
  return Object.fromEntries(known) as T;
}

function readField(name: string, kept: unknown, fallback: unknown): unknown {
  if (Array.isArray(fallback)) return Array.isArray(kept) ? kept.filter(ELEMENTS[name] ?? isText) : fallback;
  const values = VALUES[name];
  if (values) return values.includes(kept) ? kept : fallback;
  if (typeof fallback === 'number') return Number.isFinite(kept) ? kept : fallback;
  return typeof kept === typeof fallback ? kept : fallback;
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** What elements of a list must be, where it is not just text. */
const ELEMENTS: Readonly<Record<string, (value: unknown) => boolean>> = {
  legacyBrowsers: (value) => BROWSER_FILTERS.includes(value as LegacyBrowser),
  advancedRules: isAdvancedRule,
};

/** Texts that are one of a few. */
const VALUES: Readonly<Record<string, readonly unknown[]>> = {
  textAttachments: BODY_POLICIES,
  recordings: BODY_POLICIES,
};

const METHODS: readonly unknown[] = ['remove', 'mask', 'hash', 'replace'] satisfies AdvancedRule['method'][];

function isAdvancedRule(value: unknown): boolean {
  const { method, type, pattern, placeholder, selector } = asRecord(value);
  return (
    METHODS.includes(method) &&
    isText(type) &&
    isText(selector) &&
    (pattern === null || isText(pattern)) &&
    (placeholder === null || isText(placeholder))
  );
}

const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};

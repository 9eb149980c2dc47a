import { z } from 'zod';
import { invalid, messageOf } from '#lib/errors.ts';
import { LISTED_FILTERS } from '#product/inbound-filters/filter-catalogue.ts';
import { checkFilterLines } from '#product/inbound-filters/inbound-filters.ts';
import {
  BODY_POLICIES,
  BROWSER_FILTERS,
  DEFAULT_INGEST_SETTINGS,
  type IngestSettings,
} from '#protocol/ingest-settings.ts';

const RULE = z.strictObject({
  method: z.enum(['remove', 'mask', 'hash', 'replace']),
  type: z.string(),
  pattern: z.string().nullable().default(null),
  placeholder: z.string().nullable().default(null),
  selector: z.string(),
});

const SETTINGS = z.strictObject({
  filters: z
    .strictObject({
      browserExtensions: z.boolean(),
      legacyBrowsers: z.array(z.enum(BROWSER_FILTERS)),
      localhost: z.boolean(),
      webCrawlers: z.boolean(),
      healthChecks: z.boolean(),
      reactHydrationErrors: z.boolean(),
      chunkLoadErrors: z.boolean(),
      ipAddresses: z.array(z.string()),
      releases: z.array(z.string()),
      errorMessages: z.array(z.string()),
    })
    .partial()
    .default({}),
  privacy: z
    .strictObject({
      defaultRules: z.boolean(),
      scrubIpAddresses: z.boolean(),
      sensitiveFields: z.array(z.string()),
      safeFields: z.array(z.string()),
      advancedRules: z.array(RULE),
      textAttachments: z.enum(BODY_POLICIES),
      recordings: z.enum(BODY_POLICIES),
    })
    .partial()
    .default({}),
});

/** Settings from JSON such as `{"filters": {"localhost": true}}`, over the defaults. Throws Invalid. */
export function readExplainSettings(text: string): IngestSettings {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw invalid(`The settings are not JSON: ${messageOf(error)}`);
  }
  const parsed = SETTINGS.safeParse(json);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const field = issue?.path.join('.') ?? '';
    throw invalid(`The settings${field === '' ? '' : `, "${field}"`}: ${issue?.message ?? 'invalid'}`);
  }
  const { filters, privacy } = parsed.data;
  for (const { setting } of LISTED_FILTERS) {
    const [problem] = checkFilterLines(setting, (filters[setting] ?? []).join('\n')).problems;
    if (problem) throw invalid(`The settings, "filters.${setting}": "${problem.text}" ${problem.problem}`);
  }
  return {
    ...DEFAULT_INGEST_SETTINGS,
    filters: { ...DEFAULT_INGEST_SETTINGS.filters, ...filters },
    privacy: { ...DEFAULT_INGEST_SETTINGS.privacy, ...privacy },
  };
}

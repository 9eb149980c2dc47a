import { createReadStream } from 'node:fs';
import { z } from 'zod';
import { invalid, messageOf } from '#lib/errors.ts';
import type { JsonObject } from '../json-values.ts';
import { readElements } from './export-elements.ts';

/** Of the models that are read; everything else in the file is passed over as it is read. */
export const EXPORT_ROWS_MAX = 500_000;

/** What an export holds that is read. Source: https://develop.sentry.dev/self-hosted/backup/ */
const MODELS = [
  'organization',
  'user',
  'organizationmember',
  'organizationmemberteam',
  'team',
  'project',
  'projectteam',
  'projectkey',
  'projectownership',
  'projectoption',
  'environment',
  'environmentproject',
  'rule',
  'alertrule',
  'alertruletrigger',
  'alertruletriggeraction',
  'snubaquery',
  'querysubscription',
  'savedsearch',
  'monitor',
  'dashboard',
] as const;
export type ExportModel = (typeof MODELS)[number];

export type ExportRow = { pk: string; fields: JsonObject };

export type SentryExport = {
  rows(model: ExportModel): readonly ExportRow[];
  /** How many rows there are of the models that are not read. */
  others: ReadonlyMap<string, number>;
};

const ELEMENT = z.object({
  model: z.string().max(200),
  pk: z.union([z.string(), z.number()]),
  fields: z.record(z.string(), z.unknown()),
});

/**
 * Reads what `sentry export` wrote, decrypted. Throws Invalid for another file, and for one of more rows than are kept in
 * memory.
 */
export async function readSentryExport(path: string): Promise<SentryExport> {
  const kept = new Map<string, ExportRow[]>(MODELS.map((model) => [model, []]));
  const others = new Map<string, number>();
  let count = 0;
  for await (const element of readElements(openStream(path))) {
    const parsed = ELEMENT.safeParse(element);
    if (!parsed.success)
      throw invalid(`${path} is not an export of Sentry: an element has no model, pk and fields`, 'file');
    const { model, pk, fields } = parsed.data;
    const rows = kept.get(model.replace(/^sentry\./, ''));
    if (!rows) {
      others.set(model, (others.get(model) ?? 0) + 1);
      continue;
    }
    count++;
    if (count > EXPORT_ROWS_MAX) {
      throw invalid(
        `${path} has more than ${EXPORT_ROWS_MAX} rows: export one organization at a time with --filter-org-slugs`,
        'file',
      );
    }
    rows.push({ pk: String(pk), fields });
  }
  return { rows: (model) => kept.get(model) ?? [], others };
}

async function* openStream(path: string): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of createReadStream(path)) yield chunk as Buffer;
  } catch (error) {
    throw invalid(`${path} cannot be read: ${messageOf(error)}`, 'file');
  }
}

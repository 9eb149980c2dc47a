import { z } from 'zod';
import { TIME } from './record-parts.ts';
import { TRANSFER_FORMAT, TRANSFER_KINDS, type TransferKind } from './records.ts';

/** What stands in the folder of an export beside its records. */
export const MANIFEST_FILE = 'manifest.json';
/** Attachments, by the day of arrival, the project and a name. */
export const FILES_FOLDER = 'files';
/** One line of a file of records. */
export const LINE_BYTES_MAX = 64 * 1024 * 1024;

/** `events.ndjson`: one record in each line. */
export const fileOfKind = (kind: TransferKind): string => `${kind.replace(/y$/, 'ie')}s.ndjson`;

const RECORD_FILE = z.object({
  name: z.string().regex(/^[a-z_]+\.ndjson$/),
  kind: z.enum(TRANSFER_KINDS),
  records: z.int().nonnegative(),
  bytes: z.int().nonnegative(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

/** Written last: a folder without it is not a complete export. */
export const MANIFEST = z.object({
  format: z.literal('errata-transfer'),
  version: z.literal(TRANSFER_FORMAT),
  source: z.object({
    /** `errata`, or the product that the records were read from. */
    product: z.string().min(1).max(100),
    version: z.string().max(100).nullable(),
    /** Address of the installation; null when it has none. */
    url: z.string().max(2_048).nullable(),
    /** Slug. */
    organization: z.string().min(1).max(200),
  }),
  startedAt: TIME,
  finishedAt: TIME,
  /** Events that arrived in it are in; null for no limit. */
  from: TIME.nullable(),
  to: TIME.nullable(),
  /** In the order in which they are to be read. */
  files: z.array(RECORD_FILE).max(TRANSFER_KINDS.length),
  attachments: z.object({ files: z.int().nonnegative(), bytes: z.int().nonnegative() }),
});
export type TransferManifest = z.output<typeof MANIFEST>;

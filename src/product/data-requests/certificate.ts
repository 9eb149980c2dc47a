import { notFound } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import type { DataCounts, DataRequest } from './data-request.ts';
import { getDataRequest } from './data-requests.ts';

/** What was removed, when and by whom. Says nothing that the person is called by. Times in ISO 8601. */
export type Certificate = {
  format: 'errata-erasure-certificate-1';
  request: number;
  organization: string;
  subject: { kind: DataRequest['subject']; name: string | null };
  /** HMAC-SHA-256 with a key of the instance, in hexadecimal: the same identifier has the same hash here. */
  identifiers: readonly { kind: string; hmacSha256: string }[];
  requestedBy: string;
  requestedAt: string;
  erasedBy: string;
  eraseRequestedAt: string;
  /** In no answer any more. */
  hiddenAt: string;
  /** Rewritten on disk. */
  purgedAt: string;
  /** Nothing was found any more, and the files that held it were gone. */
  finishedAt: string;
  removed: DataCounts;
  notes: readonly string[];
};

/** The certificate of a finished erasure. Throws Forbidden, NotFound while it is not finished. */
export async function getCertificate(ctx: Context, requestId: number): Promise<Certificate> {
  const { request } = await getDataRequest(ctx, requestId);
  const certificate = certificateOf(request);
  if (!certificate) throw notFound(`Request ${requestId} has no certificate yet: its data is not erased`);
  return certificate;
}

/** null while the data is not erased. */
export function certificateOf(request: DataRequest): Certificate | null {
  const { eraseRequestedAt, hiddenAt, purgedAt, finishedAt } = request;
  if (request.state !== 'erased' || !eraseRequestedAt || !hiddenAt || !purgedAt || !finishedAt) return null;
  return {
    format: 'errata-erasure-certificate-1',
    request: request.id,
    organization: request.organizationSlug,
    subject: { kind: request.subject, name: request.subjectName || null },
    identifiers: request.identifierHashes.map(({ kind, hash }) => ({ kind, hmacSha256: hash })),
    requestedBy: request.requestedByName,
    requestedAt: new Date(request.createdAt).toISOString(),
    erasedBy: request.eraseRequestedByName ?? request.requestedByName,
    eraseRequestedAt: new Date(eraseRequestedAt).toISOString(),
    hiddenAt: new Date(hiddenAt).toISOString(),
    purgedAt: new Date(purgedAt).toISOString(),
    finishedAt: new Date(finishedAt).toISOString(),
    removed: request.removed,
    notes: request.notes.map((note) => NOTES[note]),
  };
}

export const NOTES: Readonly<Record<DataRequest['notes'][number], string>> = {
  postgres_tables_not_rewritten:
    'PostgreSQL did not let Errata rewrite all tables and statistics: run VACUUM FULL as a superuser.',
  postgres_log_not_renewed:
    'PostgreSQL did not let Errata renew its write-ahead log: it is recycled as your server and its backups are set up.',
  topic_keeps_records:
    'The Kafka topic of the spool keeps digested records until its own retention deletes them.',
  spool_not_stored:
    'A machine with a spool of its own reported nothing for 7 days: what it may hold is not erased if it returns.',
  member_account_stays:
    'An identifier is the email address of a member: the account, and entries of the audit log about it, stay.',
  short_identifier:
    'A short or numeric identifier was only looked for in fields that name a user, not in other texts.',
};

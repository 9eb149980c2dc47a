import { Readable } from 'node:stream';
import { withSession } from '#app/with-session.ts';
import { clientAddress } from '#lib/client-address.ts';
import { exportAuditEntries } from '#product/audit/audit-log.ts';
import { requireRight } from '#product/permissions.ts';
import { parseAuditFilters, toAuditQuery } from '../audit-filters.ts';

export const dynamic = 'force-dynamic';

/** The entries that the filters of the page leave, as CSV, for owners. */
export const GET = withSession<{ org: string }>(({ ctx, params: { org }, request }) => {
  // Before anything is sent, so that the answer can still be a refusal.
  requireRight(ctx, 'org:admin');
  const search = Object.fromEntries(new URL(request.url).searchParams);
  const lines = exportAuditEntries(
    { ...ctx, ipAddress: clientAddress(request.headers) },
    toAuditQuery(parseAuditFilters(search)),
  );
  const day = new Date(ctx.now()).toISOString().slice(0, 10);
  return new Response(Readable.toWeb(Readable.from(lines)) as ReadableStream, {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="audit-log-${org}-${day}.csv"`,
      'cache-control': 'no-store',
    },
  });
});

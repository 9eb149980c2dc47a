import { Readable } from 'node:stream';
import { clientAddress } from '#lib/client-address.ts';
import { httpStatus, isErrataError } from '#lib/errors.ts';
import { resolveUserContext } from '#product/accounts/resolve-user-context.ts';
import { exportAuditEntries } from '#product/audit/audit-log.ts';
import { requireRight } from '#product/permissions.ts';
import { getServices } from '#product/services.ts';
import { parseAuditFilters, toAuditQuery } from '../audit-filters.ts';

export const dynamic = 'force-dynamic';

/** The entries that the filters of the page leave, as CSV, for owners. */
export async function GET(
  request: Request,
  { params }: { params: Promise<{ org: string }> },
): Promise<Response> {
  const services = getServices();
  try {
    const session = await services.stores.authenticator.findSession(request.headers);
    if (!session) return refuse(401, 'Sign in first');
    const { org } = await params;
    const ctx = await resolveUserContext(services, org, session);
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
  } catch (error) {
    if (isErrataError(error)) return refuse(httpStatus(error.code), error.message);
    throw error;
  }
}

const refuse = (status: number, detail: string) => Response.json({ detail }, { status });

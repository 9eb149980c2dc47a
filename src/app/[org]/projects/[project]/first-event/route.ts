import { findFirstEvent } from '#app/[org]/projects/load-project.ts';
import { getRequestContext } from '#app/request-context.ts';
import { httpStatus, isErrataError } from '#lib/errors.ts';

/** For the page that waits: JSON of FirstEvent. */
export async function GET(
  _request: Request,
  { params }: { params: Promise<{ org: string; project: string }> },
): Promise<Response> {
  const { org, project } = await params;
  const ctx = await getRequestContext(org);
  try {
    return Response.json(await findFirstEvent(ctx, project), { headers: { 'cache-control': 'no-store' } });
  } catch (error) {
    if (isErrataError(error)) {
      return Response.json({ detail: error.message }, { status: httpStatus(error.code) });
    }
    throw error;
  }
}

import { z } from 'zod';
import { isSameOrigin } from '#app/same-origin.ts';
import { httpStatus, isErrataError } from '#lib/errors.ts';
import { resolveUserContext } from '#product/accounts/resolve-user-context.ts';
import { previewAlertRule } from '#product/alerts/preview/preview-alert-rule.ts';
import { getServices } from '#product/services.ts';

export const dynamic = 'force-dynamic';

/** The verb checks the definition. */
const ASKED = z.object({
  projectSlug: z.string().max(100),
  environment: z.string().max(1_000).nullable(),
  definition: z.unknown(),
});
const BODY_BYTES_MAX = 256 * 1_024;

/**
 * What a rule would have done lately. A route of its own, since it takes seconds and actions wait for each other: what is
 * typed meanwhile is completed, and can be saved.
 */
export async function POST(
  request: Request,
  { params }: { params: Promise<{ org: string }> },
): Promise<Response> {
  if (!isSameOrigin(request)) return Response.json({ detail: 'Sent by another site' }, { status: 403 });
  if (!(Number(request.headers.get('content-length') ?? Number.NaN) <= BODY_BYTES_MAX)) {
    return Response.json({ detail: 'The rule is too large' }, { status: 413 });
  }
  const services = getServices();
  try {
    const session = await services.stores.authenticator.findSession(request.headers);
    if (!session) return Response.json({ detail: 'Sign in first' }, { status: 401 });
    const ctx = await resolveUserContext(services, (await params).org, session);
    const asked = ASKED.safeParse(await request.json().catch(() => null));
    if (!asked.success) return Response.json({ detail: 'The rule cannot be read' }, { status: 400 });
    return Response.json(await previewAlertRule(ctx, asked.data), {
      headers: { 'cache-control': 'private, no-store' },
    });
  } catch (error) {
    if (!isErrataError(error)) throw error;
    return Response.json({ detail: error.message }, { status: httpStatus(error.code) });
  }
}

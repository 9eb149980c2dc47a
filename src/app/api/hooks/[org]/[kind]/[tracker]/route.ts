import { withHookBody } from '#app/api/hooks/read-hook-body.ts';
import { httpStatus, isErrataError } from '#lib/errors.ts';
import { getServices } from '#product/services.ts';
import { acceptHook, findHookPlace } from '#product/trackers/hooks/accept-hook.ts';

export const dynamic = 'force-dynamic';

/** Takes webhooks of trackers: what signs them is all that they are known by. */
export async function POST(
  request: Request,
  { params }: { params: Promise<{ org: string; kind: string; tracker: string }> },
): Promise<Response> {
  const { org, kind, tracker } = await params;
  const { headers } = request;
  try {
    const services = getServices();
    const place = await findHookPlace(services, { organizationSlug: org, kind, tracker }, headers);
    const result = await withHookBody(request, place.tracker.id, (body) =>
      acceptHook(services, place, { headers, body }),
    );
    return Response.json({ result });
  } catch (error) {
    if (!isErrataError(error)) throw error;
    const { retryAfterSeconds: seconds } = error;
    return Response.json(
      { detail: error.message },
      {
        status: httpStatus(error.code),
        headers: seconds === null ? {} : { 'retry-after': String(seconds) },
      },
    );
  }
}

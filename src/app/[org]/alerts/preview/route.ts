import { z } from 'zod';
import { privateJson, refuse, withSession } from '#app/with-session.ts';
import { parseRequestJson } from '#lib/request-json.ts';
import { previewAlertRule } from '#product/alerts/preview/preview-alert-rule.ts';

export const dynamic = 'force-dynamic';

/** The verb checks the definition. */
const REQUESTED = z.object({
  projectSlug: z.string().max(100),
  environment: z.string().max(1_000).nullable(),
  definition: z.unknown(),
});
const BODY_BYTES_MAX = 256 * 1_024;

/**
 * What a rule would have done lately. A route of its own, since it takes seconds and actions wait for each other: what is
 * typed meanwhile is completed, and can be saved.
 */
export const POST = withSession<{ org: string }>(async ({ ctx, request }) => {
  if (!(Number(request.headers.get('content-length') ?? Number.NaN) <= BODY_BYTES_MAX)) {
    return refuse(413, 'The rule is too large');
  }
  const requested = REQUESTED.safeParse(parseRequestJson(await request.bytes()));
  if (!requested.success) return refuse(400, 'The rule is not valid JSON');
  return privateJson(await previewAlertRule(ctx, requested.data));
});

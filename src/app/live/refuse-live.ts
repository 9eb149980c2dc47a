import { LIVE_BUSY_CODE } from '#lib/live-busy.ts';
import type { LiveRefusal } from './follow-changes.ts';

const BUSY = {
  user: { status: 429, detail: 'You have too many live connections open: close some of the tabs' },
  server: { status: 503, detail: 'Too many live connections are open: try again later' },
} as const;
export const LIVE_RETRY_SECONDS = 30;

/** The answer when there is no room for another live connection. */
export function refuseLive({ busy }: LiveRefusal): Response {
  const { status, detail } = BUSY[busy];
  return Response.json(
    { detail, code: LIVE_BUSY_CODE },
    { status, headers: { 'retry-after': String(LIVE_RETRY_SECONDS) } },
  );
}

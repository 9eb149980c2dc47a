import { notFound } from 'next/navigation';
import { cache } from 'react';
import { orNotFound } from '#app/or-not-found.ts';
import { getRequestContext } from '#app/request-context.ts';
import { getUptimeMonitor } from '#product/uptime/uptime-monitors.ts';

/** The monitor of an address; the not-found page when there is none that the user may see. Once per request. */
export const loadMonitor = cache(async (org: string, number: string) => {
  if (!/^\d{1,15}$/.test(number)) notFound();
  const ctx = await getRequestContext(org);
  return await orNotFound(getUptimeMonitor(ctx, Number(number)));
});

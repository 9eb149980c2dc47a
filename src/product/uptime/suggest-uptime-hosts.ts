import { DAY_MS } from '#lib/time.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { eventScope, listVisibleProjects } from '#product/visible-projects.ts';
import { EVERYTHING } from '#storage/ports/search.ts';

const HOSTS_MAX = 5;
const LOOK_BACK_MS = 7 * DAY_MS;
/** Addresses of events that are looked at. */
const URLS_MAX = 200;

/**
 * Origins that events of the organization were about in the last week and that no monitor of its first thousand has, the most
 * frequent first, at most 5. They are only named: anybody may send an event with any address, so nothing requests them before
 * a person created a monitor.
 */
export async function suggestUptimeHosts(ctx: Context): Promise<readonly string[]> {
  requireRight(ctx, 'event:read');
  const projects = await listVisibleProjects(ctx);
  const scope = eventScope(ctx, projects);
  const range = { fromMs: ctx.now() - LOOK_BACK_MS, toMs: ctx.now() };
  const [values, monitors] = await Promise.all([
    ctx.stores.events.listFieldValues(
      scope,
      { kind: 'tag', key: 'url' },
      '://',
      { range, expression: EVERYTHING },
      URLS_MAX,
    ),
    ctx.stores.uptimeMonitors.list(scope, { limit: 1_000, after: null }),
  ]);
  const known = new Set(monitors.map(({ url }) => URL.parse(url)?.origin));
  const events = new Map<string, number>();
  for (const { value, events: count } of values) {
    const url = URL.parse(value);
    if (!url || !/^https?:$/.test(url.protocol) || !isName(url.hostname) || known.has(url.origin)) continue;
    events.set(url.origin, (events.get(url.origin) ?? 0) + (count ?? 1));
  }
  return [...events]
    .sort(([, a], [, b]) => b - a)
    .slice(0, HOSTS_MAX)
    .map(([origin]) => origin);
}

/** Addresses and names without a dot are of somebody's own machine. */
const isName = (host: string): boolean => /[a-z]/i.test(host) && host.includes('.') && !host.startsWith('[');

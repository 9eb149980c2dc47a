import { withQuery } from '#app/url-state.ts';
import { orUnavailable } from '#lib/or-unavailable.ts';
import { visibleText } from '#lib/visible-text.ts';
import type { Context } from '#product/context.ts';
import { suggestUptimeHosts } from '#product/uptime/suggest-uptime-hosts.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { Card } from '#ui/card.tsx';

/** Servers that events were about and that nothing monitors yet; nothing without any. */
export async function HostSuggestions({ organizationSlug, ctx }: { organizationSlug: string; ctx: Context }) {
  const hosts = await orUnavailable(suggestUptimeHosts(ctx));
  if (!hosts.ok || hosts.value.length === 0) return null;
  return (
    <div className="mt-5">
      <Card id="suggestions" title="Suggested from your events" flush>
        <ul className="divide-y">
          {hosts.value.map((origin) => (
            <li key={origin} className="flex flex-wrap items-center justify-between gap-3 px-4 py-2">
              <bdi className="break-anything min-w-0 text-sm">{visibleText(origin)}</bdi>
              <ButtonLink
                size="sm"
                href={withQuery(`/${organizationSlug}/monitors/uptime/new`, { url: `${origin}/` })}
                aria-label={`Monitor ${visibleText(origin)}`}
              >
                Monitor
              </ButtonLink>
            </li>
          ))}
        </ul>
        <p className="border-t px-4 py-2.5 text-text-muted text-xs">
          URLs in events of the last 7 days. They are not requested until you create a monitor.
        </p>
      </Card>
    </div>
  );
}

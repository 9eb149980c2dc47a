import { releaseHref } from '#app/[org]/release-name.tsx';
import { withQuery } from '#app/url-state.ts';
import type { Context } from '#product/context.ts';
import { describeCrashFree, describeRuns, describeUptime } from '#product/messages/watch-sections.ts';
import { getWeekWatch } from '#product/overview/get-week-watch.ts';
import { formatExact } from '#ui/format-number.ts';
import { WeekList } from './week-list.tsx';

/** What monitors, releases and people told in a week; only what has something to say. */
export async function WeekWatchCards({ ctx, endsAtMs }: { ctx: Context; endsAtMs: number | null }) {
  const watch = await getWeekWatch(ctx, endsAtMs === null ? {} : { endsAtMs });
  const org = ctx.organization.slug;
  const cards = [
    {
      id: 'monitors',
      title: titleOf('Cron monitors with failures', watch.monitors),
      rows: watch.monitors.items.map((monitor) => ({
        href: `/${org}/monitors/crons/${monitor.id}`,
        name: monitor.name,
        hint: `${describeRuns(monitor)} in ${monitor.projectSlug}`,
      })),
    },
    {
      id: 'uptime',
      title: titleOf('Uptime monitors with failures', watch.uptime),
      rows: watch.uptime.items.map((monitor) => ({
        href: `/${org}/monitors/uptime/${monitor.id}`,
        name: monitor.name,
        hint: `${describeUptime(monitor)} in ${monitor.projectSlug}`,
      })),
    },
    {
      id: 'crash-free',
      title: 'Crash-free sessions of the newest releases',
      rows: watch.releases.map((release) => ({
        href: withQuery(releaseHref(org, release.version), { project: release.projectSlug }),
        name: release.version,
        hint: `${describeCrashFree(release)} in ${release.projectSlug}`,
      })),
    },
    {
      id: 'feedback',
      title: titleOf('New feedback', watch.feedback),
      rows: watch.feedback.items.map(({ shortId, title, projectSlug }) => ({
        href: `/${org}/issues/${shortId}`,
        name: title,
        hint: projectSlug,
      })),
    },
  ].filter(({ rows }) => rows.length > 0);
  return cards.map((card) => <WeekList key={card.id} {...card} empty="" />);
}

/** With how many there are when only the first are listed. */
const titleOf = (title: string, { total, items }: { total: number; items: readonly unknown[] }): string =>
  total > items.length ? `${title} (first ${items.length} of ${formatExact(total)})` : title;

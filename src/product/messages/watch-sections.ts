import type { Context } from '#product/context.ts';
import type { WeekMonitor, WeekRelease, WeekUptime, WeekWatch } from '#product/overview/get-week-watch.ts';
import type { MailSection } from './compose-mail.ts';
import { counted, plainLine } from './escape.ts';

const NAME_CHARACTERS_MAX = 120;

type Place = Pick<Context, 'publicUrl' | 'organization'>;
type Line = MailSection['lines'][number];

/** What a report says of monitors, releases and feedback: a section for each that has something to say. */
export function watchSections(place: Place, watch: WeekWatch): readonly MailSection[] {
  const { monitors, uptime, releases, feedback } = watch;
  return [
    ...section(`Cron monitors with failures: ${countOf(monitors.total)}`, [
      ...monitors.items.map((each) => monitorLine(place, each)),
      ...moreLine(monitors.total - monitors.items.length),
    ]),
    ...section(`Uptime monitors with failures: ${countOf(uptime.total)}`, [
      ...uptime.items.map((each) => uptimeLine(place, each)),
      ...moreLine(uptime.total - uptime.items.length),
    ]),
    ...section(
      'Crash-free sessions of the newest releases',
      releases.map((each) => releaseLine(place, each)),
    ),
    ...section(`New feedback: ${countOf(feedback.total)}`, [
      ...feedback.items.map(({ shortId, title }) => ({
        label: shortId,
        text: plainLine(title, NAME_CHARACTERS_MAX),
        url: `${pageOf(place)}/issues/${shortId}`,
      })),
      ...moreLine(feedback.total - feedback.items.length),
    ]),
  ];
}

/** Whether there is anything worth a mail by itself: crash-free rates alone are not. */
export const hasNews = ({ monitors, uptime, feedback }: WeekWatch): boolean =>
  monitors.total + uptime.total + feedback.total > 0;

/** `3 missed and 1 failed of 336 runs` */
export function describeRuns({ missed, failed, timedOut, runs }: WeekMonitor): string {
  const wrong = [
    missed > 0 && `${countOf(missed)} missed`,
    failed > 0 && `${countOf(failed)} failed`,
    timedOut > 0 && `${countOf(timedOut)} timed out`,
  ].filter((part) => part !== false);
  return `${wrong.join(', ')} of ${counted(runs, 'run')}`;
}

/** `99.4% available, 2 incidents` */
export const describeUptime = ({ availability, incidents }: Pick<WeekUptime, 'availability' | 'incidents'>) =>
  [
    ...(availability === null ? [] : [`${sharePercent(availability)} available`]),
    ...(incidents === 0 ? [] : [counted(incidents, 'incident')]),
  ].join(', ');

/** `99.2%, 98.7% in 1.4.1 before` */
export const describeCrashFree = ({ crashFree, before }: Pick<WeekRelease, 'crashFree' | 'before'>): string =>
  `${sharePercent(crashFree)}${before === null ? '' : `, ${sharePercent(before.crashFree)} in ${before.version}`}`;

/** Never 100% while something is missing. */
export const sharePercent = (share: number): string => `${Math.floor(share * 10_000) / 100}%`;

const monitorLine = (place: Place, monitor: WeekMonitor): Line => ({
  label: plainLine(monitor.name, NAME_CHARACTERS_MAX),
  text: `${describeRuns(monitor)}, in ${monitor.projectSlug}`,
  url: `${pageOf(place)}/monitors/crons/${monitor.id}`,
});

const uptimeLine = (place: Place, monitor: WeekUptime): Line => ({
  label: plainLine(monitor.name, NAME_CHARACTERS_MAX),
  text: `${describeUptime(monitor)}, in ${monitor.projectSlug}`,
  url: `${pageOf(place)}/monitors/uptime/${monitor.id}`,
});

const releaseLine = (place: Place, release: WeekRelease): Line => ({
  label: plainLine(release.version, NAME_CHARACTERS_MAX),
  text: `${plainLine(describeCrashFree(release), NAME_CHARACTERS_MAX)} (${counted(release.sessions, 'session')}), in ${release.projectSlug}`,
  url: `${pageOf(place)}/releases/${encodeURIComponent(release.version)}`,
});

const section = (title: string, lines: readonly Line[]): readonly MailSection[] =>
  lines.length === 0 ? [] : [{ title, url: null, lines }];

const moreLine = (more: number): readonly Line[] =>
  more > 0 ? [{ label: null, text: `and ${countOf(more)} more` }] : [];

const countOf = (count: number): string => count.toLocaleString('en-US');

const pageOf = ({ publicUrl, organization }: Place): string => `${publicUrl}/${organization.slug}`;

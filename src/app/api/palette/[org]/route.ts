import { dashboardHref } from '#app/[org]/dashboard-href.ts';
import { privateJson, withSession } from '#app/with-session.ts';
import { canChangeAlerts } from '#product/alerts/list-alert-rules.ts';
import { findIssuesByWords } from '#product/issues/find-issues.ts';
import { hasRight } from '#product/permissions.ts';
import { findPlaces } from '#product/places/find-places.ts';
import { canChangeUptime } from '#product/uptime/uptime-monitors.ts';
import { listProjects } from '#product/visible-projects.ts';
import { issueTitle } from '../../../[org]/issues/issue-view.ts';
import { releaseHref } from '../../../[org]/release-name.tsx';
import { settingsGroups } from '../../../[org]/settings/settings-sections.ts';
import { PALETTE_TEXT_MAX, type PaletteAnswer } from '../../../shell/palette/palette-answer.ts';

export const dynamic = 'force-dynamic';

const PROJECTS_MAX = 500;

/** What the command palette finds for `?text=`; without a text only the projects. */
export const GET = withSession<{ org: string }>(async ({ ctx, request }) => {
  const text = (new URL(request.url).searchParams.get('text') ?? '').slice(0, PALETTE_TEXT_MAX);
  const [issues, projects, places] = await Promise.all([
    findIssuesByWords(ctx, text),
    listProjects(ctx),
    findPlaces(ctx, text),
  ]);
  const answer: PaletteAnswer = {
    projects: projects.slice(0, PROJECTS_MAX).map(({ slug, name }) => ({ slug, name })),
    issues: issues.map((issue) => ({
      shortId: issue.shortId,
      level: issue.level,
      status: issue.status,
      ...issueTitle(issue),
    })),
    settings: settingsGroups(ctx).flatMap(({ pages }) => pages),
    canCreateProjects: hasRight(ctx.actor, 'project:write'),
    canChangeAlerts: canChangeAlerts(ctx),
    canChangeUptime: canChangeUptime(ctx),
    canChangeDashboards: hasRight(ctx.actor, 'event:write'),
    places: {
      ...places,
      dashboards: places.dashboards.map((dashboard) => ({
        title: dashboard.title,
        href: dashboardHref(ctx.organization.slug, dashboard),
      })),
      releases: places.releases.map(({ version }) => ({
        version,
        href: releaseHref(ctx.organization.slug, version),
      })),
    },
  };
  return privateJson(answer);
});

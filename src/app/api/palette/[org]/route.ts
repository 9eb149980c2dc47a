import { httpStatus, isErrataError } from '#lib/errors.ts';
import { resolveUserContext } from '#product/accounts/resolve-user-context.ts';
import { findIssuesByWords } from '#product/issues/find-issues-by-words.ts';
import { hasRight } from '#product/permissions.ts';
import { listProjects } from '#product/projects/list-projects.ts';
import { getServices } from '#product/services.ts';
import { canChangeAlerts } from '../../../[org]/alerts/can-change-alerts.ts';
import { issueTitle } from '../../../[org]/issues/issue-view.ts';
import { settingsSections } from '../../../[org]/settings/settings-sections.ts';
import { PALETTE_TEXT_MAX, type PaletteAnswer } from '../../../frame/palette/palette-answer.ts';

export const dynamic = 'force-dynamic';

const PROJECTS_MAX = 500;

/** What the command palette finds for `?text=`; without a text only the projects. */
export async function GET(
  request: Request,
  { params }: { params: Promise<{ org: string }> },
): Promise<Response> {
  const services = getServices();
  try {
    const session = await services.stores.authenticator.findSession(request.headers);
    if (!session) return Response.json({ detail: 'Sign in first' }, { status: 401 });
    const ctx = await resolveUserContext(services, (await params).org, session);
    const text = (new URL(request.url).searchParams.get('text') ?? '').slice(0, PALETTE_TEXT_MAX);
    const [issues, projects] = await Promise.all([findIssuesByWords(ctx, text), listProjects(ctx)]);
    const answer: PaletteAnswer = {
      projects: projects.slice(0, PROJECTS_MAX).map(({ slug, name }) => ({ slug, name })),
      issues: issues.map((issue) => ({
        shortId: issue.shortId,
        level: issue.level,
        status: issue.status,
        ...issueTitle(issue),
      })),
      settings: settingsSections(ctx),
      canCreateProjects: hasRight(ctx.actor, 'project:write'),
      canChangeAlerts: canChangeAlerts(ctx),
    };
    return Response.json(answer, { headers: { 'cache-control': 'private, no-store' } });
  } catch (error) {
    if (isErrataError(error))
      return Response.json({ detail: error.message }, { status: httpStatus(error.code) });
    throw error;
  }
}

import { isReservedOrganizationSlug } from '#product/organizations/organizations.ts';
import { RESERVED_PROJECT_SLUGS } from '#product/projects/change-projects.ts';

/** Below `/organizations/[org]/`. */
export function organizationPage(org: string, [area = 'issues', ...rest]: readonly string[]): PageAddress {
  switch (area) {
    case 'issues':
      return rest[0] === 'alerts' ? alertPage(org, rest.slice(1)) : issuePage(org, rest);
    case 'alerts':
      return alertPage(org, rest);
    case 'monitors':
      // What looks and what tells are two things there, with numbers of their own.
      return pageAddress([org, 'alerts']);
    case 'releases':
      // A version is one segment there; what follows it are the parts of its page.
      return pageAddress([org, 'releases', ...rest.slice(0, 1)], RELEASE_PARTS.get(rest[1] ?? ''));
    case 'projects':
      return pageAddress([org, 'projects', ...rest]);
    case 'stats':
      return pageAddress([org, 'stats']);
    case 'discover':
    case 'events':
      return explorePage(org, rest);
    case 'performance':
    case 'traces':
    case 'explore':
      return tracePage(org, [area, ...rest]);
    case 'user-feedback':
      return pageAddress([org, 'feedback']);
    case 'dashboard':
      return pageAddress([org, 'dashboards', ...rest]);
    case 'settings':
    case 'members':
    case 'teams':
    case 'audit-log':
    case 'auth':
    case 'api-keys':
      return organizationSettingsPage(org, area === 'settings' ? rest : [area, ...rest]);
    default:
      return pageAddress([org, area, ...rest]);
  }
}

/** Below `/organizations/[org]/issues/`. */
function issuePage(org: string, [issue, view = '', detail]: readonly string[]): PageAddress {
  if (issue === undefined || LISTS.has(issue)) return pageAddress([org, 'issues']);
  if (view === 'events' && detail !== undefined) return pageAddress([org, 'issues', issue, 'events', detail]);
  const name = VIEWS.get(view);
  return pageAddress([org, 'issues', issue, ...(name ? [name] : [])]);
}

/** A question, or one event as `project:id`. */
function explorePage(org: string, [asked = '']: readonly string[]): PageAddress {
  const [project = '', eventId = ''] = decodeURIComponentOrEmpty(asked).split(':');
  if (/^[a-z0-9_-]+$/i.test(project) && /^[0-9a-f-]{32,36}$/i.test(eventId)) {
    return pageAddress([org, 'projects', project, 'events', eventId]);
  }
  return pageAddress([org, 'explore', 'errors']);
}

/** One trace, by whichever of the addresses that it has had there; else the questions about telemetry. */
function tracePage(org: string, steps: readonly string[]): PageAddress {
  const traceId = steps[steps.indexOf('trace') + 1];
  if (steps.includes('trace') && traceId !== undefined) return pageAddress([org, 'traces', traceId]);
  if (steps[0] !== 'explore') return pageAddress([org, 'explore', 'traces']);
  return pageAddress([org, ...(steps[1] === 'discover' ? ['explore', 'errors'] : steps)]);
}

function decodeURIComponentOrEmpty(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

/** Children of the list that are no issues. */
const LISTS: ReadonlySet<string> = new Set([
  'searches',
  'views',
  'errors-outages',
  'breached-metrics',
  'warnings',
  'feedback',
]);

/** Parts of the page of a release that have a tab of their own. */
const RELEASE_PARTS: ReadonlyMap<string, string> = new Map([
  ['commits', 'tab=commits'],
  ['files-changed', 'tab=commits'],
]);

const VIEWS: ReadonlyMap<string, string> = new Map([
  ['events', 'events'],
  ['tags', 'tags'],
  ['distributions', 'tags'],
  ['activity', 'activity'],
  ['attachments', 'attachments'],
  ['feedback', 'feedback'],
  ['similar', 'similar'],
  ['merged', 'grouping'],
  ['grouping', 'grouping'],
]);

/** Below `/organizations/[org]/alerts/`: a rule is a rule here, whether it looks at issues or at a metric. */
function alertPage(org: string, [area = '', first, second, third]: readonly string[]): PageAddress {
  const list = pageAddress([org, 'alerts']);
  switch (area) {
    case 'rules':
      if (first === 'details' && second !== undefined) return pageAddress([org, 'alerts', second]);
      // Of scheduled jobs and checks, which are no rules.
      if (first === 'crons') return pageAddress([org, 'monitors', 'crons']);
      if (first === 'uptime' || second === undefined) return list;
      return pageAddress([org, 'alerts', second, ...(third === 'details' ? [] : ['edit'])]);
    case 'metric-rules':
      return second === undefined ? list : pageAddress([org, 'alerts', second, 'edit']);
    case 'wizard':
      return pageAddress([org, 'alerts', 'new']);
    case 'new':
      return pageAddress([org, 'alerts', 'new'], first === 'metric' ? 'template=events' : '');
    default:
      return first === 'new' || first === 'wizard'
        ? pageAddress([org, 'alerts', 'new'], `project=${encodeURIComponent(area)}`)
        : list;
  }
}

/** Below `/settings/[org]/`. What has no page of its own here leads to the page above it. */
export function organizationSettingsPage(org: string, [area = '', ...rest]: readonly string[]): PageAddress {
  const [project] = rest;
  if (area === 'projects' && project !== undefined) return projectSettingsPage(org, project, rest.slice(1));
  const name = ORGANIZATION_PAGES.get(area);
  return pageAddress([org, 'settings', ...(name ? [name] : [])]);
}

/** Below `/settings/[org]/projects/[project]/`. */
function projectSettingsPage(
  org: string,
  project: string,
  [area = '', kind]: readonly string[],
): PageAddress {
  if (area === 'install') return pageAddress([org, 'projects', project, 'getting-started']);
  const name = area === 'filters' && kind === 'discarded-groups' ? 'discarded' : PROJECT_PAGES.get(area);
  return pageAddress([org, 'settings', 'projects', project, ...(name ? [name] : [])]);
}

const ORGANIZATION_PAGES: ReadonlyMap<string, string> = new Map([
  ['projects', 'projects'],
  ['teams', 'teams'],
  ['members', 'members'],
  ['audit-log', 'audit-log'],
  ['auth', 'auth'],
  ['auth-tokens', 'tokens'],
  ['api-keys', 'tokens'],
  ['repos', 'repositories'],
  ['integrations', 'integrations'],
  ['security-and-privacy', 'privacy'],
]);

const PROJECT_PAGES: ReadonlyMap<string, string> = new Map([
  ['keys', 'keys'],
  ['ownership', 'ownership'],
  ['alerts', 'alerts'],
  ['issue-grouping', 'grouping'],
  ['filters', 'filters'],
  ['source-maps', 'source-maps'],
  ['proguard', 'source-maps'],
  ['security-and-privacy', 'privacy'],
  ['performance', 'performance-issues'],
]);

/** `query` is what the page asks for beyond what was asked already; empty for nothing. */
export type PageAddress = { segments: readonly string[]; query: string };

export const pageAddress = (segments: readonly string[], query = ''): PageAddress => ({ segments, query });

/** Below `/[org]/[project]/`, as addresses began before version 10; null for what is a page here. */
export function projectPage(
  org: string,
  project: string,
  [area, ...rest]: readonly string[],
): PageAddress | null {
  const isProject = /^[a-z0-9][a-z0-9_-]*$/i.test(project) && !RESERVED_PROJECT_SLUGS.includes(project);
  if (!isProject || isReservedOrganizationSlug(org)) return null;
  const [item] = rest;
  switch (area) {
    case 'issues':
      return item === undefined
        ? pageAddress([org, 'issues'], `project=${encodeURIComponent(project)}`)
        : issuePage(org, rest);
    case 'events':
      return item === undefined
        ? pageAddress([org, 'explore', 'errors'], `project=${encodeURIComponent(project)}`)
        : pageAddress([org, 'projects', project, 'events', item]);
    case 'releases':
      return pageAddress([org, 'releases', ...rest.slice(0, 1)], `project=${encodeURIComponent(project)}`);
    case 'getting-started':
      return pageAddress([org, 'projects', project, 'getting-started']);
    case 'settings':
      return projectSettingsPage(org, project, rest);
    default:
      return null;
  }
}

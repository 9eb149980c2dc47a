import { alertPage } from './alert-pages.ts';
import { type PageAddress, pageAddress } from './page-address.ts';
import { organizationSettingsPage } from './settings-pages.ts';

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
export function issuePage(org: string, [issue, view = '', detail]: readonly string[]): PageAddress {
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

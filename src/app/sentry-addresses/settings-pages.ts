import { type PageAddress, pageAddress } from './page-address.ts';

/** Below `/settings/[org]/`. What has no page of its own here leads to the page above it. */
export function organizationSettingsPage(org: string, [area = '', ...rest]: readonly string[]): PageAddress {
  const [project] = rest;
  if (area === 'projects' && project !== undefined) return projectSettingsPage(org, project, rest.slice(1));
  const name = ORGANIZATION_PAGES.get(area);
  return pageAddress([org, 'settings', ...(name ? [name] : [])]);
}

/** Below `/settings/[org]/projects/[project]/`. */
export function projectSettingsPage(
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
]);

import { isReservedOrganizationSlug } from '#product/organizations/organizations.ts';
import { RESERVED_PROJECT_SLUGS } from '#product/projects/change-projects.ts';
import { issuePage } from './organization-pages.ts';
import { type PageAddress, pageAddress } from './page-address.ts';
import { projectSettingsPage } from './settings-pages.ts';

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

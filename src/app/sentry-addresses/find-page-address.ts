import {
  organizationPage,
  organizationSettingsPage,
  type PageAddress,
  pageAddress,
  projectPage,
} from './organization-pages.ts';

/**
 * Where a page of Sentry's own lives here, `/web/issues/7?query=…` for `/organizations/web/issues/7/?query=…`; null for
 * an address that is no such page. `url` is path and query as a browser asked for them; the query is kept.
 * Source of the addresses: https://github.com/getsentry/sentry/blob/master/static/app/router/routes.tsx
 */
export function findPageAddress(url: string): string | null {
  const [path = '', ...rest] = url.split('?');
  const segments = path.split('/').slice(1);
  if (segments.at(-1) === '') segments.pop();
  if (segments.includes('')) return null;
  const page = pageOf(segments);
  if (page === null) return null;
  const query = [page.query, rest.join('?')].filter(Boolean).join('&');
  return `/${page.segments.join('/')}${query ? `?${query}` : ''}`;
}

function pageOf(segments: readonly string[]): PageAddress | null {
  const [first, second = '', ...rest] = segments;
  switch (first) {
    case 'organizations':
      return isOrganization(second) ? organizationPage(second, rest) : null;
    case 'settings':
      if (second === 'account') return accountPage(rest);
      return isOrganization(second) ? organizationSettingsPage(second, rest) : null;
    default:
      return first !== undefined && isOrganization(first) ? projectPage(first, second, rest) : null;
  }
}

/** `new` makes an organization there. */
const isOrganization = (slug: string): boolean => /^[a-z0-9][a-z0-9_-]*$/i.test(slug) && slug !== 'new';

/** Below `/settings/account/`. */
function accountPage([area, ...rest]: readonly string[]): PageAddress {
  switch (area) {
    case 'security':
      return pageAddress(['account', rest[0] === 'session-history' ? 'sessions' : 'security']);
    case 'identities':
      return pageAddress(['account', 'security']);
    case 'notifications':
      return pageAddress(['account', 'notifications']);
    case 'api':
      return pageAddress(['account', 'tokens']);
    default:
      return pageAddress(['account']);
  }
}

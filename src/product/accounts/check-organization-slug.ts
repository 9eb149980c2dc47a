import { invalid } from '#lib/errors.ts';
import { isSlug } from '#lib/slug.ts';

/** First segments of addresses that are not an organization. */
const RESERVED: ReadonlySet<string> = new Set([
  'api',
  'account',
  'login',
  'logout',
  'setup',
  'invite',
  'reset-password',
  'share',
  'unsubscribe',
  'i',
  'monitoring',
  'mcp',
  'health',
  'metrics',
  'settings',
  'organizations',
  'design',
  '_next',
]);

/** Throws Invalid when the slug cannot name an organization. */
export function checkOrganizationSlug(slug: string): void {
  if (!isSlug(slug)) {
    throw invalid(
      'Use lower-case letters, digits, "-" and "_", at most 50, a letter or digit first, and not digits only',
      'organizationSlug',
    );
  }
  if (isReservedOrganizationSlug(slug)) {
    throw invalid(`"${slug}" is used by Errata itself: choose another slug`, 'organizationSlug');
  }
}

/** Whether the slug is the beginning of an address that is not an organization's. */
export const isReservedOrganizationSlug = (slug: string): boolean => RESERVED.has(slug);

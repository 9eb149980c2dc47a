import { invalid } from '#lib/errors.ts';
import { isSlug } from '#lib/slug.ts';

/** Screens beside which a project could not be told apart: children of `/[org]`, and `/[org]/projects/new`. */
export const RESERVED_PROJECT_SLUGS: readonly string[] = [
  'alerts',
  'crons',
  'dashboards',
  'explore',
  'feedback',
  'issues',
  'new',
  'overview',
  'projects',
  'releases',
  'replays',
  'settings',
  'stats',
  'traces',
  'uptime',
];

/** Throws Invalid when no project may have the slug. */
export function checkProjectSlug(slug: string): void {
  if (!isSlug(slug)) {
    throw invalid(
      'Use lower-case letters, digits, "-" and "_" for the slug, at most 50, a letter or digit first, and not digits only',
      'slug',
    );
  }
  if (RESERVED_PROJECT_SLUGS.includes(slug)) {
    throw invalid(`"${slug}" is the address of a page: choose another slug`, 'slug');
  }
}

import { releaseHref } from '#app/[org]/releases/release-href.ts';
import { withQuery } from '#app/url-state.ts';
import type { SourceProblem } from '#product/events/source-problem.ts';
import type { EventPlace } from '../event-place.ts';
import { sourceProblemText } from './source-problem-text.ts';

export type ProblemLink = { href: string; label: string };

/** Where the next step is done; null where no page helps. */
export function problemLink(
  problem: SourceProblem,
  {
    organizationSlug,
    projectSlug,
    release,
  }: Pick<EventPlace, 'organizationSlug' | 'projectSlug' | 'release'>,
): ProblemLink | null {
  const { place } = sourceProblemText(problem);
  if (place === null) return null;
  if (place === 'release' && release !== null) {
    const href = withQuery(releaseHref(organizationSlug, release), {
      project: projectSlug,
      tab: 'artifacts',
    });
    return { href, label: 'Release artifacts' };
  }
  const settings = `/${organizationSlug}/settings/projects/${projectSlug}/source-maps`;
  if (place === 'mappings') return { href: `${settings}/mappings`, label: 'ProGuard mappings' };
  return place === 'how-to'
    ? { href: `${settings}/how-to`, label: 'How to upload source maps' }
    : { href: settings, label: 'Project artifacts' };
}

/** Id of the place in the page where a reason is told in full. */
export const problemAnchor = (reason: string): string => `no-source-${reason.replaceAll('_', '-')}`;

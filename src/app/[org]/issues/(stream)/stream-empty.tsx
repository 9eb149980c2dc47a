import { CircleCheckBig, Inbox, SearchX } from 'lucide-react';
import { ButtonLink } from '#ui/button-link.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { parseTime, periodLabel } from '../../../url-state.ts';
import { currentTab, QUERY_DEFAULT, type StreamState, streamHref } from '../stream-url.ts';
import type { StreamProject } from './stream-content.ts';

/** Why the list is empty, and what to do next: nothing was ever sent, nothing is open, or nothing matches. */
export function StreamEmpty({
  organizationSlug,
  state,
  projects,
  isInvalid,
  hint,
}: {
  organizationSlug: string;
  state: StreamState;
  projects: readonly StreamProject[];
  isInvalid: boolean;
  /** What in the search may be the reason; null for nothing that is known. */
  hint: string | null;
}) {
  const chosen = state.projects.length
    ? projects.filter((project) => state.projects.includes(project.slug))
    : projects.filter((project) => !project.isInternal);
  const waiting = chosen.find((project) => !project.hasEvents);
  if (!isInvalid && waiting && chosen.every((project) => !project.hasEvents)) {
    return (
      <EmptyState
        icon={<Inbox />}
        title="No events yet"
        actions={
          <ButtonLink
            variant="primary"
            href={`/${organizationSlug}/projects/${waiting.slug}/getting-started`}
          >
            Set up an SDK
          </ButtonLink>
        }
      >
        No events have arrived for <bdi className="font-medium text-text">{waiting.slug}</bdi> yet. Add its
        DSN to your SDK, and the first error appears here automatically.
      </EmptyState>
    );
  }
  if (!isInvalid && currentTab(state.query) === 'unresolved' && !state.cursor) {
    return (
      <EmptyState
        icon={<CircleCheckBig />}
        tone="success"
        title="No unresolved issues"
        actions={
          <ButtonLink
            href={streamHref(organizationSlug, state, {
              query: '',
              environments: [],
              time: parseTime({ range: '90d' }),
            })}
          >
            Show the last 90 days
          </ButtonLink>
        }
      >
        No unresolved issues were seen in the{' '}
        {periodLabel(state.time)?.toLowerCase() ?? 'selected time range'}
        {state.environments.length > 0 ? ` in ${state.environments.join(', ')}` : ''}.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={<SearchX />}
      title={isInvalid ? 'Invalid search' : 'No matching issues'}
      actions={
        <ButtonLink
          variant="primary"
          href={streamHref(organizationSlug, state, {
            query: QUERY_DEFAULT,
            time: parseTime({}),
            projects: [],
            environments: [],
          })}
        >
          Clear filters
        </ButtonLink>
      }
    >
      {isInvalid
        ? 'See the message under the search box. Fix the search or clear it.'
        : (hint ??
          'Try fewer search terms, a longer time range, or all projects. Press ? for the search syntax.')}
    </EmptyState>
  );
}

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
        title="No event yet"
        actions={
          <ButtonLink variant="primary" href={`/${organizationSlug}/projects/${waiting.slug}`}>
            Show me how to send one
          </ButtonLink>
        }
      >
        Nothing has arrived for <bdi className="font-medium text-text">{waiting.slug}</bdi> so far. Put its
        DSN into the SDK of your program; the first error appears here by itself.
      </EmptyState>
    );
  }
  if (!isInvalid && currentTab(state.query) === 'unresolved' && !state.cursor) {
    return (
      <EmptyState
        icon={<CircleCheckBig />}
        tone="success"
        title="Nothing is unresolved"
        actions={
          <ButtonLink
            href={streamHref(organizationSlug, state, {
              query: '',
              environments: [],
              time: parseTime({ range: '90d' }),
            })}
          >
            Show everything of 90 days
          </ButtonLink>
        }
      >
        No unresolved issue was seen in the {periodLabel(state.time)?.toLowerCase() ?? 'chosen time'}
        {state.environments.length > 0 ? ` in ${state.environments.join(', ')}` : ''}.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={<SearchX />}
      title={isInvalid ? 'This search cannot be read' : 'No issue matches'}
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
          Clear the filters
        </ButtonLink>
      }
    >
      {isInvalid
        ? 'The reason stands under the search box. Mend the search, or start over.'
        : (hint ??
          'Try fewer words, another time range or all projects. Help (?) lists what can be searched for.')}
    </EmptyState>
  );
}

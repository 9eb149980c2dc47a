import type { PageRequest } from '../../../../../url-state.ts';
import { IssuePage } from '../../issue-page.tsx';
import { getIssueRequest } from '../../issue-request.ts';

/** `event` is an event id, `recommended`, `latest` or `oldest`. */
export default async function EventPage({ params, searchParams }: PageRequest<'org' | 'issue' | 'event'>) {
  const { org, issue: reference, event } = await params;
  const { ctx, issue } = await getIssueRequest(org, reference);
  return <IssuePage ctx={ctx} issue={issue} which={event} searchParams={await searchParams} />;
}

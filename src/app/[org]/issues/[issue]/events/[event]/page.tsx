import type { PageRequest } from '../../../../../url-state.ts';
import { IssuePage } from '../../issue-page.tsx';
import { readIssueRequest } from '../../issue-request.ts';

/** `event` is an event id, `recommended`, `latest` or `oldest`. */
export default async function EventPage({ params, searchParams }: PageRequest<'org' | 'issue' | 'event'>) {
  const request = await readIssueRequest(params);
  return <IssuePage request={request} which={(await params).event} searchParams={await searchParams} />;
}

import type { PageRequest } from '../../../../url-state.ts';
import { IssuePage } from '../issue-page.tsx';
import { readIssueRequest } from '../issue-request.ts';

export default async function LatestEventPage({ params, searchParams }: PageRequest<'org' | 'issue'>) {
  const request = await readIssueRequest(params);
  return <IssuePage request={request} which="recommended" searchParams={await searchParams} />;
}

import type { PageRequest } from '../../../../url-state.ts';
import { IssuePage } from '../issue-page.tsx';
import { getIssueRequest } from '../issue-request.ts';

export default async function LatestEventPage({ params, searchParams }: PageRequest<'org' | 'issue'>) {
  const { org, issue: reference } = await params;
  const { ctx, issue } = await getIssueRequest(org, reference);
  return <IssuePage ctx={ctx} issue={issue} which="recommended" searchParams={await searchParams} />;
}

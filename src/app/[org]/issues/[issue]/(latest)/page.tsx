import type { SearchParams } from '../../../../url-state.ts';
import { IssuePage } from '../issue-page.tsx';
import { getIssueRequest } from '../issue-request.ts';

export default async function LatestEventPage({
  params,
  searchParams,
}: {
  params: Promise<{ org: string; issue: string }>;
  searchParams: Promise<SearchParams>;
}) {
  const { org, issue: reference } = await params;
  const { ctx, issue } = await getIssueRequest(org, reference);
  return <IssuePage ctx={ctx} issue={issue} which="recommended" searchParams={await searchParams} />;
}

import { IssuePage } from '../../[org]/issues/[issue]/issue-page.tsx';
import type { PageRequest } from '../../url-state.ts';
import { getShortAddressIssue } from './short-address-issue.ts';

/** The issue's page under its short address. */
export default async function ShortAddressPage({ params, searchParams }: PageRequest<'issue'>) {
  const { ctx, issue } = await getShortAddressIssue((await params).issue);
  return <IssuePage ctx={ctx} issue={issue} which="recommended" searchParams={await searchParams} />;
}

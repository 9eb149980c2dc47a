import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { issueTitle } from '../../[org]/issues/issue-view.ts';
import { Shell } from '../../shell/load-shell.tsx';
import { getShortAddressIssue } from './short-address-issue.ts';

type Props = { params: Promise<{ issue: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { issue } = await getShortAddressIssue((await params).issue);
  return { title: `${issue.shortId} ${issueTitle(issue).heading}` };
}

export default async function ShortAddressLayout({ params, children }: Props & { children: ReactNode }) {
  const { ctx } = await getShortAddressIssue((await params).issue);
  return <Shell organizationSlug={ctx.organization.slug}>{children}</Shell>;
}

import { FolderKanban, Gauge, HardDrive, Share2, ShieldCheck, Users } from 'lucide-react';
import type { Metadata } from 'next';
import { getRequestContext } from '#app/request-context.ts';
import { isInstanceOwner } from '#product/retention/require-instance-owner.ts';
import { Link } from '#ui/link.tsx';
import { PageBody, PageHeader } from '#ui/page-header.tsx';

export const metadata: Metadata = { title: 'Settings' };

const PAGES = [
  {
    path: 'settings/projects',
    title: 'Projects',
    about: 'Client keys, inbound filters, privacy and rate limits of each project.',
    Icon: FolderKanban,
    isForOwner: false,
  },
  {
    path: 'settings/teams',
    title: 'Teams',
    about: 'Groups of members that issues can belong to.',
    Icon: Users,
    isForOwner: false,
  },
  {
    path: 'settings/quotas',
    title: 'Quotas',
    about: 'How much of each kind of data the whole organization may send.',
    Icon: Gauge,
    isForOwner: false,
  },
  {
    path: 'settings/privacy',
    title: 'Privacy',
    about: 'What is scrubbed from everything that any project stores.',
    Icon: ShieldCheck,
    isForOwner: false,
  },
  {
    path: 'settings/sharing',
    title: 'Sharing',
    about: 'Which issues have a public page, and whether any may.',
    Icon: Share2,
    isForOwner: false,
  },
  {
    path: 'settings/storage',
    title: 'Storage',
    about: 'The disk budget of this instance, how long data is kept, and what was dropped.',
    Icon: HardDrive,
    isForOwner: true,
  },
] as const;

/** Where the settings of the organization are. */
export default async function SettingsPage({ params }: { params: Promise<{ org: string }> }) {
  const { org } = await params;
  const ctx = await getRequestContext(org);
  const pages = PAGES.filter(({ isForOwner }) => !isForOwner || isInstanceOwner(ctx));
  return (
    <PageBody width="narrow">
      <PageHeader title={`Settings of ${ctx.organization.name}`} />
      <ul className="divide-y rounded-lg border bg-surface-raised">
        {pages.map(({ path, title, about, Icon }) => (
          <li key={path}>
            <Link
              href={`/${org}/${path}`}
              className="flex items-start gap-3 px-4 py-3.5 hover:bg-surface-hover"
            >
              <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-text-muted" />
              <span className="min-w-0">
                <span className="block font-medium text-sm">{title}</span>
                <span className="block text-sm text-text-muted">{about}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </PageBody>
  );
}

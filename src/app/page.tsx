import { Building2 } from 'lucide-react';
import { redirect } from 'next/navigation';
import { ButtonLink } from '#ui/button-link.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { findLastOrganization, findSession } from './request-context.ts';

export default async function RootPage() {
  const session = await findSession();
  if (!session) redirect('/login');
  const organization = await findLastOrganization(session.userId);
  if (organization) redirect(`/${organization.slug}/issues`);
  return (
    <main id="main" className="grid min-h-dvh place-items-center">
      <EmptyState
        icon={<Building2 />}
        title="You are not in an organization"
        actions={
          session.isInstanceOwner ? (
            <ButtonLink variant="primary" href="/organizations/new">
              Create organization
            </ButtonLink>
          ) : null
        }
      >
        You are signed in as {session.email}.{' '}
        {session.isInstanceOwner
          ? 'Create an organization, or ask an owner of one to add you.'
          : 'Ask an owner of the organization to add you, then load this page again.'}
      </EmptyState>
    </main>
  );
}

import { Building2 } from 'lucide-react';
import { redirect } from 'next/navigation';
import { EmptyState } from '#ui/empty-state.tsx';
import { findLastOrganization, findSession } from './request-context.ts';

export default async function RootPage() {
  const session = await findSession();
  if (!session) redirect('/login');
  const organization = await findLastOrganization(session.userId);
  if (organization) redirect(`/${organization.slug}/issues`);
  return (
    <main id="main" className="grid min-h-dvh place-items-center">
      <EmptyState icon={<Building2 />} title="You are in no organization">
        You are signed in as {session.email}. Ask an owner of the organization to add you, then load this page
        again.
      </EmptyState>
    </main>
  );
}

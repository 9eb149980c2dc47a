import type { Metadata } from 'next';
import { AccountFrame } from '#app/(account)/account-frame.tsx';
import { getSession } from '#app/request-context.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { NewOrganizationForm } from './new-organization-form.tsx';

export const metadata: Metadata = { title: 'Create organization' };

export default async function NewOrganizationPage() {
  const session = await getSession();
  if (!session.isInstanceOwner) {
    return (
      <AccountFrame
        title="You cannot create organizations"
        description="Only the owner of this instance can create them. Ask the owner to create one and invite you."
      >
        <ButtonLink href="/">Go back</ButtonLink>
      </AccountFrame>
    );
  }
  return (
    <AccountFrame
      title="Create organization"
      description="An organization has its own projects, members, teams, and settings. You become its owner; no one else can see it until you invite them."
    >
      <NewOrganizationForm />
    </AccountFrame>
  );
}

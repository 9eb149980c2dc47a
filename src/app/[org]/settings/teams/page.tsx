import { Users } from 'lucide-react';
import type { Metadata } from 'next';
import { createTeamAction } from '#app/[org]/settings/organization-actions.ts';
import { TEAM_FIELDS } from '#app/[org]/settings/organization-fields.ts';
import { LineForm } from '#app/forms/fields-form.tsx';
import { getRequestContext } from '#app/request-context.ts';
import type { PageRequest } from '#app/url-state.ts';
import { listAssignees } from '#product/assignment/assignees.ts';
import { hasRight } from '#product/permissions.ts';
import { listVisibleProjects } from '#product/visible-projects.ts';
import { Card } from '#ui/card.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { SettingsPage } from '#ui/page-header.tsx';
import { TeamCard } from './team-card.tsx';

export const metadata: Metadata = { title: 'Teams' };

export default async function TeamsPage({ params }: PageRequest<'org'>) {
  const { org } = await params;
  const ctx = await getRequestContext(org);
  const [{ members, teams }, projects] = await Promise.all([listAssignees(ctx), listVisibleProjects(ctx)]);
  const canChange = hasRight(ctx.actor, 'team:write');
  return (
    <SettingsPage
      title="Teams"
      description="Assign issues to a team, and refer to it as #team in ownership rules and comments."
    >
      {canChange ? (
        <Card>
          <LineForm
            fields={TEAM_FIELDS}
            action={createTeamAction.bind(null, org, null)}
            submitLabel="Create team"
            pendingLabel="Creating…"
          />
        </Card>
      ) : null}
      {teams.length === 0 ? (
        <EmptyState icon={<Users aria-hidden />} title="No teams yet">
          {canChange
            ? 'Create one above, then choose its members and projects.'
            : 'Ask a manager to create one.'}
        </EmptyState>
      ) : null}
      {teams.map((team) => (
        <TeamCard
          key={team.id}
          orgSlug={org}
          slug={team.slug}
          name={team.name}
          canChange={canChange}
          members={members.map(({ id, name, email }) => ({
            id,
            label: name ? `${name} (${email})` : email,
            isIn: team.memberIds.includes(id),
          }))}
          projects={projects.map(({ id, slug }) => ({
            id: slug,
            label: slug,
            isIn: team.projectIds.includes(id),
          }))}
        />
      ))}
    </SettingsPage>
  );
}

import { Users } from 'lucide-react';
import type { Metadata } from 'next';
import { getRequestContext } from '#app/request-context.ts';
import { listAssignees } from '#product/assignment/list-assignees.ts';
import { hasRight } from '#product/permissions.ts';
import { listVisibleProjects } from '#product/visible-projects.ts';
import { Card } from '#ui/card.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { PageBody, PageHeader } from '#ui/page-header.tsx';
import { NewTeamForm } from './new-team-form.tsx';
import { TeamCard } from './team-card.tsx';

export const metadata: Metadata = { title: 'Teams' };

/** The teams of the organization, their members and their projects. */
export default async function TeamsPage({ params }: { params: Promise<{ org: string }> }) {
  const { org } = await params;
  const ctx = await getRequestContext(org);
  const [{ members, teams }, projects] = await Promise.all([listAssignees(ctx), listVisibleProjects(ctx)]);
  const canChange = hasRight(ctx.actor, 'team:write');
  return (
    <PageBody width="narrow">
      <PageHeader
        title="Teams"
        description="Issues can belong to a team, ownership rules can name it as #team, and so can comments."
      />
      <div className="flex flex-col gap-5">
        {canChange ? (
          <Card>
            <NewTeamForm orgSlug={org} />
          </Card>
        ) : null}
        {teams.length === 0 ? (
          <EmptyState icon={<Users aria-hidden />} title="No team yet">
            {canChange
              ? 'Create one above, then choose its members and its projects.'
              : 'Ask a manager of the organization to create one.'}
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
      </div>
    </PageBody>
  );
}

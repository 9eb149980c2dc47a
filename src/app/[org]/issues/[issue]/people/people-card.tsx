import { Eye } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Issue } from '#domain/issues/issue.ts';
import type { OrUnavailable } from '#lib/or-unavailable.ts';
import type { listAssignees } from '#product/assignment/assignees.ts';
import type { Context } from '#product/context.ts';
import type { IssuePeople } from '#product/issue-user-state/user-state.ts';
import type { OwnerSuggestions, SuggestedOwner } from '#product/ownership/suggest-owners.ts';
import { hasRight } from '#product/permissions.ts';
import { Avatar } from '#ui/avatar.tsx';
import { Card } from '#ui/card.tsx';
import { formatPlural } from '#ui/format-number.ts';
import {
  type AssigneeOption,
  AssigneePicker,
  SuggestedOwners,
  type SuggestedOwnerView,
} from './assignee-picker.tsx';

const FACES_SHOWN = 8;

export type Assignees = Awaited<ReturnType<typeof listAssignees>>;

/** The assignee, suggested owners and why, subscribers, and who has viewed the issue. */
export function PeopleCard({
  ctx,
  issue,
  assignees: { members, teams },
  people,
  owners: suggested,
}: {
  ctx: Context;
  issue: Issue;
  assignees: Assignees;
  people: IssuePeople;
  /** For the event that is shown; null when its store does not answer or it is gone. */
  owners: OrUnavailable<OwnerSuggestions> | null;
}) {
  const place = { organizationSlug: ctx.organization.slug, shortId: issue.shortId };
  const canAssign = hasRight(ctx.actor, 'event:write');
  const value = assigneeValue(issue);
  const options: AssigneeOption[] = [
    ...teams.map(({ id, slug }) => ({ value: `team:${id}`, name: `#${slug}`, kind: 'team' as const })),
    ...members.map(({ id, name, email }) => ({
      value: `user:${id}`,
      name: name || email,
      kind: 'user' as const,
    })),
  ];
  const owners = suggested?.ok ? suggested.value.owners.map((owner) => ownerView(owner, value)) : [];
  const isCut = suggested?.ok === true && !suggested.value.isComplete;
  return (
    <Card id="people" title="People">
      <dl className="space-y-3.5 text-sm">
        <Fact label="Assigned to">
          <AssigneePicker
            place={place}
            value={value}
            name={issue.assigneeTeam ? `#${issue.assigneeTeam.slug}` : (issue.assignee?.name ?? null)}
            options={options}
            canChange={canAssign}
          />
        </Fact>
        {owners.length > 0 || isCut ? (
          <Fact label="Suggested owners">
            <SuggestedOwners
              place={place}
              owners={owners}
              rulesHref={`/${place.organizationSlug}/settings/projects/${issue.projectSlug}/ownership`}
              canAssign={canAssign}
            />
            {isCut ? (
              <p className="mt-1.5 text-text-muted text-xs">
                Some rules were not evaluated because there are too many for a stack trace of this length.
              </p>
            ) : null}
          </Fact>
        ) : null}
        <Fact label="Subscribers">
          <Faces people={people.subscribers} none="No subscribers" />
        </Fact>
        <Fact label="Viewed by" icon={<Eye aria-hidden className="size-3" />}>
          <Faces people={viewersOf(people.seenBy, ctx.actor)} none="Not viewed yet" />
        </Fact>
      </dl>
    </Card>
  );
}

function Fact({ label, icon, children }: { label: string; icon?: ReactNode; children: ReactNode }) {
  return (
    <div>
      <dt className="mb-1 flex items-center gap-1 text-text-muted text-xs">
        {icon}
        {label}
      </dt>
      <dd>{children}</dd>
    </div>
  );
}

function Faces({ people, none }: { people: readonly Person[]; none: string }) {
  if (people.length === 0) return <span className="text-text-muted text-xs">{none}</span>;
  const rest = people.length - FACES_SHOWN;
  return (
    <ul className="flex flex-wrap items-center gap-1">
      {people.slice(0, FACES_SHOWN).map(({ userId, name }) => (
        <li key={userId}>
          <Avatar name={name} label={name} />
        </li>
      ))}
      {rest > 0 ? <li className="text-text-muted text-xs">and {formatPlural(rest, 'other')}</li> : null}
    </ul>
  );
}

type Person = { userId: string; name: string };

/** Whoever looks at the page is a viewer: it notes that only once it is open, and first when it was not noted before. */
export function viewersOf(seenBy: readonly Person[], actor: Context['actor']): readonly Person[] {
  if (actor.kind !== 'user' || seenBy.some(({ userId }) => userId === actor.userId)) return seenBy;
  return [actor, ...seenBy];
}

const assigneeValue = ({ assignee, assigneeTeam }: Issue): string | null =>
  assigneeTeam ? `team:${assigneeTeam.teamId}` : assignee && `user:${assignee.userId}`;

function ownerView(
  { owner, rule, value: matched }: SuggestedOwner,
  assigned: string | null,
): SuggestedOwnerView {
  const value = owner.kind === 'team' ? `team:${owner.teamId}` : `user:${owner.userId}`;
  return {
    value,
    kind: owner.kind,
    name: owner.kind === 'team' ? `#${owner.slug}` : owner.name || owner.email,
    isAssigned: value === assigned,
    source: rule.source,
    line: rule.line,
    text: rule.text,
    matched,
  };
}

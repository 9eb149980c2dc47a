'use client';

import { useOptimistic, useTransition } from 'react';
import {
  deleteTeamAction,
  setMemberAction,
  setProjectAction,
} from '#app/[org]/settings/organization-actions.ts';
import { ConfirmAction } from '#app/forms/confirm-action.tsx';
import { Card } from '#ui/card.tsx';
import { Checkbox } from '#ui/checkbox.tsx';
import { showResult } from '#ui/toast.tsx';

type TeamChoice = { id: string; label: string; isIn: boolean };

export function TeamCard({
  orgSlug,
  slug,
  name,
  members,
  projects,
  canChange,
}: {
  orgSlug: string;
  slug: string;
  name: string;
  members: readonly TeamChoice[];
  /** By slug. */
  projects: readonly TeamChoice[];
  canChange: boolean;
}) {
  return (
    <Card
      id={`team-${slug}`}
      title={
        <span className="break-anything">
          <bdi>{name}</bdi> <span className="mono font-normal text-text-muted text-xs">#{slug}</span>
        </span>
      }
      actions={
        canChange ? (
          <ConfirmAction
            action={deleteTeamAction.bind(null, orgSlug, slug)}
            label="Delete"
            accessibleName={`Delete the team ${name}`}
            title={`Delete the team ${name}?`}
            description="Issues assigned to it become unassigned. This cannot be undone."
            confirmLabel="Delete team"
            doneTitle={`Deleted: ${name}`}
            size="sm"
            variant="ghost"
          />
        ) : null
      }
    >
      <fieldset disabled={!canChange} className="grid min-w-0 gap-5 sm:grid-cols-2">
        <Choices
          legend="Members"
          name={`${slug}-member`}
          choices={members}
          none="The organization has no members."
          save={(userId, isMember) => setMemberAction(orgSlug, { team: slug, userId, isMember })}
        />
        <Choices
          legend="Projects"
          name={`${slug}-project`}
          choices={projects}
          none="There are no projects yet."
          save={(projectSlug, isOwned) => setProjectAction(orgSlug, { team: slug, projectSlug, isOwned })}
        />
      </fieldset>
    </Card>
  );
}

type SaveChoice = (id: string, isIn: boolean) => Promise<string | null>;

function Choices({
  legend,
  name,
  choices,
  none,
  save,
}: {
  legend: string;
  name: string;
  choices: readonly TeamChoice[];
  none: string;
  save: SaveChoice;
}) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-2 font-medium text-sm">{legend}</legend>
      {choices.length === 0 ? <p className="text-sm text-text-muted">{none}</p> : null}
      <ul className="max-h-64 space-y-1.5 overflow-y-auto">
        {choices.map((choice) => (
          <Choice key={choice.id} inputId={`${name}-${choice.id}`} choice={choice} save={save} />
        ))}
      </ul>
    </fieldset>
  );
}

/** Optimistic: shows the choice at once and reverts when the server refuses. */
function Choice({ inputId, choice, save }: { inputId: string; choice: TeamChoice; save: SaveChoice }) {
  const [isIn, showIn] = useOptimistic(choice.isIn);
  const [, startTransition] = useTransition();
  function change(next: boolean) {
    startTransition(async () => {
      showIn(next);
      showResult(await save(choice.id, next), `${next ? 'Added' : 'Removed'}: ${choice.label}`);
    });
  }
  return (
    <li className="flex items-center gap-2.5">
      <Checkbox id={inputId} checked={isIn} onChange={(event) => change(event.currentTarget.checked)} />
      <label htmlFor={inputId} className="min-w-0 truncate text-sm">
        <bdi>{choice.label}</bdi>
      </label>
    </li>
  );
}

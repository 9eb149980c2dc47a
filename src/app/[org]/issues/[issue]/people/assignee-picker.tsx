'use client';

import { ChevronDown, UserMinus, Users } from 'lucide-react';
import type { SuggestedOwner } from '#product/ownership/suggest-owners.ts';
import { Avatar } from '#ui/avatar.tsx';
import { Button, buttonClass } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { Menu, MenuRadioGroup } from '#ui/menu.tsx';
import { Link } from '#ui/navigation/link.tsx';
import { assignAction } from './actions.ts';
import type { IssuePlace } from './on-issue.ts';
import { useIssueAction } from './use-issue-action.ts';

/** `value` is `user:<id>` or `team:<id>`. */
export type AssigneeOption = { value: string; name: string; kind: 'user' | 'team' };

const NOBODY = 'nobody';

/** The assignee, and everybody who could be. `value` is `user:<id>`, `team:<id>` or null. */
export function AssigneePicker({
  place,
  value,
  name,
  options,
  canChange,
}: {
  place: IssuePlace;
  value: string | null;
  name: string | null;
  options: readonly AssigneeOption[];
  canChange: boolean;
}) {
  const { assign, isPending } = useAssign(place);
  const kind = value?.startsWith('team:') ? 'team' : 'user';
  const shown =
    name === null ? (
      <span className="text-text-muted">No one</span>
    ) : (
      <span className="flex min-w-0 items-center gap-1.5">
        <OwnerMark kind={kind} name={name} />
        <bdi className="truncate">{name}</bdi>
      </span>
    );
  if (!canChange) return <span className="text-sm">{shown}</span>;

  const choose = (next: string | null) =>
    assign(next, next === null ? 'Unassigned' : `Assigned to ${nameOf(options, next)}`);

  const users = options.filter((option) => option.kind === 'user');
  const teams = options.filter((option) => option.kind === 'team');
  const group = (label: string, list: readonly AssigneeOption[]) => (
    <MenuRadioGroup
      label={label}
      value={value ?? NOBODY}
      onValueChange={(next) => choose(next === NOBODY ? null : next)}
      options={list.map((option) => ({
        value: option.value,
        label: <bdi>{option.name}</bdi>,
        icon: <OwnerMark kind={option.kind} name={option.name} />,
      }))}
    />
  );
  return (
    <Menu
      trigger={
        <button
          type="button"
          disabled={isPending}
          aria-label={`Assigned to ${name ?? 'no one'}. Change assignee`}
          className={cx(buttonClass(), 'w-full font-normal')}
        >
          <span className="min-w-0 flex-1 text-left">{shown}</span>
          <ChevronDown aria-hidden className="size-3.5 text-text-muted" />
        </button>
      }
    >
      {value === null ? null : (
        <MenuRadioGroup
          label="Assignee"
          value={value}
          onValueChange={() => choose(null)}
          options={[{ value: NOBODY, label: 'No one', icon: <UserMinus aria-hidden /> }]}
        />
      )}
      {teams.length > 0 ? group('Teams', teams) : null}
      {group('People', users)}
    </Menu>
  );
}

/** Assigns with a toast that can undo it. */
function useAssign(place: IssuePlace) {
  const { run, isPending } = useIssueAction();
  const assign = (next: string | null, title: string) =>
    run(
      () => assignAction(place, next),
      (before) => ({
        title,
        action: { label: 'Undo', onSelect: () => run(() => assignAction(place, before)) },
      }),
    );
  return { assign, isPending };
}

const nameOf = (options: readonly AssigneeOption[], value: string): string =>
  options.find((option) => option.value === value)?.name ?? 'someone';

/** A person by initials, a team by its sign. */
function OwnerMark({ kind, name }: { kind: 'user' | 'team'; name: string }) {
  return kind === 'user' ? (
    <Avatar name={name} className="size-5" />
  ) : (
    <span
      aria-hidden
      className="grid size-5 shrink-0 place-items-center rounded-sm bg-accent-soft [&_svg]:size-3 [&_svg]:text-accent"
    >
      <Users />
    </span>
  );
}

/** The owner, the rule, and what of the event it matches. */
export type SuggestedOwnerView = AssigneeOption &
  Pick<SuggestedOwner['rule'], 'source' | 'line' | 'text'> & { isAssigned: boolean; matched: string };

/** The owners of the shown event by the ownership rules, and why. */
export function SuggestedOwners({
  place,
  owners,
  rulesHref,
  canAssign,
}: {
  place: IssuePlace;
  owners: readonly SuggestedOwnerView[];
  rulesHref: string;
  canAssign: boolean;
}) {
  const { assign, isPending } = useAssign(place);
  return (
    <ul className="space-y-2.5">
      {owners.map((owner) => (
        <li key={owner.value}>
          <div className="flex items-center gap-1.5 text-sm">
            <OwnerMark kind={owner.kind} name={owner.name} />
            <bdi className="min-w-0 flex-1 truncate">{owner.name}</bdi>
            {owner.isAssigned ? (
              <span className="text-text-muted text-xs">assigned</span>
            ) : canAssign ? (
              <Button
                size="sm"
                variant="ghost"
                disabled={isPending}
                aria-label={`Assign to ${owner.name}`}
                onClick={() => assign(owner.value, `Assigned to ${owner.name}`)}
              >
                Assign
              </Button>
            ) : null}
          </div>
          <details className="mt-0.5">
            <summary className="w-fit rounded-sm text-text-muted text-xs hover:text-text">
              Why {owner.kind === 'team' ? 'this team' : 'this person'}?
            </summary>
            <p className="break-anything mt-1 text-text-muted text-xs">
              <code className="mono text-text">{owner.matched}</code> matches{' '}
              <Link href={rulesHref} className="text-accent underline underline-offset-2">
                line {owner.line} of{' '}
                {owner.source === 'rules' ? 'the ownership rules' : 'the CODEOWNERS file'}
              </Link>
              : <code className="mono text-text">{owner.text}</code>
            </p>
          </details>
        </li>
      ))}
    </ul>
  );
}

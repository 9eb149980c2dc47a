'use client';

import { Button } from '#ui/button.tsx';
import { Link } from '#ui/navigation/link.tsx';
import { OwnerMark } from './assignee-picker.tsx';
import type { IssuePlace } from './on-issue.ts';
import { assignAction } from './people-actions.ts';
import { useIssueAction } from './use-issue-action.ts';

export type SuggestedOwnerView = {
  /** `user:<id>` or `team:<id>`. */
  value: string;
  kind: 'user' | 'team';
  name: string;
  isAssigned: boolean;
  /** Where the rule stands, the rule, and what of the event it fits. */
  source: 'rules' | 'codeowners';
  line: number;
  text: string;
  fits: string;
};

/** Whom the ownership rules name for the event that is shown, and why. */
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
  const { run, isPending } = useIssueAction();
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
                onClick={() =>
                  run(
                    () => assignAction(place, owner.value),
                    (before) => ({
                      title: `Assigned to ${owner.name}`,
                      action: { label: 'Undo', onSelect: () => run(() => assignAction(place, before)) },
                    }),
                  )
                }
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
              <code className="mono text-text">{owner.fits}</code> matches{' '}
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

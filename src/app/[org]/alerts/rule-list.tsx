import { BellOff } from 'lucide-react';
import { visibleText } from '#lib/visible-text.ts';
import { describeReceiver, tellsNobody } from '#product/alerts/describe-receiver.ts';
import type { AlertReceivers, AlertRuleRow } from '#product/alerts/list-alert-rules.ts';
import { Badge } from '#ui/badge.tsx';
import { Link } from '#ui/navigation/link.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { ruleSentence } from './alert-labels.ts';
import { RuleState } from './rule-state.tsx';

/** Rules one under the other: what each looks for, whether it looks, and when it fired last. */
export function RuleList({
  organizationSlug,
  rows,
  known,
  showsProject,
  now,
}: {
  organizationSlug: string;
  rows: readonly AlertRuleRow[];
  known: AlertReceivers;
  showsProject: boolean;
  now: number;
}) {
  return (
    <ul aria-label="Alert rules" className="divide-y">
      {rows.map(({ rule, project }) => (
        <li
          key={rule.id}
          className="flex flex-wrap items-center gap-x-4 gap-y-1.5 px-4 py-3 transition-colors hover:bg-surface-hover"
        >
          <div className="min-w-0 flex-1 basis-72">
            <p className="break-anything">
              <Link
                href={`/${organizationSlug}/alerts/${rule.id}`}
                className="font-medium text-sm text-text no-underline hover:underline"
              >
                <bdi>{visibleText(rule.name)}</bdi>
              </Link>
            </p>
            <p className="break-anything mt-0.5 text-text-muted text-xs">
              {visibleText(ruleSentence(rule, (who) => describeReceiver(known, who)))}
            </p>
            <p className="break-anything mt-0.5 text-text-faint text-xs">
              {showsProject ? <bdi>{project.name}</bdi> : null}
              {showsProject ? ' · ' : null}
              {visibleText(
                notifiesLabel(rule.definition.receivers.map((receiver) => describeReceiver(known, receiver))),
              )}
              {rule.owner ? ` · Owner: ${visibleText(describeReceiver(known, rule.owner))}` : null}
            </p>
          </div>
          <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
            <span className="text-text-muted text-xs">
              {rule.lastFiredAt === null ? (
                'Never triggered'
              ) : (
                <>
                  Last triggered <RelativeTime at={rule.lastFiredAt} now={now} />
                </>
              )}
            </span>
            {tellsNobody(known, rule.definition.receivers) ? (
              <Badge tone="warning" icon={<BellOff aria-hidden />} title="Its recipients were removed">
                Notifies no one
              </Badge>
            ) : null}
            <RuleState rule={rule} now={now} />
          </div>
        </li>
      ))}
    </ul>
  );
}

const NAMES_SHOWN = 3;

/** `Notifies Team ops, Ana and 2 more`. */
export function notifiesLabel(names: readonly string[]): string {
  const shown = names.slice(0, NAMES_SHOWN);
  const rest = names.length - shown.length;
  return `Notifies ${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

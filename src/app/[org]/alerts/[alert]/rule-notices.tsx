import { tellsNobody } from '#product/alerts/describe-receiver.ts';
import type { AlertReceivers } from '#product/alerts/list-alert-receivers.ts';
import type { AlertRule } from '#storage/ports/alert-rules.ts';
import { Notice } from '#ui/notice.tsx';
import { ExactTime, RelativeTime } from '#ui/relative-time.tsx';

/** Why the rule tells nobody now; nothing while it does. */
export function RuleNotices({ rule, known, now }: { rule: AlertRule; known: AlertReceivers; now: number }) {
  const { isEnabled, snoozedUntil, metric, definition } = rule;
  return (
    <div className="mb-5 flex flex-col gap-2 empty:hidden">
      {!isEnabled ? (
        <Notice title="The rule is disabled">It looks at nothing until somebody enables it.</Notice>
      ) : snoozedUntil !== null && snoozedUntil > now ? (
        <Notice title="The rule is snoozed">
          {snoozedUntil === Number.POSITIVE_INFINITY ? (
            'It tells nobody until somebody wakes it.'
          ) : (
            <>
              It tells nobody until <ExactTime at={snoozedUntil} />.
            </>
          )}
        </Notice>
      ) : null}
      {tellsNobody(known, definition.receivers) ? (
        <Notice tone="warning" title="The rule tells nobody">
          Whom it told is gone. Change it to say who is told.
        </Notice>
      ) : null}
      {metric !== null && metric.problem !== null ? (
        <Notice tone="warning" title="It cannot be measured">
          {metric.problem} It was looked at <RelativeTime at={metric.checkedAt} now={now} />.
        </Notice>
      ) : null}
    </div>
  );
}

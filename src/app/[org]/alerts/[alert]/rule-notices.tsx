import type { AlertRule } from '#domain/alerts/alert-rule.ts';
import { tellsNobody } from '#product/alerts/describe-receiver.ts';
import type { AlertReceivers } from '#product/alerts/list-alert-rules.ts';
import { Notice } from '#ui/notice.tsx';
import { ExactTime, RelativeTime } from '#ui/relative-time.tsx';

/** Why the rule tells nobody now; nothing while it does. */
export function RuleNotices({ rule, known, now }: { rule: AlertRule; known: AlertReceivers; now: number }) {
  const { isEnabled, snoozedUntil, metric, definition } = rule;
  return (
    <div className="mb-5 flex flex-col gap-2 empty:hidden">
      {!isEnabled ? (
        <Notice title="This rule is disabled">It won’t run until someone enables it.</Notice>
      ) : snoozedUntil !== null && snoozedUntil > now ? (
        <Notice title="This rule is snoozed">
          {snoozedUntil === Number.POSITIVE_INFINITY ? (
            'It won’t notify anyone until someone unsnoozes it.'
          ) : (
            <>
              It won’t notify anyone until <ExactTime at={snoozedUntil} />.
            </>
          )}
        </Notice>
      ) : null}
      {tellsNobody(known, definition.receivers) ? (
        <Notice tone="warning" title="This rule doesn’t notify anyone">
          Its recipients were removed. Edit the rule to choose who to notify.
        </Notice>
      ) : null}
      {metric !== null && metric.problem !== null ? (
        <Notice tone="warning" title="This rule can’t be evaluated">
          {metric.problem} Last checked <RelativeTime at={metric.checkedAt} now={now} />.
        </Notice>
      ) : null}
    </div>
  );
}

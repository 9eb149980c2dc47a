import { Archive, Check, CircleDot, RotateCcw, SignalMedium, TrendingUp } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Activity, ActivityType, ArchiveCondition, UnarchiveReason } from '#domain/issues/issue.ts';
import { conditionLabel, reasonLabel } from '../triage/status-labels.ts';

/** What happens to the status of an issue, as against what people say or note about it. */
type StatusActivityType = Extract<ActivityType, `set_${string}` | 'auto_set_ongoing'>;

/** `words` follow the name of whoever did it, `alone` stands for itself. */
export const STATUS_APPEARANCE: Readonly<
  Record<StatusActivityType, { icon: ReactNode; words: string; alone: string }>
> = {
  set_resolved: { icon: <Check />, words: 'resolved this issue', alone: 'Resolved' },
  set_resolved_in_release: { icon: <Check />, words: 'resolved this issue', alone: 'Resolved' },
  set_resolved_in_commit: { icon: <Check />, words: 'resolved this issue', alone: 'Resolved' },
  set_unresolved: {
    icon: <RotateCcw />,
    words: 'marked this issue as unresolved',
    alone: 'Marked as unresolved',
  },
  set_archived: { icon: <Archive />, words: 'archived this issue', alone: 'Archived' },
  set_regression: {
    icon: <RotateCcw />,
    words: 'detected a regression',
    alone: 'Regressed',
  },
  set_escalating: { icon: <TrendingUp />, words: 'marked this issue as escalating', alone: 'Escalating' },
  set_priority: { icon: <SignalMedium />, words: 'set the priority', alone: 'Priority set' },
  auto_set_ongoing: { icon: <CircleDot />, words: 'marked this issue as ongoing', alone: 'Ongoing' },
};

export const isStatusActivity = (type: ActivityType): type is StatusActivityType =>
  Object.hasOwn(STATUS_APPEARANCE, type);

/** What an entry adds to its words: the release, the condition, the reason; empty when it says all. */
export function statusActivityDetails(
  { type, data }: Pick<Activity, 'type' | 'data'>,
  timeZone: string,
): string {
  switch (type) {
    case 'set_resolved_in_release':
      if (typeof data.version !== 'string') return ` in the ${nextRelease(data)}`;
      if (data.wasNextRelease) return ` in ${data.version} (next release)`;
      return typeof data.commit === 'string'
        ? ` in ${data.version}, which contains ${commitLabel(data)}`
        : ` in ${data.version}`;
    case 'set_resolved_in_commit':
      return typeof data.version === 'string'
        ? ` in ${data.version} with ${commitLabel(data)}`
        : ` in ${commitLabel(data)}`;
    case 'set_regression':
      return typeof data.release === 'string' ? ` in ${data.release}` : '';
    case 'set_archived':
      return data.condition ? ` ${conditionLabel(data.condition as ArchiveCondition, timeZone)}` : '';
    case 'set_escalating':
      return data.reason ? `: ${reasonLabel(data.reason as UnarchiveReason)}` : '';
    case 'set_priority':
      return typeof data.priority === 'string' ? ` to ${data.priority}` : '';
    case 'auto_set_ongoing':
      return ongoingDetails(data);
    default:
      return '';
  }
}

const nextRelease = ({ after }: Activity['data']): string =>
  typeof after === 'string' ? `release after ${after}` : 'next release';

const commitLabel = ({ commit, repository }: Activity['data']): string =>
  `commit ${String(commit)} of ${String(repository)}`;

function ongoingDetails(data: Activity['data']): string {
  if (data.reason) return `: ${reasonLabel(data.reason as UnarchiveReason)}`;
  if (data.before) return '';
  return typeof data.after === 'string' ? ` after a week as ${data.after}` : ' after a week';
}

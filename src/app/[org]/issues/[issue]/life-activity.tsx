import { Archive, Check, CircleDot, RotateCcw, SignalMedium, TrendingUp } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ArchiveCondition, ReturnReason } from '#storage/ports/issue-states.ts';
import type { Activity, ActivityType } from '#storage/ports/issues.ts';
import { conditionWords, reasonWords } from '../triage/life-words.ts';

/** What happens in the life of an issue, as against what people say or note about it. */
export type LifeActivityType = Extract<ActivityType, `set_${string}` | 'auto_set_ongoing'>;

/** `words` follow the name of whoever did it, `alone` stands for itself. */
export const LIFE_LOOKS: Readonly<
  Record<LifeActivityType, { icon: ReactNode; words: string; alone: string }>
> = {
  set_resolved: { icon: <Check />, words: 'resolved it', alone: 'Resolved' },
  set_resolved_in_release: { icon: <Check />, words: 'resolved it', alone: 'Resolved' },
  set_resolved_in_commit: { icon: <Check />, words: 'resolved it', alone: 'Resolved' },
  set_unresolved: { icon: <RotateCcw />, words: 'marked it as unresolved', alone: 'Unresolved again' },
  set_archived: { icon: <Archive />, words: 'archived it', alone: 'Archived' },
  set_regression: {
    icon: <RotateCcw />,
    words: 'saw it again',
    alone: 'Regressed: it happened again after it was resolved',
  },
  set_escalating: { icon: <TrendingUp />, words: 'saw it escalate', alone: 'Escalating' },
  set_priority: { icon: <SignalMedium />, words: 'set its priority', alone: 'Priority set' },
  auto_set_ongoing: { icon: <CircleDot />, words: 'set it to ongoing', alone: 'Ongoing' },
};

export const isLifeActivity = (type: ActivityType): type is LifeActivityType =>
  Object.hasOwn(LIFE_LOOKS, type);

/** What an entry adds to its words: the release, the condition, the reason; empty when it says all. */
export function lifeDetails({ type, data }: Pick<Activity, 'type' | 'data'>, timeZone: string): string {
  switch (type) {
    case 'set_resolved_in_release':
      if (typeof data.version !== 'string') return ' in the next release';
      if (data.wasNextRelease) return ` in ${data.version}, which is the next release`;
      return typeof data.commit === 'string'
        ? ` in ${data.version}, which holds ${commitWords(data)}`
        : ` in ${data.version}`;
    case 'set_resolved_in_commit':
      return typeof data.version === 'string'
        ? ` in ${data.version} with ${commitWords(data)}`
        : ` in ${commitWords(data)}`;
    case 'set_regression':
      return typeof data.release === 'string' ? ` in ${data.release}` : '';
    case 'set_archived':
      return data.condition ? ` ${conditionWords(data.condition as ArchiveCondition, timeZone)}` : '';
    case 'set_escalating':
      return data.reason ? `: ${reasonWords(data.reason as ReturnReason)}` : '';
    case 'set_priority':
      return typeof data.priority === 'string' ? ` to ${data.priority}` : '';
    case 'auto_set_ongoing':
      return ongoingDetails(data);
    default:
      return '';
  }
}

const commitWords = ({ commit, repository }: Activity['data']): string =>
  `commit ${String(commit).slice(0, 12)} of ${String(repository)}`;

function ongoingDetails(data: Activity['data']): string {
  if (data.reason) return `: ${reasonWords(data.reason as ReturnReason)}`;
  if (data.before) return '';
  return typeof data.after === 'string' ? `: it was ${data.after} for a week` : ': it is a week old';
}

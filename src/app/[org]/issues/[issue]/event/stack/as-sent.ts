import { type MetaBranch, metaAt } from '#app/[org]/issues/[issue]/event/scrub-marks.tsx';
import type { NormalizedEvent, Stacktrace } from '#protocol/event.ts';

/** What holds a stack; `raw_stacktrace` is there once its frames were taken to their sources. */
type Holder = { stacktrace?: Stacktrace | null; raw_stacktrace?: Stacktrace | null };

/** Whether frames were taken to their sources, so that those that were sent are kept beside them. */
export const hasSentFrames = ({ exception, threads }: NormalizedEvent): boolean =>
  [...(exception?.values ?? []), ...(threads?.values ?? [])].some((holder) => holder.raw_stacktrace);

/** The event with its stacks as they were sent; what was done to them before they were stored goes along. */
export function asSent(event: NormalizedEvent): NormalizedEvent {
  const { exception, threads, _meta } = event;
  return {
    ...event,
    ...(exception && { exception: { ...exception, values: exception.values.map(sent) } }),
    ...(threads && { threads: { ...threads, values: threads.values.map(sent) } }),
    _meta: {
      ...metaAt(_meta),
      ...(exception && { exception: sentMarks(metaAt(_meta, 'exception'), exception.values) }),
      ...(threads && { threads: sentMarks(metaAt(_meta, 'threads'), threads.values) }),
    },
  };
}

const sent = <T extends Holder>(holder: T): T =>
  holder.raw_stacktrace ? { ...holder, stacktrace: holder.raw_stacktrace } : holder;

function sentMarks(branch: MetaBranch, holders: readonly Holder[]): MetaBranch {
  const marks = holders.map(({ raw_stacktrace }, index) => {
    const own = metaAt(branch, 'values', index);
    return [index, raw_stacktrace ? { ...own, stacktrace: own.raw_stacktrace } : own];
  });
  return { ...branch, values: Object.fromEntries(marks) };
}

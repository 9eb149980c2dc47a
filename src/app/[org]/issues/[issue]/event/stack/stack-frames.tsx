import type { ReactNode } from 'react';
import { withQuery } from '#app/url-state.ts';
import type { NormalizedEvent } from '#protocol/event.ts';
import { formatPlural } from '#ui/format-number.ts';
import type { EventPlace } from '../event-parts.ts';
import { findStack, type StackName } from '../event-view.ts';
import { drawRows } from './draw-rows.ts';
import type { StackView } from './frame-view.ts';
import { LazyFrames } from './lazy-frames.tsx';
import { type PlannedStack, planStacks } from './plan-stacks.ts';
import { stackEntries } from './stack-options.ts';
import { StackRows } from './stack-rows.tsx';

/** The frames of one stack, as far as the plan says; the others are fetched when somebody asks. */
export function StackFrames({
  name,
  stack,
  plan,
  platform,
  place: { eventHref, stack: options },
}: {
  name: StackName;
  stack: StackView;
  plan: PlannedStack;
  platform: string;
  place: EventPlace;
}) {
  return (
    <>
      <ol className="frames">
        <StackRows rows={drawRows(plan.rows, platform)} />
        {plan.left > 0 ? (
          <LazyFrames
            left={plan.left}
            href={withQuery(`${eventHref}/frames`, {
              of: name,
              from: String(plan.rows.length),
              ...stackEntries(options),
            })}
          />
        ) : null}
        {stack.omitted > 0 ? (
          <li className="border-b px-4 py-2 text-text-muted text-xs last:border-b-0">
            {formatPlural(stack.omitted, 'frame')} omitted by the SDK
          </li>
        ) : null}
      </ol>
      {stack.registers.length > 0 ? <Registers registers={stack.registers} /> : null}
    </>
  );
}

/** The frames of a stack that shares the page with no other; null when the event has no such stack. */
export function singleStack(event: NormalizedEvent, name: StackName, place: EventPlace): ReactNode {
  const stack = findStack(event, name, place.linkFrame);
  const [plan] = planStacks([stack], place.stack.order, place.stack.shape === 'all');
  if (!stack || !plan) return null;
  return <StackFrames name={name} stack={stack} plan={plan} platform={event.platform} place={place} />;
}

function Registers({ registers }: { registers: StackView['registers'] }) {
  return (
    <details className="mt-2">
      <summary className="w-fit rounded-sm text-text-muted text-xs hover:text-text">
        {formatPlural(registers.length, 'register')}
      </summary>
      <dl className="mono mt-1 grid grid-cols-[repeat(auto-fill,minmax(14rem,1fr))] gap-x-6 text-xs leading-5">
        {registers.map(([name, value]) => (
          <div key={name} className="flex justify-between gap-3">
            <dt className="text-text-muted">{name}</dt>
            <dd className="break-anything">{value}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

'use client';

import { useState } from 'react';
import { Badge } from '#ui/badge.tsx';
import { CodeBlock } from '#ui/code-block.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { ScrollRegion } from '#ui/scroll-region.tsx';
import { Segmented } from '#ui/segmented.tsx';
import type { ExceptionView } from './event-view.ts';
import { type FrameOrder, hasBothKinds } from './fold-frames.ts';
import { rawStack } from './raw-stack.ts';
import { ScrubBadges } from './scrub-badges.tsx';
import { StackFrames } from './stack-frames.tsx';

type View = 'own' | 'all' | 'raw';

const VIEWS = [
  { value: 'own', label: 'Own code' },
  { value: 'all', label: 'All frames' },
  { value: 'raw', label: 'Raw' },
] as const;

const ORDERS = [
  { value: 'newest', label: 'Newest first' },
  { value: 'oldest', label: 'Oldest first' },
] as const;

/** Exceptions with their stacks, each followed by its cause (or the other way round). */
export function ExceptionChain({
  exceptions,
  platform,
}: {
  exceptions: readonly ExceptionView[];
  platform: string;
}) {
  const [view, setView] = useState<View>('own');
  const [order, setOrder] = useState<FrameOrder>('newest');
  const chain = order === 'newest' ? [...exceptions].reverse() : exceptions;
  const raw = chain
    .map((exception) =>
      rawStack(
        { type: exception.type, value: exception.value, frames: exception.stack?.frames ?? [] },
        platform,
      ),
    )
    .join(order === 'newest' ? '\n\nCaused by: ' : '\n\n');
  const hasFrames = exceptions.some((exception) => exception.stack);
  const isFoldable = exceptions.some((exception) => exception.stack && hasBothKinds(exception.stack.frames));

  return (
    <div>
      <div className="mb-3 flex flex-wrap items-center gap-2">
        {hasFrames ? (
          <Segmented
            label="Frames"
            value={isFoldable || view === 'raw' ? view : 'all'}
            options={isFoldable ? VIEWS : VIEWS.filter((each) => each.value !== 'own')}
            onValueChange={setView}
          />
        ) : null}
        {hasFrames || exceptions.length > 1 ? (
          <Segmented label="Order" value={order} options={ORDERS} onValueChange={setOrder} />
        ) : null}
        <CopyButton text={raw} label="Copy the stack as text" className="ml-auto">
          Copy
        </CopyButton>
      </div>
      {view === 'raw' ? (
        <CodeBlock text={raw} label="Stack as text" wrap={false} />
      ) : (
        <ol className="space-y-6">
          {chain.map((exception, place) => (
            <li key={exception.index}>
              {place > 0 ? (
                <p className="mb-2 text-text-muted text-xs">{order === 'newest' ? 'caused by' : 'led to'}</p>
              ) : null}
              <Exception exception={exception} order={order} showAll={view === 'all'} />
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

function Exception({
  exception,
  order,
  showAll,
}: {
  exception: ExceptionView;
  order: FrameOrder;
  showAll: boolean;
}) {
  return (
    <div className="min-w-0">
      <h3 className="break-anything flex flex-wrap items-center gap-x-2 gap-y-1 font-semibold text-base">
        <bdi>{exception.type || 'Exception without a type'}</bdi>
        {exception.mechanism ? (
          <Badge tone={exception.isUnhandled ? 'danger' : 'neutral'}>{exception.mechanism}</Badge>
        ) : null}
      </h3>
      {exception.module ? (
        <p className="mono break-anything text-text-faint text-xs">
          <bdi>{exception.module}</bdi>
        </p>
      ) : null}
      {exception.value ? (
        <ScrollRegion label="Message of the exception" className="mt-1 mb-2.5 max-h-96 overflow-y-auto">
          <pre className="mono whitespace-pre-wrap text-sm text-text leading-5 [overflow-wrap:anywhere]">
            <bdi>{exception.value}</bdi>
          </pre>
        </ScrollRegion>
      ) : (
        <div className="h-2" />
      )}
      {exception.marks.length > 0 ? (
        <div className="mb-2.5">
          <ScrubBadges marks={exception.marks} />
        </div>
      ) : null}
      {exception.stack ? (
        <StackFrames stack={exception.stack} order={order} showAll={showAll} />
      ) : (
        <p className="text-sm text-text-muted">The SDK sent no stack trace with this exception.</p>
      )}
    </div>
  );
}

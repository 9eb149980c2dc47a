'use client';

import { useState } from 'react';
import { Badge } from '#ui/badge.tsx';
import { Segmented } from '#ui/segmented.tsx';
import { Select } from '#ui/select.tsx';
import type { ThreadView } from './event-view.ts';
import { hasBothKinds } from './fold-frames.ts';
import { StackFrames } from './stack-frames.tsx';

const VIEWS = [
  { value: 'own', label: 'Own code' },
  { value: 'all', label: 'All frames' },
] as const;

/** One thread at a time, the crashed one first. */
export function ThreadList({ threads }: { threads: readonly ThreadView[] }) {
  const [key, setKey] = useState(threads[0]?.key ?? '');
  const [view, setView] = useState<'own' | 'all'>('own');
  const thread = threads.find((each) => each.key === key) ?? threads[0];
  if (!thread) return null;
  return (
    <div>
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <Select
          label="Thread"
          value={thread.key}
          onValueChange={setKey}
          options={threads.map((each) => ({
            value: each.key,
            label: each.name,
            hint: [each.isCrashed ? 'crashed' : each.isCurrent ? 'current' : '', each.state]
              .filter(Boolean)
              .join(', '),
          }))}
        />
        {thread.stack && hasBothKinds(thread.stack.frames) ? (
          <Segmented label="Frames" value={view} options={VIEWS} onValueChange={setView} />
        ) : null}
        {thread.isCrashed ? <Badge tone="danger">crashed</Badge> : null}
        {thread.isCurrent ? <Badge>current</Badge> : null}
        {thread.state ? <Badge>{thread.state}</Badge> : null}
      </div>
      {thread.stack ? (
        <StackFrames key={thread.key} stack={thread.stack} order="newest" showAll={view === 'all'} />
      ) : (
        <p className="text-sm text-text-muted">
          The SDK sent no stack trace of this thread; that of the crashed one may stand with the exception.
        </p>
      )}
    </div>
  );
}

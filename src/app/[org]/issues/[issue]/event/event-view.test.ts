import { describe, expect, it } from 'vitest';
import type { NormalizedEvent } from '#protocol/event.ts';
import { exceptionViews, guiltyFrameOf, threadViews } from './event-view.ts';

function event(parts: Partial<NormalizedEvent>): NormalizedEvent {
  return {
    event_id: 'a'.repeat(32),
    type: 'error',
    level: 'error',
    platform: 'javascript',
    timestamp: 0,
    received: 0,
    ...parts,
  };
}

const own = { function: 'own', in_app: true };
const library = { function: 'library', in_app: false };

describe('guiltyFrameOf', () => {
  it('is the own frame of what was seen, not of its cause', () => {
    const frame = guiltyFrameOf(
      event({
        exception: {
          values: [
            { type: 'Cause', stacktrace: { frames: [{ function: 'cause', in_app: true }] } },
            { type: 'Seen', stacktrace: { frames: [own, library] } },
          ],
        },
      }),
    );
    expect(frame?.functionName).toBe('own');
  });

  it('falls back to the cause, the stack of a message, and the crashed thread', () => {
    expect(
      guiltyFrameOf(
        event({ exception: { values: [{ stacktrace: { frames: [own] } }, { type: 'NoFrames' }] } }),
      )?.functionName,
    ).toBe('own');
    expect(guiltyFrameOf(event({ stacktrace: { frames: [library] } }))?.functionName).toBe('library');
    expect(
      guiltyFrameOf(
        event({
          threads: {
            values: [
              { id: 1, stacktrace: { frames: [library] } },
              { id: 2, crashed: true, stacktrace: { frames: [own] } },
            ],
          },
        }),
      )?.functionName,
    ).toBe('own');
    expect(guiltyFrameOf(event({}))).toBeNull();
  });
});

describe('views', () => {
  it('says how an exception was caught', () => {
    const [view] = exceptionViews(
      event({ exception: { values: [{ type: 'E', mechanism: { type: 'onerror', handled: false } }] } }),
    );
    expect(view?.mechanism).toBe('onerror, not handled');
    expect(view?.isUnhandled).toBe(true);
  });

  it('shows the crashed thread first', () => {
    const views = threadViews(
      event({
        threads: { values: [{ id: 1 }, { id: 2, current: true }, { id: 3, name: 'main', crashed: true }] },
      }),
    );
    expect(views.map((view) => view.name)).toEqual(['main (#3)', 'Thread #2', 'Thread #1']);
  });
});

import { describe, expect, it } from 'vitest';
import type { NormalizedEvent } from '#protocol/event.ts';
import { exceptionViews, findStack, noSourceReason, threadViews } from './event-view.ts';

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

describe('exceptions', () => {
  it('say how they were caught', () => {
    const [view] = exceptionViews(
      event({ exception: { values: [{ type: 'E', mechanism: { type: 'onerror', handled: false } }] } }),
    );
    expect(view?.mechanism).toBe('onerror, unhandled');
    expect(view?.isUnhandled).toBe(true);
  });

  it('begin with what was caught', () => {
    const views = exceptionViews(event({ exception: { values: [{ type: 'Cause' }, { type: 'Seen' }] } }));
    expect(views.map(({ type }) => type)).toEqual(['Seen', 'Cause']);
  });
});

describe('threads', () => {
  it('begin with the crashed one; those without a stack come last', () => {
    const stacktrace = { frames: [{ function: 'f' }] };
    const views = threadViews(
      event({
        threads: {
          values: [
            { id: 1 },
            { id: 2, stacktrace },
            { id: 3, current: true },
            { id: 4, name: 'main', crashed: true },
          ],
        },
      }),
    );
    expect(views.map((view) => view.name)).toEqual(['main (#4)', 'Thread #3', 'Thread #2', 'Thread #1']);
  });
});

describe('a stack by its name', () => {
  const stacktrace = { frames: [{ function: 'f' }] };
  const whole = event({
    stacktrace,
    exception: { values: [{}, { stacktrace }] },
    threads: { values: [{ stacktrace }] },
  });

  it.each(['message', 'exception.1', 'thread.0'])('is found: %s', (name) => {
    expect(findStack(whole, name)?.frames).toHaveLength(1);
  });

  it.each(['', 'exception.0', 'exception.9', 'thread.x', 'thread.-1', 'constructor.0', 'exception.1e9'])(
    'is null when there is none: "%s"',
    (name) => {
      expect(findStack(whole, name)).toBeNull();
    },
  );
});

describe('the frame of the crash', () => {
  const own = { function: 'own', in_app: true };
  const stacktrace = { frames: [own, { function: 'library', in_app: false }] };
  const cause = { frames: [{ ...own }] };
  const crashesIn = (parts: Partial<NormalizedEvent>) =>
    ['exception.0', 'exception.1', 'message', 'thread.0'].flatMap((name) =>
      (findStack(event(parts), name)?.frames ?? []).flatMap(({ functionName, isCrash }) =>
        isCrash ? [`${name} ${functionName}`] : [],
      ),
    );

  it('is one of all stacks: the innermost in-app one of what was caught', () => {
    const exception = { values: [{ stacktrace: cause }, { stacktrace }] };
    const threads = { values: [{ crashed: true, stacktrace: { frames: [{ ...own }] } }] };
    expect(crashesIn({ exception, threads })).toEqual(['exception.1 own']);
    const marked = exceptionViews(event({ exception })).flatMap(({ stack }) =>
      (stack?.frames ?? []).filter(({ isCrash }) => isCrash),
    );
    expect(marked).toHaveLength(1);
  });

  it('is of the message or the crashed thread without an exception', () => {
    expect(crashesIn({ stacktrace })).toEqual(['message own']);
    expect(crashesIn({ threads: { values: [{ crashed: true, stacktrace }] } })).toEqual(['thread.0 own']);
  });
});

it('a frame of a browser without source lines says what brings them', () => {
  const exception = {
    values: [{ type: 'E', stacktrace: { frames: [{ filename: 'https://h/app.min.js', function: 'f' }] } }],
  };
  const [frame] = findStack(event({ exception }), 'exception.0')?.frames ?? [];
  if (!frame) throw new Error('the stack has a frame');
  expect(noSourceReason(frame, 'javascript')).toContain('Upload source maps');
  expect(noSourceReason(frame, 'python')).not.toContain('cannot be uploaded');
});

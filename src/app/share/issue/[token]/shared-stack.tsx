import type { SharedException, SharedFrame } from '#product/sharing/open-shared-issue.ts';
import { Card } from '#ui/card.tsx';
import { cx } from '#ui/cx.ts';

/** Exceptions, the outermost first, each with its calls, the innermost first. */
export function SharedStack({ exceptions }: { exceptions: readonly SharedException[] }) {
  return (
    <div className="space-y-4">
      {exceptions.toReversed().map((exception, index) => (
        <Card
          // biome-ignore lint/suspicious/noArrayIndexKey: the exceptions of one event keep their places
          key={index}
          flush
          id={`exception-${index}`}
          title={
            <span className="break-anything">
              <bdi>{exception.type ?? 'Stack trace'}</bdi>
            </span>
          }
        >
          {exception.frames.length === 0 ? (
            <p className="px-4 py-3 text-sm text-text-muted">No calls were sent.</p>
          ) : (
            <ol className="divide-y">
              {exception.frames.toReversed().map((frame, position) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the calls of one stack keep their places
                <Frame key={position} frame={frame} />
              ))}
            </ol>
          )}
        </Card>
      ))}
    </div>
  );
}

function Frame({ frame }: { frame: SharedFrame }) {
  const file = frame.filename ?? frame.module ?? '(unknown place)';
  const place = [file, frame.lineNumber, frame.columnNumber].filter((part) => part !== null).join(':');
  return (
    <li className={cx('px-4 py-2 text-sm', frame.isInApp ? undefined : 'text-text-muted')}>
      <p className="break-anything">
        <bdi className={cx('mono text-xs', frame.isInApp && 'font-semibold')}>
          {frame.function ?? '(anonymous)'}
        </bdi>{' '}
        <bdi className="mono text-text-muted text-xs">{place}</bdi>
      </p>
      {frame.contextLine ? (
        <pre className="mono mt-1 overflow-x-auto whitespace-pre-wrap rounded-sm bg-surface-sunken px-2 py-1 text-xs">
          {frame.contextLine}
        </pre>
      ) : null}
    </li>
  );
}

import type { EventPlace } from '#app/[org]/issues/[issue]/event/event-parts.ts';
import { ScrubBadges } from '#app/[org]/issues/[issue]/event/scrub-marks.tsx';
import { CopyFrom } from '#app/[org]/issues/[issue]/event/section-controls.tsx';
import { withQuery } from '#app/url-state.ts';
import { visibleStart } from '#lib/visible-text.ts';
import { Badge } from '#ui/badge.tsx';
import { CodeBlock } from '#ui/code-block.tsx';
import { ExternalLink } from '#ui/external-link.tsx';
import { ScrollRegion } from '#ui/table.tsx';
import type { ExceptionView } from '../event-view.ts';
import { hasBranches } from './exception-tree.ts';
import { hasBothKinds, type PlannedStack, planStacks } from './plan-stacks.ts';
import { readReactError } from './react-error.ts';
import { StackFrames } from './stack-frames.tsx';
import { StackSwitch } from './stack-switch.tsx';

/** Exceptions with their stacks, each followed by what is below it, or the other way round. */
export function ExceptionChain({
  exceptions,
  platform,
  place,
  rawText,
}: {
  /** What was caught first. */
  exceptions: readonly ExceptionView[];
  platform: string;
  place: EventPlace;
  /** What the platform itself would print; asked for only when it is shown. */
  rawText: () => string;
}) {
  const { shape, order } = place.stack;
  const shown = order === 'newest' ? exceptions : exceptions.toReversed();
  const plans = planStacks(
    shown.map(({ stack }) => stack),
    order,
    shape === 'all',
  );
  const branches = hasBranches(exceptions.map(({ node }) => node));
  return (
    <div>
      {shape === 'raw' ? (
        <CodeBlock text={rawText()} label="Raw stack trace" wrap={false} />
      ) : (
        <>
          {branches ? <ExceptionOutline exceptions={exceptions} /> : null}
          <ol className="space-y-6">
            {shown.map((exception, index) => (
              <li key={exception.node.index} id={`exception-${exception.node.index}`} className="exception">
                <Relation exception={exception} isFirst={index === 0} order={order} isTree={branches} />
                <Exception
                  exception={exception}
                  plan={plans[index] ?? null}
                  platform={platform}
                  place={place}
                />
              </li>
            ))}
          </ol>
        </>
      )}
    </div>
  );
}

/** How the stacks are shown, and a way to take them along. */
export function StackActions({
  exceptions,
  place,
  hasSentFrames,
}: {
  exceptions: readonly ExceptionView[];
  place: EventPlace;
  hasSentFrames: boolean;
}) {
  const { order, isAsSent } = place.stack;
  const hasFrames = exceptions.some(({ stack }) => stack);
  return (
    <div className="flex flex-wrap items-center gap-2">
      {hasFrames || exceptions.length > 1 ? (
        <StackSwitch
          options={place.stack}
          pageHref={place.pageHref}
          entries={place.entries}
          isFoldable={exceptions.some(({ stack }) => stack && hasBothKinds(stack.frames))}
          hasSentFrames={hasSentFrames}
        />
      ) : null}
      <CopyFrom
        href={withQuery(`${place.eventHref}/text`, { order, frames: isAsSent ? 'sent' : null })}
        label="Copy stack trace as text"
      >
        Copy
      </CopyFrom>
    </div>
  );
}

function Relation({
  exception: { node },
  isFirst,
  order,
  isTree,
}: {
  exception: ExceptionView;
  isFirst: boolean;
  order: 'newest' | 'oldest';
  isTree: boolean;
}) {
  const [at, of] = node.place ?? [];
  const words =
    node.relation === 'member'
      ? `${at} of ${of} in the group`
      : isTree
        ? node.relation === 'cause'
          ? 'cause'
          : null
        : isFirst
          ? null
          : order === 'newest'
            ? 'caused by'
            : 'led to';
  return words ? <p className="mb-2 text-text-muted text-xs">{words}</p> : null;
}

function Exception({
  exception,
  plan,
  platform,
  place,
}: {
  exception: ExceptionView;
  plan: PlannedStack | null;
  platform: string;
  place: EventPlace;
}) {
  return (
    <div>
      <h3>
        <bdi>{exception.type || '(no type)'}</bdi>
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
        <ScrollRegion label="Exception message" className="exception-message">
          <pre>
            <bdi>{exception.value}</bdi>
          </pre>
        </ScrollRegion>
      ) : (
        <div className="h-2" />
      )}
      <ReactErrorNote message={exception.value} />
      {exception.marks.length > 0 ? (
        <div className="mb-2.5">
          <ScrubBadges marks={exception.marks} />
        </div>
      ) : null}
      {exception.stack?.hasOnlyAddresses ? (
        <p className="mb-2.5 text-sm text-text-muted">
          No function names: the crash report has addresses only. Upload the debug files of this build to see
          functions, files, and lines.
          {exception.stack.hasScannedFrames
            ? ' Frames marked “scanned” are return addresses found on the stack: some may be left over from earlier calls.'
            : null}
        </p>
      ) : null}
      {exception.stack && plan ? (
        <StackFrames
          name={`exception.${exception.node.index}`}
          stack={exception.stack}
          plan={plan}
          platform={platform}
          place={place}
        />
      ) : (
        <p className="text-sm text-text-muted">This exception has no stack trace.</p>
      )}
    </div>
  );
}

/** What the number in the message of a production build of React means. */
function ReactErrorNote({ message }: { message: string }) {
  const error = readReactError(message);
  if (!error) return null;
  return (
    <p className="mb-2.5 text-sm text-text-muted">
      {error.meaning ? `${error.meaning} ` : null}
      <ExternalLink href={error.href}>{`React error #${error.code}`}</ExternalLink>
    </p>
  );
}

/** Deeper ones stand under each other: a phone has no room for more. */
const DEPTH_SHOWN_MAX = 6;
const INDENT_REM = 1.25;

/** The exceptions of a group as a tree, each leading to its stack. */
function ExceptionOutline({ exceptions }: { exceptions: readonly ExceptionView[] }) {
  return (
    <nav aria-label="Exceptions in this group" className="mb-5 rounded-md border px-3 py-2">
      <ol className="text-xs leading-6">
        {exceptions.map(({ node, type, value }) => (
          <li
            key={node.index}
            className="flex min-w-0 items-baseline gap-1.5"
            style={{ paddingLeft: `${Math.min(node.depth, DEPTH_SHOWN_MAX) * INDENT_REM}rem` }}
          >
            <span className="shrink-0 text-text-faint">
              {node.place ? `${node.place[0]}/${node.place[1]}` : node.relation === 'cause' ? 'cause' : ''}
            </span>
            <a
              href={`#exception-${node.index}`}
              className="min-w-0 truncate text-text no-underline hover:underline"
            >
              <bdi className="font-semibold">{type || '(no type)'}</bdi>
              {value ? (
                <bdi className="text-text-muted">: {visibleStart(value, VALUE_CHARACTERS_SHOWN)}</bdi>
              ) : null}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

const VALUE_CHARACTERS_SHOWN = 160;

import type { FlameGraph } from '#domain/profiles/flame-graph.ts';
import { formatElapsed } from '#ui/format-elapsed.ts';
import { formatExact } from '#ui/format-number.ts';
import { formatShare, placeOfFrame, type ShownProfile } from './shown-profile.ts';

/** What is known of the call under the pointer or with the focus. It has its place, so that nothing moves. */
export function FrameDetails({
  shown: { thread, weights },
  graph,
  box,
}: {
  shown: ShownProfile;
  graph: FlameGraph;
  box: number;
}) {
  const node = graph.nodes[box];
  const frame = node === undefined ? undefined : thread.frames[thread.nodes.frames[node] as number];
  return (
    <div
      role="status"
      aria-label="Call"
      className="flex min-h-20 flex-wrap items-start gap-x-6 gap-y-1 border-t px-4 py-2 text-sm sm:min-h-16"
    >
      {frame && node !== undefined ? (
        <>
          <div className="min-w-0 flex-1 basis-72">
            <p className="break-anything font-medium">
              <bdi className="mono text-xs">{frame.name}</bdi>
              <span className="ml-2 font-normal text-text-muted text-xs">
                {frame.isLibrary ? 'Library' : 'In app'}
              </span>
            </p>
            <p className="break-anything text-text-muted text-xs">
              <bdi>{[frame.module, placeOfFrame(frame)].filter(Boolean).join(' · ') || 'Unknown file'}</bdi>
            </p>
          </div>
          <dl className="numbers flex flex-wrap gap-x-5 text-xs">
            <Fact name="This call">
              {formatElapsed((graph.toUs[box] as number) - (graph.fromUs[box] as number))}
            </Fact>
            <Fact name="Total">{withShare(weights.totalUs[node] as number, weights.runningUs)}</Fact>
            <Fact name="Self">{withShare(weights.selfUs[node] as number, weights.runningUs)}</Fact>
            <Fact name="Samples">{formatExact(weights.samples[node] as number)}</Fact>
          </dl>
        </>
      ) : (
        <p className="text-text-muted text-xs">
          Point at a call to see it, click it to zoom in. With the keyboard: arrow keys, Enter, Escape.
        </p>
      )}
    </div>
  );
}

const withShare = (us: number, wholeUs: number): string =>
  `${formatElapsed(us)} (${formatShare(us, wholeUs)})`;

function Fact({ name, children }: { name: string; children: string }) {
  return (
    <div>
      <dt className="text-text-muted">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

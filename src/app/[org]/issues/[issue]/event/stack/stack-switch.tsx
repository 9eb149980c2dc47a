import { type QueryEntries, withQuery } from '#app/url-state.ts';
import { ChoiceLinks } from './choice-links.tsx';
import { keptStack, STACK_COOKIE, type StackOptions, stackEntries } from './stack-options.ts';

const SHAPES = [
  { shape: 'own', label: 'Most relevant' },
  { shape: 'all', label: 'Full stack trace' },
  { shape: 'raw', label: 'Raw' },
] as const;

const ORDERS = [
  { order: 'newest', label: 'Newest first' },
  { order: 'oldest', label: 'Oldest first' },
] as const;

const VERSIONS = [
  { isAsSent: false, label: 'Original' },
  { isAsSent: true, label: 'As sent' },
] as const;

/** How stacks are shown. `pageHref` and `entries` make the address of the page. */
export function StackSwitch({
  options,
  pageHref,
  entries,
  isFoldable,
  hasSentFrames,
}: {
  options: StackOptions;
  pageHref: string;
  entries: QueryEntries;
  /** Whether there are frames of both kinds, so that folding makes a difference. */
  isFoldable: boolean;
  /** Whether frames were taken to their sources, and are kept as they were sent. */
  hasSentFrames: boolean;
}) {
  const shapes = isFoldable ? SHAPES : SHAPES.filter(({ shape }) => shape !== 'own');
  const shown = isFoldable || options.shape === 'raw' ? options.shape : 'all';
  return (
    <>
      {hasSentFrames ? (
        <ChoiceLinks
          label="Source version"
          cookie={STACK_COOKIE}
          choices={VERSIONS.map(({ isAsSent, label }) =>
            choice({ ...options, isAsSent }, label, isAsSent === options.isAsSent),
          )}
        />
      ) : null}
      <ChoiceLinks
        label="Frames"
        cookie={STACK_COOKIE}
        choices={shapes.map(({ shape, label }) => choice({ ...options, shape }, label, shape === shown))}
      />
      <ChoiceLinks
        label="Order"
        cookie={STACK_COOKIE}
        choices={ORDERS.map(({ order, label }) =>
          choice({ ...options, order }, label, order === options.order),
        )}
      />
    </>
  );

  function choice(chosen: StackOptions, label: string, isChosen: boolean) {
    const href = withQuery(pageHref, { ...entries, ...stackEntries(chosen) });
    return { label, href, isChosen, kept: keptStack(chosen) };
  }
}

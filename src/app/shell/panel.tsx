import type { ComponentProps, ReactNode } from 'react';
import { EmptyState } from '#ui/empty-state.tsx';
import { Notice } from '#ui/notice.tsx';
import { ReloadButton } from '#ui/reload-button.tsx';

/** A bordered area without padding or heading, for a table or a list. */
export function Panel({ children }: { children: ReactNode }) {
  return <div className="rounded-lg border bg-surface-raised">{children}</div>;
}

/** Stands where a list would be. */
export function EmptyPanel(props: ComponentProps<typeof EmptyState>) {
  return (
    <Panel>
      <EmptyState {...props} />
    </Panel>
  );
}

/** Stands where something could not be loaded, with a way to try again. */
export function LoadError({
  what,
  title = `Couldn’t load ${what}`,
  children,
}: {
  what?: string;
  title?: string;
  /** The reason. */
  children: ReactNode;
}) {
  return (
    <Notice tone="warning" title={title} actions={<ReloadButton />}>
      {children}
    </Notice>
  );
}

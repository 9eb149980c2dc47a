import type { ComponentProps, ReactNode } from 'react';

/** The head of a page: its one `<h1>`, a sentence, and what can be done here. */
export function PageHeader({
  title,
  description,
  actions,
}: {
  title: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <header className="mb-5 flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
      <div className="min-w-0">
        <h1 className="font-semibold text-xl tracking-tight">{title}</h1>
        {description ? <p className="mt-1 max-w-[75ch] text-sm text-text-muted">{description}</p> : null}
      </div>
      {actions ? <div className="flex flex-wrap items-center gap-2">{actions}</div> : null}
    </header>
  );
}

/** The padded, centred body of a page. */
export function PageBody({ children, width = 'wide' }: { children: ReactNode; width?: 'wide' | 'narrow' }) {
  return (
    <div
      className={`mx-auto w-full px-4 py-5 sm:px-6 ${width === 'wide' ? 'max-w-[1440px]' : 'max-w-[880px]'}`}
    >
      {children}
    </div>
  );
}

/** A page: its body under its head. */
export function Page({
  width,
  children,
  ...header
}: ComponentProps<typeof PageBody> & ComponentProps<typeof PageHeader>) {
  return (
    <PageBody width={width}>
      <PageHeader {...header} />
      {children}
    </PageBody>
  );
}

/** A narrow page of cards, one under the other. `lockedNote` says who can help people who may not change anything here. */
export function SettingsPage({
  lockedNote = null,
  children,
  ...header
}: ComponentProps<typeof PageHeader> & { lockedNote?: string | null; children: ReactNode }) {
  return (
    <Page width="narrow" {...header}>
      <div className="flex flex-col gap-5">
        {children}
        {lockedNote === null ? null : <p className="text-sm text-text-muted">{lockedNote}</p>}
      </div>
    </Page>
  );
}
